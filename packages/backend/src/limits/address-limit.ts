/** Rate limit per network address, for all unauthenticated work. */
import { hash, randomBytes } from 'node:crypto';
import { createLruMap } from './lru-map.ts';
import { networkPath } from './networks.ts';

/** Maximum number of networks in memory. The least recently used one is evicted. */
const MAX_NETWORKS = 20_000;

/** Limit of a /24 or /48, as a multiple of the limit of each address or /64 in it. */
const WIDE_NETWORK_FACTOR = 8;

export interface AddressLimitOptions {
  /** Attempts per window, for an IPv4 address or an IPv6 /64. */
  attempts: number;
  /** Length of a window in seconds. It starts with the first attempt. */
  seconds: number;
  now?: () => number;
}

/**
 * Creates a function that counts an attempt from an address. It returns 0 if the attempt is accepted, and otherwise the
 * seconds to wait. An attacker may own a whole /24 or /48, so attempts are also counted per network. The limit of a
 * network is higher, because its addresses may belong to several people. Networks are stored as hashes, salted per
 * process.
 */
export function createAddressLimit({
  attempts,
  seconds,
  now = () => performance.now(),
}: AddressLimitOptions): (address: string) => number {
  const salt = randomBytes(16).toString('hex');
  const windows = createLruMap<{ count: number; endsAt: number }>(MAX_NETWORKS);

  /** @returns milliseconds to wait */
  function count(network: string, limit: number): number {
    const key = hash('sha256', salt + network, 'base64url');
    const time = now();
    const previous = windows.get(key);
    const current = previous && previous.endsAt > time ? previous : { count: 0, endsAt: time + seconds * 1000 };
    current.count += 1;
    windows.set(key, current);
    return current.count > limit ? current.endsAt - time : 0;
  }

  return (address) => {
    const path = networkPath(address);
    // Attempts above the limit of an address do not count for its network. Otherwise one client could use up the limit
    // of its neighbours.
    for (const [index, network] of path.toReversed().entries()) {
      const wait = count(network, index === 0 ? attempts : attempts * WIDE_NETWORK_FACTOR);
      if (wait > 0) return Math.max(1, Math.ceil(wait / 1000));
    }
    return 0;
  };
}
