import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addressKey, networkKeys } from '../limits/networks.ts';
import { clientAddress, createAddressLimiter, createRateLimiter, trustedProxies } from './rate-limit.ts';

// The clock is frozen, so that the remaining time is the same on every machine.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

const local = trustedProxies([]);
const custom = trustedProxies(['10.0.0.0/8', '2001:db8::7']);

describe('The address of a client', () => {
  test.each([
    ['an untrusted client cannot choose its address', '203.0.113.7', '198.51.100.1', local, '203.0.113.7'],
    ['a proxy on this machine is trusted', '127.0.0.1', '198.51.100.1', local, '198.51.100.1'],
    ['an IPv4 address of a dual-stack socket is recognised', '::ffff:127.0.0.1', '198.51.100.1', local, '198.51.100.1'],
    [
      'entries that the client added before the proxy are ignored',
      '127.0.0.1',
      '1.2.3.4, 198.51.100.1',
      local,
      '198.51.100.1',
    ],
    ['a chain of trusted proxies is followed', '127.0.0.1', '1.2.3.4, 198.51.100.1, 10.1.2.3', custom, '198.51.100.1'],
    ['a private address is not trusted by default', '10.1.2.3', '198.51.100.1', local, '10.1.2.3'],
    ['a configured IPv6 proxy is trusted', '2001:db8::7', '2001:db8:1::1', custom, '2001:db8:1::1'],
    ['an invalid entry is ignored', '127.0.0.1', 'unknown', local, '127.0.0.1'],
    ['without a proxy, the socket address is used', '127.0.0.1', '', local, '127.0.0.1'],
    ['an unknown socket stays unknown', undefined, '198.51.100.1', local, ''],
  ])('%s', (_title, socket, forwarded, trustedAddresses, expected) => {
    const headers = new Headers(forwarded ? { 'x-forwarded-for': forwarded } : {});
    expect(clientAddress(headers, socket, trustedAddresses)).toBe(expected);
  });

  test.each([
    ['198.51.100.1', '198.51.100.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0001:0002::7', '2001:db8:1:2::/64'],
    ['', 'unknown'],
  ])('The address %j is counted as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  test('An IPv6 address is also counted for its /48', () => {
    expect(networkKeys('2001:db8:1:2:3:4:5:6')).toEqual(['2001:db8:1:2::/64', '2001:db8:1::/48']);
    expect(networkKeys('2001:db8::1')).toEqual(['2001:db8:0:0::/64', '2001:db8:0::/48']);
    expect(networkKeys('198.51.100.1')).toEqual(['198.51.100.1']);
  });
});

test('A limiter rejects attempts above the limit per key, and can be reset', async () => {
  const createError = (seconds: number) => new Error(`wait ${seconds}`);
  const limiter = createRateLimiter(true, { attempts: 2, seconds: 60, createError });
  await limiter.consume('a');
  await limiter.consume('a');
  await expect(limiter.consume('a')).rejects.toThrow('wait 60');
  await limiter.consume('b');
  await limiter.reset('a');
  await limiter.consume('a');
});

test('A refunded attempt can be made again', async () => {
  const limiter = createRateLimiter(true, { attempts: 1, seconds: 60, createError: () => new Error('wait') });
  await limiter.consume('a');
  await limiter.refund('a');
  await limiter.consume('a');
  await expect(limiter.consume('a')).rejects.toThrow('wait');
});

test('A disabled limiter accepts every attempt', async () => {
  const limiter = createRateLimiter(false, { attempts: 1, seconds: 60, createError: () => new Error('no') });
  await Promise.all([limiter.consume('a'), limiter.consume('a'), limiter.consume('a')]);
});

test('An address limit has its own rejection message, and accepts every attempt if it is disabled', async () => {
  const limit = { attempts: 1, seconds: 60, createError: (seconds: number) => new Error(`wait ${seconds}`) };
  const limiter = createAddressLimiter(true, limit);
  await limiter.consume('192.0.2.1');
  await expect(limiter.consume('192.0.2.1')).rejects.toThrow('wait 60');
  const disabledLimiter = createAddressLimiter(false, limit);
  await Promise.all([disabledLimiter.consume('192.0.2.1'), disabledLimiter.consume('192.0.2.1')]);
});
