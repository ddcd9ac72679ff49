import { afterEach, beforeEach, expect, vi } from 'vitest';

beforeEach(() => {
  vi.spyOn(console, 'error');
});

/** A test that expects an error on the console must assert it and then mockClear() the spy. */
afterEach(() => {
  expect(vi.mocked(console.error).mock.calls).toEqual([]);
});
