/** Networks for limits: one IPv6 customer may own a /48, one IPv4 customer a /24. */
import { isIP, isIPv4 } from 'node:net';
import type { QueuePath } from './fair-queue.ts';

/** Returns the key of an address for limits: itself, or its /64 for IPv6, the smallest network that a customer gets. */
export function addressKey(address: string): string {
  return networkKeys(address)[0];
}

/** Returns the networks of an address, narrowest first: itself, or for IPv6 its /64 and its /48. */
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
 * @param address '' if it is unknown; unknown addresses share one group
 */
export function networkPath(address: string): QueuePath {
  if (isIPv4(address)) return [`${address.slice(0, address.lastIndexOf('.'))}.0/24`, address];
  const [narrow, wide] = networkKeys(address);
  return wide === undefined ? [narrow] : [wide, narrow];
}
