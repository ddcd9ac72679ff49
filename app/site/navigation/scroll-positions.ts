/** Restores the scroll position: a new page starts at its top, Back and Forward lead to where the person was. */
import type { AnyRouter } from '@tanstack/react-router';
import { onMoveInPage } from '../../ui/lib/in-page-history.ts';
import { layOutWholePage, settleAtSection, settleScroll } from '../../ui/lib/settle-scroll.ts';

const STORAGE_KEY = 'scroll-positions';

/**
 * Keeps the position of every entry of the history, for the length of the tab. Neither the browser nor the router could
 * do it: the home page arrives in pieces whose height is guessed until they come near.
 * @returns ends it
 */
export function restoreScrollPositions(router: AnyRouter): () => void {
  const positions = readPositions();
  let current = entryKey();
  const keep = () => {
    if (current) positions[current] = positionInWholePage();
  };
  const arrive = (hash: string) => {
    current = entryKey();
    const top = positions[current];
    if (top !== undefined) settleScroll(() => window.scrollTo({ top, behavior: 'instant' }));
    else if (hash) settleAtSection(hash);
  };
  const moveInPage = () => {
    keep();
    // A link to a place in the page makes an entry without a key, by which Back could not find it again.
    if (history.state === null) nameEntry(router.history.location.state.__TSR_index + 1);
    arrive(location.hash.slice(1));
  };
  const takeOver = () => {
    history.scrollRestoration = 'manual';
  };
  const leave = () => {
    // On a reload, and on the way back from another site, the browser does it.
    history.scrollRestoration = 'auto';
    keep();
    writePositions(positions);
  };

  takeOver();
  // The browser has placed the first page itself, and the person may have moved on since.
  const { hash } = router.history.location;
  if (hash && !isElsewhere(hash.slice(1))) settleAtSection(hash.slice(1));
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
 * Lets the first page stay where the browser placed it or the person moved it while its scripts came: for the router,
 * taking over the page is an arrival at its top. To be called before it does.
 */
export function stayOnFirstPage(router: AnyRouter): void {
  // Set now and not in createRouter(), which would keep positions itself for a router that has this.
  router.options.scrollRestoration = () => false;
  const end = router.subscribe('onBeforeLoad', ({ fromLocation, hrefChanged }) => {
    if (!fromLocation || !hrefChanged) return;
    router.options.scrollRestoration = false;
    end();
  });
}

/** Returns the router's key of the current entry of the history. */
function entryKey(): string {
  return history.state?.__TSR_key ?? '';
}

function nameEntry(index: number): void {
  // As the router makes its own; randomUUID() is missing where a site is served without TLS.
  const key = Math.random().toString(36).slice(2);
  // The router takes the replaceState of this page's history for a navigation.
  History.prototype.replaceState.call(history, { __TSR_index: index, __TSR_key: key, key }, '');
}

/** Tells whether the section of that id is out of view. */
function isElsewhere(id: string): boolean {
  const box = document.getElementById(id)?.getBoundingClientRect();
  return box === undefined || box.bottom < 0 || box.top > innerHeight;
}

/** Returns how far down the view stands when everything above it has its real height, in CSS pixels. */
function positionInWholePage(): number {
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
    // Storage may be blocked, and others may write to it.
    return {};
  }
}

function writePositions(positions: Record<string, number>): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(positions));
  } catch {
    // Without storage the positions last until the next reload.
  }
}
