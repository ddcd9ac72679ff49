import { useState, useSyncExternalStore } from 'react';
import { useShortcut } from '../../ui/lib/use-shortcut.ts';

const COOKIE = 'sidebar_state';
const COOKIE_DAYS = 7;

export interface SidebarState {
  /** Expanded or icons only, on large screens. Stored in a cookie for 7 days. */
  expanded: boolean;
  /** Below 768 px, the sidebar is a sheet that is closed at first. */
  mobile: boolean;
  sheetOpen: boolean;
  setSheetOpen: (open: boolean) => void;
  toggle: () => void;
}

/** Manages the state of the sidebar, which a button and Ctrl/Cmd+B toggle. */
export function useSidebar(): SidebarState {
  const mobile = useSyncExternalStore(watchMobile, isMobile, () => false);
  const [expanded, setExpanded] = useState(readCookie);
  const [sheetOpen, setSheetOpen] = useState(false);

  const toggle = () => {
    if (isMobile()) return setSheetOpen((open) => !open);
    writeCookie(!expanded);
    setExpanded(!expanded);
  };
  // The editor uses the same shortcut for bold.
  useShortcut('b', toggle);

  return { expanded, mobile, sheetOpen, setSheetOpen, toggle };
}

const MOBILE = '(max-width: 767.98px)';

function isMobile(): boolean {
  return window.matchMedia(MOBILE).matches;
}

function watchMobile(onChange: () => void): () => void {
  const query = window.matchMedia(MOBILE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

function readCookie(): boolean {
  return !document.cookie.split('; ').includes(`${COOKIE}=false`);
}

function writeCookie(expanded: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists only in secure contexts.
  document.cookie = `${COOKIE}=${expanded}; path=/; max-age=${COOKIE_DAYS * 24 * 60 * 60}; samesite=lax`;
}
