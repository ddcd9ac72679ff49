import { afterEach, expect, test, vi } from 'vitest';
import { nextThemeMode, readThemeMode } from './theme.ts';

afterEach(() => vi.unstubAllGlobals());

test('The toggle cycles through system, light and dark', () => {
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
] as const)('The stored value %s gives the mode %s', ([stored, mode]) => {
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'theme-mode' ? stored : null) });
  expect(readThemeMode()).toBe(mode);
});

test('The mode is system if storage is blocked', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new DOMException('denied', 'SecurityError');
    },
  });
  expect(readThemeMode()).toBe('system');
});
