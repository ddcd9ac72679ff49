/** Limits how often an address may do something, for every lane in which strangers ask for work. */
import { hash, randomBytes } from 'node:crypto';
import { createLruMap } from './lru-map.ts';
import { networkPath } from './networks.ts';

/** Networks remembered; the one that was quiet longest is forgotten for a new one. */
const MAX_NETWORKS = 20_000;

/** Allowance of a /24 and of a /48, in multiples of that of each address or /64 in it. */
const WIDE_NETWORK_FACTOR = 8;

export interface AddressLimitOptions {
  /** Attempts allowed in each window, for one IPv4 address or one /64 of IPv6. */
  attempts: number;
  /** Length of a window, in seconds; it begins with the first attempt. */
  seconds: number;
  now?: () => number;
}

/**
 * Counts an attempt of an address, and answers after how many seconds the next one counts, 0 when this one does. One
 * customer may own a whole /24 or /48, so these are counted as well, with room for some neighbours. Kept in the memory
 * of this process alone, in bounded number, as hashes with a salt that ends with it.
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
    // Only what the narrow network had left counts for the wide one, so that one flooder does not use up the share of
    // all.
    for (const [index, network] of path.toReversed().entries()) {
      const wait = count(network, index === 0 ? attempts : attempts * WIDE_NETWORK_FACTOR);
      if (wait > 0) return Math.max(1, Math.ceil(wait / 1000));
    }
    return 0;
  };
}
