/** Scroll restoration: new pages start at the top, Back and Forward restore the position. */
import type { AnyRouter } from '@tanstack/react-router';
import { onMoveInPage } from '../../ui/lib/in-page-history.ts';
import { layOutWholePage, settleAtSection, settleScroll } from '../../ui/lib/settle-scroll.ts';

const STORAGE_KEY = 'scroll-positions';

/**
 * Stores the scroll position of every history entry for the lifetime of the tab. The browser and the router cannot do
 * this, because sections of the home page have an estimated height until they are near the viewport.
 *
 * @returns unsubscribe
 */
export function restoreScrollPositions(router: AnyRouter): () => void {
  const positions = readPositions();
  let current = entryKey();
  const keep = () => {
    if (current) positions[current] = settledScrollPosition();
  };
  const arrive = (hash: string) => {
    current = entryKey();
    const top = positions[current];
    if (top !== undefined) settleScroll(() => window.scrollTo({ top, behavior: 'instant' }));
    else if (hash) settleAtSection(hash);
  };
  const moveInPage = () => {
    keep();
    // A hash link creates a history entry without a key, so add one for Back to find.
    if (history.state === null) nameEntry(router.history.location.state.__TSR_index + 1);
    arrive(location.hash.slice(1));
  };
  const takeOver = () => {
    history.scrollRestoration = 'manual';
  };
  const leave = () => {
    // The browser restores the position on reload, and on return from another site.
    history.scrollRestoration = 'auto';
    keep();
    writePositions(positions);
  };

  takeOver();
  // The browser has positioned the first page itself, and the user may have scrolled since.
  const { hash } = router.history.location;
  if (hash && !isOutOfView(hash.slice(1))) settleAtSection(hash.slice(1));
  window.addEventListener('pageshow', takeOver);
  window.addEventListener('pagehide', leave);
  const ends = [
    onMoveInPage(router, moveInPage),
    router.subscribe('onBeforeLoad', ({ fromLocation }) => fromLocation && keep()),
    router.subscribe('onRendered', ({ fromLocation, toLocation }) => fromLocation && arrive(toLocation.hash)),
  ];
  return () => {
    history.scrollRestoration = 'auto';
    window.removeEventListener('pageshow', takeOver);
    window.removeEventListener('pagehide', leave);
    for (const end of ends) end();
  };
}

/**
 * Keeps the scroll position of the first page. The router would scroll to the top when it hydrates. Call this before
 * hydration.
 */
export function stayOnFirstPage(router: AnyRouter): void {
  // Not set in createRouter(), which would then store positions itself.
  router.options.scrollRestoration = () => false;
  const end = router.subscribe('onBeforeLoad', ({ fromLocation, hrefChanged }) => {
    if (!fromLocation || !hrefChanged) return;
    router.options.scrollRestoration = false;
    end();
  });
}

/** Returns the router's key of the current history entry. */
function entryKey(): string {
  return history.state?.__TSR_key ?? '';
}

function nameEntry(index: number): void {
  // Same format as the router's keys. `crypto.randomUUID()` is missing on sites without TLS.
  const key = Math.random().toString(36).slice(2);
  // The router patches `history.replaceState` and would treat this as a navigation.
  History.prototype.replaceState.call(history, { __TSR_index: index, __TSR_key: key, key }, '');
}

/** Returns whether the section is outside the viewport. */
function isOutOfView(id: string): boolean {
  const box = document.getElementById(id)?.getBoundingClientRect();
  return box === undefined || box.bottom < 0 || box.top > innerHeight;
}

/** Returns the scroll position, in CSS pixels, with the real height of everything above. */
function settledScrollPosition(): number {
  const inView = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  const before = inView?.getBoundingClientRect().top ?? 0;
  layOutWholePage();
  const after = inView?.getBoundingClientRect().top ?? 0;
  return scrollY + after - before;
}

function readPositions(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}');
  } catch {
    // Storage can be blocked or contain foreign data.
    return {};
  }
}

function writePositions(positions: Record<string, number>): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(positions));
  } catch {
    // Without storage, positions are kept until the next reload.
  }
}
