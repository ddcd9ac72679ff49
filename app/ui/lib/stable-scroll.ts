import { whenIdle } from './when-idle.ts';

/** User input that takes over scrolling. */
const GESTURES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

let stopCurrentScroll = () => {};
let runCurrentScroll = () => {};

/**
 * Calls `scroll` immediately, and again whenever the page height changes because content loads later. Stops on user
 * input or on the next call.
 */
export function scrollUntilStable(scroll: () => void): void {
  stopCurrentScroll();
  layOutWholePage();
  scroll();
  const observer = new ResizeObserver(scroll);
  observer.observe(document.body);
  runCurrentScroll = scroll;
  stopCurrentScroll = () => {
    runCurrentScroll = () => {};
    observer.disconnect();
    for (const gesture of GESTURES) window.removeEventListener(gesture, stopCurrentScroll, true);
  };
  for (const gesture of GESTURES) window.addEventListener(gesture, stopCurrentScroll, { capture: true, passive: true });
}

/** Repeats the current scroll. Call it after content has moved without changing the page height. */
export function repeatScroll(): void {
  runCurrentScroll();
}

/**
 * Lays out content below the fold (see `below-fold` in app.css). Estimated heights would cause wrong scroll positions.
 */
export function layOutWholePage(): void {
  document.documentElement.dataset['laidOut'] = '';
}

/**
 * Lays out content below the fold in idle time, one section at a time, so that full-page screenshots are complete and
 * scroll positions are exact.
 */
export function layOutWhenIdle(): void {
  const part = document.querySelector<HTMLElement>('.below-fold:not([data-laid-out])');
  if (part) {
    part.dataset['laidOut'] = '';
    whenIdle(layOutWhenIdle);
  } else layOutWholePage();
}

/** Scrolls to an element once it exists, smoothly unless reduced motion is preferred, and focuses it. */
export function scrollToSection(id: string): void {
  let isFocused = false;
  scrollUntilStable(() => {
    const section = document.getElementById(id);
    section?.scrollIntoView();
    if (!isFocused) section?.focus({ preventScroll: true });
    isFocused = section !== null;
  });
}
