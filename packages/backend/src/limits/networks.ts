/** Networks for rate limits. One customer may own an IPv6 /48 or an IPv4 /24. */
import { isIP, isIPv4 } from 'node:net';
import type { QueuePath } from './fair-queue.ts';

/** Returns the rate limit key of an address: an IPv4 address itself, or the /64 of an IPv6 address. */
export function addressKey(address: string): string {
  return networkKeys(address)[0];
}

/** Returns the networks of an address, narrowest first: an IPv4 address itself, or the /64 and /48 of IPv6. */
export function networkKeys(address: string): [narrow: string, wide?: string] {
  if (isIP(address) !== 6) return [address || 'unknown'];
  const [head = '', tail = ''] = address.split('::');
  const before = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const zeros = address.includes('::') ? Math.max(0, 8 - before.length - after.length) : 0;
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after].map((group) =>
    group.toLowerCase().replace(/^0+(?=.)/, ''),
  );
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`];
}

/**
 * Returns the queue groups of an address: an IPv4 address in its /24, an IPv6 /64 in its /48.
 * @param address '' if unknown. Unknown addresses share one group
 */
export function networkPath(address: string): QueuePath {
  if (isIPv4(address)) return [`${address.slice(0, address.lastIndexOf('.'))}.0/24`, address];
  const [narrow, wide] = networkKeys(address);
  return wide === undefined ? [narrow] : [wide, narrow];
}
