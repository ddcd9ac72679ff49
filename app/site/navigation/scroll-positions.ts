/** Scroll restoration. New pages start at the top. Back and Forward restore the position. */
import type { AnyRouter } from '@tanstack/react-router';
import { onInPageNavigation } from '../../ui/lib/in-page-history.ts';
import { layOutWholePage, scrollToSection, scrollUntilStable } from '../../ui/lib/stable-scroll.ts';

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
  const savePosition = () => {
    if (current) positions[current] = stableScrollPosition();
  };
  const restorePosition = (hash: string) => {
    current = entryKey();
    const top = positions[current];
    if (top !== undefined) scrollUntilStable(() => window.scrollTo({ top, behavior: 'instant' }));
    else if (hash) scrollToSection(hash);
  };
  const onMove = () => {
    savePosition();
    // A hash link creates a history entry without a key. Add one, so that Back can restore the position.
    if (history.state === null) addEntryKey(router.history.location.state.__TSR_index + 1);
    restorePosition(location.hash.slice(1));
  };
  const disableBrowserRestoration = () => {
    history.scrollRestoration = 'manual';
  };
  const onPageHide = () => {
    // The browser restores the position on reload, and on return from another site.
    history.scrollRestoration = 'auto';
    savePosition();
    writePositions(positions);
  };

  disableBrowserRestoration();
  // The browser has already positioned the first page, and the user may have scrolled since then.
  const { hash } = router.history.location;
  if (hash && !isOutOfView(hash.slice(1))) scrollToSection(hash.slice(1));
  window.addEventListener('pageshow', disableBrowserRestoration);
  window.addEventListener('pagehide', onPageHide);
  const unsubscribeAll = [
    onInPageNavigation(router, onMove),
    router.subscribe('onBeforeLoad', ({ fromLocation }) => fromLocation && savePosition()),
    router.subscribe('onRendered', ({ fromLocation, toLocation }) => fromLocation && restorePosition(toLocation.hash)),
  ];
  return () => {
    history.scrollRestoration = 'auto';
    window.removeEventListener('pageshow', disableBrowserRestoration);
    window.removeEventListener('pagehide', onPageHide);
    for (const unsubscribe of unsubscribeAll) unsubscribe();
  };
}

/**
 * Keeps the scroll position of the first page. The router would scroll to the top when it hydrates. Call this before
 * hydration.
 */
export function stayOnFirstPage(router: AnyRouter): void {
  // Set here, because the router stores positions itself if createRouter() receives the option.
  router.options.scrollRestoration = () => false;
  const unsubscribe = router.subscribe('onBeforeLoad', ({ fromLocation, hrefChanged }) => {
    if (!fromLocation || !hrefChanged) return;
    router.options.scrollRestoration = false;
    unsubscribe();
  });
}

/** Returns the router's key of the current history entry. */
function entryKey(): string {
  return history.state?.__TSR_key ?? '';
}

function addEntryKey(index: number): void {
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

/** Lays out the page, and returns the scroll position in CSS pixels once the content above has its real height. */
function stableScrollPosition(): number {
  const anchor = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  const before = anchor?.getBoundingClientRect().top ?? 0;
  layOutWholePage();
  const after = anchor?.getBoundingClientRect().top ?? 0;
  return scrollY + after - before;
}

function readPositions(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}');
  } catch {
    // Storage is blocked or contains invalid data.
    return {};
  }
}

function writePositions(positions: Record<string, number>): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(positions));
  } catch {
    // If storage is blocked, positions are kept until the next reload.
  }
}
