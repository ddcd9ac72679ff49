/**
 * Rate limits per key, such as an address or account. They are counted in memory, so each process counts separately.
 * RATE_LIMITS=off disables every limiter.
 */
import { BlockList, isIP } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { createAddressLimit } from '../limits/address-limit.ts';

export interface RateLimiter {
  /** Counts one attempt. @throws the error from `createError` if the key has no attempts left */
  consume(key: string): Promise<void>;
  /** Resets the key, for example after a successful sign-in. */
  reset(key: string): Promise<void>;
  /** Refunds one attempt. */
  refund(key: string): Promise<void>;
}

export interface RateLimit {
  /** Attempts per window. */
  attempts: number;
  /** Length of a window in seconds. It starts with the first attempt. */
  seconds: number;
  /** Creates the error for an attempt above the limit. Attempts are accepted again after `retryAfterSeconds`. */
  createError: (retryAfterSeconds: number) => Error;
}

export function createRateLimiter(isEnabled: boolean, { attempts, seconds, createError }: RateLimit): RateLimiter {
  const noop = async () => undefined;
  if (!isEnabled) return { consume: noop, reset: noop, refund: noop };
  const limiter = new RateLimiterMemory({ points: attempts, duration: seconds });
  return {
    async consume(key) {
      try {
        await limiter.consume(key);
      } catch (reason) {
        if (!(reason instanceof RateLimiterRes)) throw reason;
        throw createError(Math.max(1, Math.ceil(reason.msBeforeNext / 1000)));
      }
    },
    async reset(key) {
      await limiter.delete(key);
    },
    async refund(key) {
      await limiter.reward(key);
    },
  };
}

export interface AddressLimiter {
  /** Counts one attempt from the address. @throws the error from `createError` if a network has no attempts left */
  consume(address: string): Promise<void>;
}

/** Creates a limit for client addresses and their networks (limits/address-limit.ts). */
export function createAddressLimiter(isEnabled: boolean, { createError, ...limit }: RateLimit): AddressLimiter {
  const secondsToWait = isEnabled ? createAddressLimit(limit) : () => 0;
  return {
    async consume(address) {
      const seconds = secondsToWait(address);
      if (seconds > 0) throw createError(seconds);
    },
  };
}

/** Proxies whose X-Forwarded-For is trusted: loopback, and those in TRUSTED_PROXIES. */
export function trustedProxies(addresses: readonly string[]): BlockList {
  const trustedAddresses = new BlockList();
  trustedAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
  trustedAddresses.addAddress('::1', 'ipv6');
  for (const entry of addresses) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    trustedAddresses.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return trustedAddresses;
}

/**
 * Returns the client address of a request: the address of the socket, or the address that a trusted proxy on the socket
 * added to X-Forwarded-For. Earlier entries were sent by the client and are ignored, unless a trusted proxy added them.
 */
export function clientAddress(headers: Headers, socketAddress: string | undefined, trusted: BlockList): string {
  let address = unmapIpv4(socketAddress ?? '');
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').map((entry) => unmapIpv4(entry.trim()));
  while (isTrusted(address, trusted)) {
    const previous = forwarded.pop();
    if (!previous || !isIP(previous)) break;
    address = previous;
  }
  return address;
}

/** Returns whether an address is a trusted proxy. */
export function isTrusted(address: string, trusted: BlockList): boolean {
  const family = isIP(address);
  return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Returns the IPv4 address of a dual-stack socket (::ffff:192.0.2.1) in its usual notation. */
export function unmapIpv4(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
