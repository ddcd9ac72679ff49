import { expect, test, vi } from 'vitest';
import { clientAddress, createRateLimit } from './client-address.ts';

const HOSTED = 'https://abcdefgh.supabase.co';

test('On the platform, the address comes from the edge and not from the visitor', () => {
  const headers = new Headers({ 'cf-connecting-ip': '198.51.100.7', 'x-forwarded-for': '203.0.113.9, 198.51.100.7' });
  expect(clientAddress(headers, HOSTED)).toBe('198.51.100.7');
});

test('A forged X-Forwarded-For header is ignored', () => {
  const headers = new Headers({ 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' });
  expect(clientAddress(headers, HOSTED)).toBe('');
  expect(clientAddress(headers, 'http://kong:8000')).toBe('');
});

test("Without the platform's edge, CF-Connecting-IP is ignored", () => {
  const headers = new Headers({ 'cf-connecting-ip': '203.0.113.9' });
  expect(clientAddress(headers, 'http://kong:8000')).toBe('');
  expect(clientAddress(headers, 'https://supabase.co.example.com')).toBe('');
  expect(clientAddress(headers, '')).toBe('');
});

test('Each address has its own limit, all unknown addresses share one limit, and limits reset every minute', () => {
  vi.useFakeTimers({ now: 0 });
  const consumeRateLimit = createRateLimit({ perAddress: 2, unknownAddresses: 3 });
  const turns = (key: string, count: number) => Array.from({ length: count }, () => consumeRateLimit(key));
  expect(turns('address 198.51.100.7', 3)).toEqual([true, true, false]);
  expect(turns('address 198.51.100.8', 1)).toEqual([true]);
  expect(turns('address ', 4)).toEqual([true, true, true, false]);
  vi.advanceTimersByTime(60_000);
  expect(consumeRateLimit('address ')).toBe(true);
  vi.useRealTimers();
});
