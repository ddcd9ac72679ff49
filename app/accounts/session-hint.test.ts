import { afterEach, expect, test, vi } from 'vitest';
import { readDashboardHint, rememberDashboard, wasSignedOut } from './session-hint.ts';

afterEach(() => vi.unstubAllGlobals());

/** Stubs a storage whose keys are own properties, as in browsers. */
function stubStorage(entries: Record<string, string>) {
  const prototype = {
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
  };
  vi.stubGlobal('localStorage', Object.assign(Object.create(prototype), entries));
}

test('A browser without a stored session counts as signed out', () => {
  stubStorage({ 'dashboard-path': '/admin/dashboard', 'sb-code-verifier': 'x' });
  expect(readDashboardHint()).toBeNull();
});

test('Returns the client dashboard for a stored session without a stored dashboard', () => {
  stubStorage({ 'sb-localhost-auth-token': '{}' });
  expect(readDashboardHint()).toBe('/client-dashboard');
});

test('Returns the stored dashboard, unless it is a URL on another site', () => {
  stubStorage({ 'sb-localhost-auth-token': '{}' });
  rememberDashboard('/team-dashboard');
  expect(readDashboardHint()).toBe('/team-dashboard');
  rememberDashboard('//evil.example');
  expect(readDashboardHint()).toBe('/client-dashboard');
});

test('Detects a sign-out in another tab even if the storage change arrives after the message', async () => {
  vi.useFakeTimers();
  const page = new EventTarget();
  vi.stubGlobal('window', page);
  stubStorage({ 'dashboard-path': '/client-dashboard' });

  const expired = wasSignedOut();
  page.dispatchEvent(new Event('storage'));
  await vi.advanceTimersByTimeAsync(500);
  expect(await expired).toBe(false);

  const signedOut = wasSignedOut();
  stubStorage({});
  page.dispatchEvent(new Event('storage'));
  expect(await signedOut).toBe(true);
  expect(await wasSignedOut()).toBe(true);
  vi.useRealTimers();
});
