import { expect, test, vi } from 'vitest';
import { clientAddress, createMinuteLimit } from './client-address.ts';

const HOSTED = 'https://abcdefgh.supabase.co';

test('On the platform the edge says the address, whatever the visitor sends', () => {
  const headers = new Headers({ 'cf-connecting-ip': '198.51.100.7', 'x-forwarded-for': '203.0.113.9, 198.51.100.7' });
  expect(clientAddress(headers, HOSTED)).toBe('198.51.100.7');
});

test('A forged X-Forwarded-For is no address, there or elsewhere', () => {
  const headers = new Headers({ 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' });
  expect(clientAddress(headers, HOSTED)).toBe('');
  expect(clientAddress(headers, 'http://kong:8000')).toBe('');
});

test('Without the edge its header is the visitor’s own text, too', () => {
  const headers = new Headers({ 'cf-connecting-ip': '203.0.113.9' });
  expect(clientAddress(headers, 'http://kong:8000')).toBe('');
  expect(clientAddress(headers, 'https://supabase.co.example.com')).toBe('');
  expect(clientAddress(headers, '')).toBe('');
});

test('Each address has its turns; those without one share theirs; a new minute begins anew', () => {
  vi.useFakeTimers({ now: 0 });
  const takeTurn = createMinuteLimit({ each: 2, together: 3 });
  const turns = (key: string, count: number) => Array.from({ length: count }, () => takeTurn(key));
  expect(turns('address 198.51.100.7', 3)).toEqual([true, true, false]);
  expect(turns('address 198.51.100.8', 1)).toEqual([true]);
  expect(turns('address ', 4)).toEqual([true, true, true, false]);
  vi.advanceTimersByTime(60_000);
  expect(takeTurn('address ')).toBe(true);
  vi.useRealTimers();
});
