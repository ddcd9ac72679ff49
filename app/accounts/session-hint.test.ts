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

test('Without a stored session nobody is signed in', () => {
  stubStorage({ 'dashboard-path': '/admin/dashboard', 'sb-code-verifier': 'x' });
  expect(readDashboardHint()).toBeNull();
});

test('With a stored session the client dashboard is the guess', () => {
  stubStorage({ 'sb-localhost-auth-token': '{}' });
  expect(readDashboardHint()).toBe('/client-dashboard');
});

test('A remembered dashboard is led to, an address of another site is not', () => {
  stubStorage({ 'sb-localhost-auth-token': '{}' });
  rememberDashboard('/team-dashboard');
  expect(readDashboardHint()).toBe('/team-dashboard');
  rememberDashboard('//evil.example');
  expect(readDashboardHint()).toBe('/client-dashboard');
});

test('Signing out in another tab counts also when its change of the storage comes after its message', async () => {
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
