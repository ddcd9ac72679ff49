/** Recognises addresses of private networks, and connects only to public ones. */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Networks that IANA lists as not globally reachable or as reserved for network services
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, iana-ipv6-special-registry, ipv6-address-space).
 */
const PRIVATE = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, prefix, family] of [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  // Only 2000::/3 is assigned to the public internet. Other ranges are private or local, or embed IPv4 addresses, which
  // may be private. Examples are ::/96, ::ffff:0:0/96, 64:ff9b::/96 and 64:ff9b:1::/48.
  ['::', 3, 'ipv6'],
  ['4000::', 2, 'ipv6'],
  ['8000::', 1, 'ipv6'],
  // Special ranges within 2000::/3: Teredo, benchmarking, ORCHID and others. 6to4 embeds an IPv4 address.
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
] as const) {
  PRIVATE[family].addSubnet(network, prefix, family);
}

export class PrivateAddressError extends Error {}

/**
 * Resolves the name for the connection itself, so that a second lookup cannot return another address (DNS rebinding).
 */
export const lookUpPublic: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }).then(
    (addresses) => {
      const publicAddresses = addresses.filter(({ address }) => !isPrivate(address));
      const [first] = publicAddresses;
      if (!first) done(new PrivateAddressError('private address'), []);
      else if (options.all) done(null, publicAddresses);
      else done(null, first.address, first.family);
    },
    (error: NodeJS.ErrnoException) => done(error, []),
  );
};

export function isPrivate(address: string): boolean {
  // One list per family, because ::/3 would match every IPv4 address in a shared list.
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return PRIVATE[family].check(address, family);
}
