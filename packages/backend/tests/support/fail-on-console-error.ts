import { afterEach, beforeEach, expect, vi } from 'vitest';

beforeEach(() => {
  vi.spyOn(console, 'error');
});

/** Fails a test that logged an error. A test that expects an error must assert it and then call mockClear(). */
afterEach(() => {
  expect(vi.mocked(console.error).mock.calls).toEqual([]);
});
