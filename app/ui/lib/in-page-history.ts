/**
 * Handles Back and Forward before the router. The router reloads the page on every history change, even if only the
 * hash or a dialog changes. React would then discard content that is not hydrated yet.
 */
import type { AnyRouter } from '@tanstack/react-router';

type Listener = (event: PopStateEvent) => void;

const listeners = new Set<Listener>();

/**
 * Starts listening. Call it before the router is created, because listeners run in the order in which they were added.
 */
export function listenBeforeRouter(): void {
  window.addEventListener('popstate', (event) => {
    for (const listener of listeners) listener(event);
  });
}

/**
 * Calls the listener on navigation within the same page.
 * @returns a function that removes the listener
 */
export function onInPageNavigation({ history }: AnyRouter, listener: () => void): () => void {
  const onPopState = (event: PopStateEvent) => {
    const { pathname, search } = history.location;
    if (location.pathname !== pathname || location.search !== search) return;
    event.stopImmediatePropagation();
    listener();
  };
  listeners.add(onPopState);
  return () => listeners.delete(onPopState);
}
