import { expect, test } from 'vitest';
import { KnownHosts } from './known-hosts.ts';

/** Returns a request for a host to a machine at 192.0.2.80, port 3000. */
const requestFor = (host: string) =>
  ({ headers: { host }, socket: { localAddress: '::ffff:192.0.2.80', localPort: 3000 } }) as Parameters<
    KnownHosts['isKnown']
  >[0];

test('A host name is accepted after requests from three networks, even if an attacker invents other names', () => {
  const hosts = new KnownHosts();
  const inventHosts = () => {
    for (let n = 0; n < 5_000; n++) expect(hosts.isKnown(requestFor(`h${n}.example`), '198.51.100.1')).toBe(false);
  };
  expect(hosts.isKnown(requestFor('fjord.example'), '203.0.113.7')).toBe(false);
  inventHosts();
  // Another address of the same network does not count as another network.
  expect(hosts.isKnown(requestFor('fjord.example'), '203.0.113.8')).toBe(false);
  expect(hosts.isKnown(requestFor('Fjord.example'), '192.0.2.1')).toBe(false);
  inventHosts();
  expect(hosts.isKnown(requestFor('fjord.example'), '2001:db8:7::1')).toBe(true);
  inventHosts();
  expect(hosts.isKnown(requestFor('fjord.example'), '198.51.100.1')).toBe(true);
});

test("The machine's own address is accepted from the start", () => {
  const hosts = new KnownHosts();
  for (const host of ['192.0.2.80:3000', '192.0.2.80', 'localhost:3000']) {
    expect([host, hosts.isKnown(requestFor(host), '198.51.100.1')]).toEqual([host, true]);
  }
  for (const host of ['192.0.2.81:3000', '192.0.2.80:3001', 'localhost.example:3000', '']) {
    expect([host, hosts.isKnown(requestFor(host), '198.51.100.1')]).toEqual([host, false]);
  }
});
