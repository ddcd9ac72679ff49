import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { networkKeys } from '../backend/fairness/networks.ts';

/** Networks remembered; the one that was quiet longest is forgotten for a new one. */
const MAX_NETWORKS = 20_000;

/**
 * Whether the address may do once more this minute what is counted. Kept in memory alone, as hashes with a salt that ends with
 * the process, and in bounded number: the limiters of the API have a timer for every address.
 */
export function createAddressLimit(perMinute: number): (address: string) => boolean {
  const salt = randomBytes(16).toString('hex');
  const counts = new LRUCache<string, { count: number }>({ max: MAX_NETWORKS, ttl: 60_000 });
  return (address) => {
    const [network] = networkKeys(address);
    const key = hash('sha256', salt + network, 'base64url');
    const seen = counts.get(key);
    if (!seen) counts.set(key, { count: 1 });
    else seen.count += 1;
    return (seen?.count ?? 1) <= perMinute;
  };
}
