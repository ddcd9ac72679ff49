import { afterEach, beforeEach, expect, vi } from 'vitest';

beforeEach(() => {
  vi.spyOn(console, 'error');
});

/** Fails a test with an error on the console. A test that expects one must assert it and then mockClear() the spy. */
afterEach(() => {
  expect(vi.mocked(console.error).mock.calls).toEqual([]);
});
