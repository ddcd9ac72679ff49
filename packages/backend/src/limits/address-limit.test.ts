import { expect, test } from 'vitest';
import { createAddressLimit } from './address-limit.ts';

function limit(attempts = 2) {
  let now = 0;
  const take = createAddressLimit({ attempts, seconds: 60, now: () => now });
  return {
    take,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
    /** Counts the accepted addresses. */
    allowed: (addresses: string[]) => addresses.filter((address) => take(address) === 0).length,
  };
}

const addresses = (count: number, write: (n: number) => string) => Array.from({ length: count }, (_, n) => write(n));

test('An address is limited until the end of its window', () => {
  const { take, pass } = limit();
  expect([take('192.0.2.1'), take('192.0.2.1'), take('192.0.2.1')]).toEqual([0, 0, 60]);
  pass(59.5);
  expect(take('192.0.2.1')).toBe(1);
  expect(take('192.0.2.2')).toBe(0);
  pass(0.5);
  expect(take('192.0.2.1')).toBe(0);
});

test('A /24 and a /48 have eight times the limit of one address or /64, and others are not affected', () => {
  const { take, allowed } = limit();
  expect(allowed(addresses(256, (n) => `192.0.2.${n}`))).toBe(16);
  expect(take('192.0.3.1')).toBe(0);
  expect(allowed(addresses(256, (n) => `2001:db8:1:${n}::1`))).toBe(16);
  expect(take('2001:db8:2:1::1')).toBe(0);
  expect(allowed(addresses(9, (n) => `2001:db8:3:1::${n}`))).toBe(2);
});

test('A flood from one address does not use up the limit of its network', () => {
  const { take, allowed } = limit();
  expect(allowed(Array<string>(1000).fill('2001:db8:1:1::3'))).toBe(2);
  expect(take('2001:db8:1:2::1')).toBe(0);
});

test('Unknown addresses share one limit', () => {
  const { allowed } = limit();
  expect(allowed(['', '', ''])).toBe(2);
});
