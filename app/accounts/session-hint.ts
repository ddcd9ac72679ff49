/**
 * Guesses the sign-in state from the data that the Supabase client persists, without loading the client. The result is
 * used to choose icons and links, and never for access control.
 */
import { useSyncExternalStore } from 'react';
import { isSessionApiOpen } from '../api/visitor-api.ts';

const SESSION_KEY = /^sb-.+-auth-token$/;
const DASHBOARD_KEY = 'dashboard-path';
const DEFAULT_DASHBOARD = '/client-dashboard';
const ENDED = 'signalfjord:session-ended';

/** Returns the dashboard path of the signed-in user, or null. */
export function readDashboardHint(): string | null {
  try {
    const isSignedIn = Object.keys(localStorage).some((key) => SESSION_KEY.test(key) && localStorage.getItem(key));
    if (!isSignedIn) return null;
    const storedPath = localStorage.getItem(DASHBOARD_KEY);
    return storedPath?.startsWith('/') && !storedPath.startsWith('//') ? storedPath : DEFAULT_DASHBOARD;
  } catch {
    return null;
  }
}

/**
 * Returns false if neither local storage nor the URL contains a session. The caller then skips loading the 44 kB
 * Supabase client.
 */
export function mayHaveSession(): boolean {
  const { hash, search } = window.location;
  if (isSessionApiOpen() || hash.length > 1 || /[?&](code|error)=/.test(search)) return true;
  return readDashboardHint() !== null;
}

/** Stores the dashboard path once the role is known, so that the navigation can link to it. */
export function rememberDashboard(path: string) {
  try {
    localStorage.setItem(DASHBOARD_KEY, path);
  } catch {
    // Storage is blocked. The page works without the stored path.
  }
}

/** Removes the stored dashboard path on sign-out. Other tabs detect the removal. */
export function forgetDashboard(): void {
  try {
    localStorage.removeItem(DASHBOARD_KEY);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

/**
 * True if a dashboard path is stored. Signing out removes it. A stored path without a session means that the session
 * expired or was ended elsewhere.
 */
export function isDashboardRemembered(): boolean {
  try {
    return localStorage.getItem(DASHBOARD_KEY) !== null;
  } catch {
    return false;
  }
}

/** Maximum time until a storage change reaches other tabs, in milliseconds. */
const STORAGE_DELAY_MS = 500;

/**
 * Resolves to true if the user signed out, in this or another tab. Waits for the storage event, because the sign-out
 * broadcast of another tab may arrive before it.
 */
export function wasSignedOut(): Promise<boolean> {
  if (!isDashboardRemembered()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (hasSignedOut: boolean) => {
      clearTimeout(timer);
      window.removeEventListener('storage', onStorage);
      resolve(hasSignedOut);
    };
    const onStorage = () => {
      if (!isDashboardRemembered()) finish(true);
    };
    const timer = setTimeout(() => finish(!isDashboardRemembered()), STORAGE_DELAY_MS);
    window.addEventListener('storage', onStorage);
  });
}

/** Returns the stored dashboard path and re-renders when any tab changes it. Null before hydration. */
export function useDashboardHint(): string | null {
  return useSyncExternalStore(subscribe, readDashboardHint, () => null);
}

/** Notifies `useDashboardHint` in this tab. Browsers dispatch `storage` events only in other tabs. */
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
