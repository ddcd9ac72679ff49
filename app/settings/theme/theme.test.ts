import { afterEach, expect, test, vi } from 'vitest';
import { nextThemeMode, readThemeMode } from './theme.ts';

afterEach(() => vi.unstubAllGlobals());

test('The mode goes from system to light to dark and back to system', () => {
  expect(nextThemeMode('system')).toBe('light');
  expect(nextThemeMode('light')).toBe('dark');
  expect(nextThemeMode('dark')).toBe('system');
});

test.for([
  ['light', 'light'],
  ['dark', 'dark'],
  ['system', 'system'],
  ['Dark', 'system'],
  ['"dark"', 'system'],
  ['', 'system'],
  [null, 'system'],
] as const)('With %s stored the mode is %s', ([stored, mode]) => {
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'theme-mode' ? stored : null) });
  expect(readThemeMode()).toBe(mode);
});

test('Where storage is closed to the page the mode is system', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new DOMException('denied', 'SecurityError');
    },
  });
  expect(readThemeMode()).toBe('system');
});
