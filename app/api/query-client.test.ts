import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { createQueryClient, retryDelay, shouldRetry } from './query-client.ts';

test('Query results stay fresh for five minutes', () => {
  const client = createQueryClient();
  expect(client).toBeInstanceOf(QueryClient);
  expect(client.getDefaultOptions().queries?.staleTime).toBe(300_000);
});

test('Retries a failed query up to three times, unless the backend rejected it', () => {
  expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, new Error('network')))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(shouldRetry(0, { code: '42501' })).toBe(false);
  expect(shouldRetry(0, { code: 'PGRST205' })).toBe(false);
  expect(shouldRetry(0, Object.assign(new Error('There is no such booking.'), { code: 'PT404' }))).toBe(false);
  expect(shouldRetry(0, { code: '57014' })).toBe(true);
});

test('The retry delay doubles up to 30 seconds', () => {
  expect([0, 1, 2, 3, 4, 5, 9].map(retryDelay)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});
