/**
 * Back and Forward, heard before the router hears of them. The router loads and draws the page anew for each, also where
 * only a place in the page or a window above it changes, and React would drop what has not come alive yet.
 */
import type { AnyRouter } from '@tanstack/react-router';

type Listener = (event: PopStateEvent) => void;

const listeners = new Set<Listener>();

/**
 * Starts listening. Call it before the router is made: browsers call the listeners of the window in the order they were
 * added.
 */
export function listenBeforeRouter(): void {
  window.addEventListener('popstate', (event) => {
    for (const listener of listeners) listener(event);
  });
}

/** Calls the listener when Back, Forward or a link lead from one place of a page to another of the same. @returns ends it */
export function onMoveInPage({ history }: AnyRouter, listener: () => void): () => void {
  const onPopState = (event: PopStateEvent) => {
    const { pathname, search } = history.location;
    if (location.pathname !== pathname || location.search !== search) return;
    event.stopImmediatePropagation();
    listener();
  };
  listeners.add(onPopState);
  return () => listeners.delete(onPopState);
}
