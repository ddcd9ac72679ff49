/**
 * Guesses whether someone is signed in at this browser from what the Supabase client persists, without loading that
 * client. Good enough to choose an icon; what a person may see is decided elsewhere.
 */
import { useSyncExternalStore } from 'react';
import { isSessionApiOpen } from '../api/visitor-api.ts';

const SESSION_KEY = /^sb-.+-auth-token$/;
const DASHBOARD_KEY = 'dashboard-path';
const DEFAULT_DASHBOARD = '/client-dashboard';
const ENDED = 'signalfjord:session-ended';

/** Returns the path of the signed-in person's dashboard, or null. */
export function readDashboardHint(): string | null {
  try {
    const isSignedIn = Object.keys(localStorage).some((key) => SESSION_KEY.test(key) && localStorage.getItem(key));
    if (!isSignedIn) return null;
    const remembered = localStorage.getItem(DASHBOARD_KEY);
    return remembered?.startsWith('/') && !remembered.startsWith('//') ? remembered : DEFAULT_DASHBOARD;
  } catch {
    return null;
  }
}

/**
 * Tells whether the client could find a session: one is stored, the address brings one or says why not, or the client is at work and
 * may keep one where nothing can be stored. Without any of them nobody waits for its 44 kB.
 */
export function mayHaveSession(): boolean {
  const { hash, search } = window.location;
  if (isSessionApiOpen() || hash.length > 1 || /[?&](code|error)=/.test(search)) return true;
  return readDashboardHint() !== null;
}

/** Remembers a person's dashboard once their role is known, so that the navigation leads straight there. */
export function rememberDashboard(path: string) {
  try {
    localStorage.setItem(DASHBOARD_KEY, path);
  } catch {
    // Storage is denied in this browser: the page works, it only forgets.
  }
}

/** Called when somebody signs out, in this or another tab: nothing of theirs is left. */
export function forgetDashboard(): void {
  try {
    localStorage.removeItem(DASHBOARD_KEY);
  } catch {
    // Storage is denied in this browser: nothing was remembered.
  }
}

/**
 * Tells whether a dashboard is remembered. Signing out forgets it, so without a session it means that the session was
 * not ended here: it was ended on another device or by an admin, or it expired.
 */
export function isDashboardRemembered(): boolean {
  try {
    return localStorage.getItem(DASHBOARD_KEY) !== null;
  } catch {
    return false;
  }
}

/** Longest time in milliseconds that a change of the storage takes to reach other tabs. */
const STORAGE_DELAY_MS = 500;

/**
 * Tells whether the session that has just ended was ended by signing out, here or in another tab. That tab's message
 * may be here before its change of the storage is.
 */
export function wasSignedOut(): Promise<boolean> {
  if (!isDashboardRemembered()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (hasSignedOut: boolean) => {
      clearTimeout(timer);
      window.removeEventListener('storage', onStorage);
      resolve(hasSignedOut);
    };
    const onStorage = () => {
      if (!isDashboardRemembered()) settle(true);
    };
    const timer = setTimeout(() => settle(!isDashboardRemembered()), STORAGE_DELAY_MS);
    window.addEventListener('storage', onStorage);
  });
}

/** Returns the hint, kept up to date by this tab and by others; null on the server and until React has arrived. */
export function useDashboardHint(): string | null {
  return useSyncExternalStore(subscribe, readDashboardHint, () => null);
}

/** Called when the session of this tab ended, of which the browser tells other tabs only. */
export function announceSessionEnd(): void {
  window.dispatchEvent(new Event(ENDED));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('storage', listener);
  window.addEventListener(ENDED, listener);
  return () => {
    window.removeEventListener('storage', listener);
    window.removeEventListener(ENDED, listener);
  };
}
