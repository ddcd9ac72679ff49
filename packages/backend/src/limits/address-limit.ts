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
 * Counts an attempt from an address. Returns 0 if it is accepted, otherwise the seconds until the next one is accepted.
 * One attacker may own a whole /24 or /48, so attempts are also counted per network, with a higher limit because its
 * addresses may belong to several people. A bounded number of networks is kept in memory, as hashes salted per process.
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
    // Only attempts that the narrow network accepts count towards the wide one, so that one client cannot exhaust the
    // limit of its neighbours.
    for (const [index, network] of path.toReversed().entries()) {
      const wait = count(network, index === 0 ? attempts : attempts * WIDE_NETWORK_FACTOR);
      if (wait > 0) return Math.max(1, Math.ceil(wait / 1000));
    }
    return 0;
  };
}
