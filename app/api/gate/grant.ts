/**
 * Access grant of the gate, stored in this browser for 30 days after the passcode was entered or an emailed link was
 * used.
 */
import { gateChallenge } from './challenge.ts';
import { openGate } from './opening.ts';

const STORAGE_KEY = 'preview-access';
const DURATION_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Opens the gate if a valid grant is stored. An invalid grant is removed. A grant for an earlier passcode version is
 * ignored. A grant without a version is accepted.
 */
export function openWithStoredGrant(version: string): boolean {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(STORAGE_KEY);
  } catch {
    return false;
  }
  if (stored === null) return false;
  const grant = parseGrant(stored);
  if (!grant) localStorage.removeItem(STORAGE_KEY);
  if (!grant?.granted || grant.expiry <= Date.now() || (grant.version ?? version) !== version) return false;
  openGate();
  return true;
}

/**
 * Opens the gate, if it is on, and stores the grant. If storage is blocked, the grant lasts until the page is reloaded.
 */
export function openAndStoreGrant(): void {
  const version = gateChallenge()?.version;
  if (version === undefined) return;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ granted: true, expiry: Date.now() + DURATION_MS, version }));
  } catch {
    // Storage is blocked. The page works without it.
  }
  openGate();
}

interface Grant {
  granted: boolean;
  /** Unix time in milliseconds. */
  expiry: number;
  /** Version of the entered passcode. */
  version?: string;
}

/** Parses a stored grant, or returns null. */
export function parseGrant(text: string): Grant | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('granted' in value) || !('expiry' in value)) return null;
    const { granted, expiry } = value;
    if (typeof granted !== 'boolean' || typeof expiry !== 'number') return null;
    return 'version' in value && typeof value.version === 'string'
      ? { granted, expiry, version: value.version }
      : { granted, expiry };
  } catch {
    return null;
  }
}
