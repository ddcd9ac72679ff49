import { expect, test } from 'vitest';
import { createAddressLimit } from './address-limit.ts';

function createLimit(attempts = 2) {
  let now = 0;
  const consume = createAddressLimit({ attempts, seconds: 60, now: () => now });
  return {
    consume,
    advance: (seconds: number) => {
      now += seconds * 1000;
    },
    countAccepted: (addresses: string[]) => addresses.filter((address) => consume(address) === 0).length,
  };
}

const addresses = (count: number, format: (n: number) => string) => Array.from({ length: count }, (_, n) => format(n));

test('An address is limited until the end of its window', () => {
  const { consume, advance } = createLimit();
  expect([consume('192.0.2.1'), consume('192.0.2.1'), consume('192.0.2.1')]).toEqual([0, 0, 60]);
  advance(59.5);
  expect(consume('192.0.2.1')).toBe(1);
  expect(consume('192.0.2.2')).toBe(0);
  advance(0.5);
  expect(consume('192.0.2.1')).toBe(0);
});

test('A /24 or /48 network has eight times the limit of one address or /64, and other networks are not affected', () => {
  const { consume, countAccepted } = createLimit();
  expect(countAccepted(addresses(256, (n) => `192.0.2.${n}`))).toBe(16);
  expect(consume('192.0.3.1')).toBe(0);
  expect(countAccepted(addresses(256, (n) => `2001:db8:1:${n}::1`))).toBe(16);
  expect(consume('2001:db8:2:1::1')).toBe(0);
  expect(countAccepted(addresses(9, (n) => `2001:db8:3:1::${n}`))).toBe(2);
});

test('A flood from one address does not use up the limit of its network', () => {
  const { consume, countAccepted } = createLimit();
  expect(countAccepted(Array<string>(1000).fill('2001:db8:1:1::3'))).toBe(2);
  expect(consume('2001:db8:1:2::1')).toBe(0);
});

test('Unknown addresses share one limit', () => {
  const { countAccepted } = createLimit();
  expect(countAccepted(['', '', ''])).toBe(2);
});
