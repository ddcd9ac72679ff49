/** Rate limit per network address, for all unauthenticated work. */
import { hash, randomBytes } from 'node:crypto';
import { createLruMap } from './lru-map.ts';
import { networkPath } from './networks.ts';

/** Networks in memory. The least recently used one is evicted. */
const MAX_NETWORKS = 20_000;

/** Limit of a /24 and of a /48, as a multiple of that of each address or /64 in it. */
const WIDE_NETWORK_FACTOR = 8;

export interface AddressLimitOptions {
  /** Attempts per window, for an IPv4 address or an IPv6 /64. */
  attempts: number;
  /** Length of a window in seconds. It starts with the first attempt. */
  seconds: number;
  now?: () => number;
}

/**
 * Counts an attempt of an address, and returns the seconds until the next one is accepted, 0 if this one is accepted.
 * One customer may own a whole /24 or /48, so these are counted as well, with a higher limit for neighbours. Stored in
 * memory, in bounded number, as hashes with a salt of this process.
 */
export function createAddressLimit({
  attempts,
  seconds,
  now = () => performance.now(),
}: AddressLimitOptions): (address: string) => number {
  const salt = randomBytes(16).toString('hex');
  const windows = createLruMap<{ count: number; endsAt: number }>(MAX_NETWORKS);

  /** @returns milliseconds to wait */
  function count(network: string, allowed: number): number {
    const key = hash('sha256', salt + network, 'base64url');
    const at = now();
    const known = windows.get(key);
    const current = known && known.endsAt > at ? known : { count: 0, endsAt: at + seconds * 1000 };
    current.count += 1;
    windows.set(key, current);
    return current.count > allowed ? current.endsAt - at : 0;
  }

  return (address) => {
    const path = networkPath(address);
    // Only accepted attempts of the narrow network count for the wide one, so that one flooder does not use up the
    // limit of all.
    for (const [index, network] of path.toReversed().entries()) {
      const wait = count(network, index === 0 ? attempts : attempts * WIDE_NETWORK_FACTOR);
      if (wait > 0) return Math.max(1, Math.ceil(wait / 1000));
    }
    return 0;
  };
}
