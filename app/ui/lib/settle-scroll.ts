import { whenIdle } from './when-idle.ts';

/** The gestures by which a person takes the scrolling over. */
const GESTURES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

let endCurrent = () => {};

/**
 * Scrolls by `scroll`, and again whenever the height of the page changes, because parts of it may arrive or be laid out
 * only afterwards. Ends when the person scrolls, clicks or types, or with the next call.
 */
export function settleScroll(scroll: () => void): void {
  endCurrent();
  layOutWholePage();
  scroll();
  const observer = new ResizeObserver(scroll);
  observer.observe(document.body);
  endCurrent = () => {
    observer.disconnect();
    for (const gesture of GESTURES) window.removeEventListener(gesture, endCurrent, true);
  };
  for (const gesture of GESTURES) window.addEventListener(gesture, endCurrent, { capture: true, passive: true });
}

/** Gives what is below the fold its real height (see `below-fold` in app.css): guessed heights would lead astray. */
export function layOutWholePage(): void {
  document.documentElement.dataset['laidOut'] = '';
}

/**
 * Lays out what is below the fold while the browser has nothing else to do, a part at a time: a picture of the whole page
 * or an archive of it has every part then, and nobody scrolls into a guessed height.
 */
export function layOutWhenIdle(): void {
  const part = document.querySelector<HTMLElement>('.below-fold:not([data-laid-out])');
  if (part) {
    part.dataset['laidOut'] = '';
    whenIdle(layOutWhenIdle);
  } else layOutWholePage();
}

/**
 * Scrolls to the element of that id, smoothly where the visitor allows motion, and moves the keyboard there too; as soon
 * as it is there.
 */
export function settleAtSection(id: string): void {
  let isFocused = false;
  settleScroll(() => {
    const section = document.getElementById(id);
    section?.scrollIntoView();
    if (!isFocused) section?.focus({ preventScroll: true });
    isFocused = section !== null;
  });
}
