/**
 * Abuse of the domain check, with rate limits enabled. Tests excessive checks, and lookups of domains that attackers
 * control.
 */
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DomainCheck } from '../../app/site/domain-check/domain-check-result.ts';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { createDomainCheck } from '../../server/domain-check/domain-check-endpoint.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';

let dns: DnsServer;
let server: Server;
let url: string;

beforeEach(async () => {
  dns = await startDnsServer();
  const config = parseConfig({}, { DNS_SERVERS: dns.address });
  const log = { error: expect.unreachable };
  server = createServer(createDomainCheck({ config, isEnabled: async () => true, log }));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `http://127.0.0.1:${address.port}/domain-check`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await dns.close();
});

const OTHER_NETWORK = '203.0.113.7';

function checkDomain(domain: string, from: string): Promise<Response> {
  const headers = { 'x-forwarded-for': from };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify({ domain }) });
}

async function countStatuses(requests: Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const response of await Promise.all(requests)) {
    await response.arrayBuffer();
    counts[response.status] = (counts[response.status] ?? 0) + 1;
  }
  return counts;
}

function publish(domain: string, spf: string): void {
  dns.zone.set(domain, { mx: [`mx.${domain}`], txt: [spf] });
}

async function readSpfMessage(domain: string, from: string): Promise<string | undefined> {
  const response = await checkDomain(domain, from);
  expect(response.status).toBe(200);
  const { findings }: DomainCheck = await response.json();
  return findings[0]?.message;
}

test('An IP address can run ten checks a minute, its /24 network eighty, and other networks are not affected', async () => {
  publish('agency.no', 'v=spf1 -all');
  const sameAddress = Array.from({ length: 30 }, () => checkDomain('agency.no', '192.0.2.1'));
  expect(await countStatuses(sameAddress)).toEqual({ 200: 10, 429: 20 });
  const response = await checkDomain('agency.no', '192.0.2.1');
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await response.json()).toEqual({ error: 'Too many requests. Try again in a minute.' });

  const neighbours = Array.from({ length: 200 }, (_, n) => checkDomain('agency.no', `192.0.2.${2 + (n % 20)}`));
  expect(await countStatuses(neighbours)).toEqual({ 200: 70, 429: 130 });
  expect(await countStatuses([checkDomain('agency.no', OTHER_NETWORK)])).toEqual({ 200: 1 });
});

test('A flood of domains without a response is rejected, and another visitor is served next', async () => {
  publish('agency.no', 'v=spf1 -all');
  let completed = 0;
  const flood = Array.from({ length: 160 }, (_, n) => {
    const domain = `silent-${n}.com`;
    dns.zone.set(domain, { isSilent: true });
    return checkDomain(domain, `198.51.${n % 16}.1`).finally(() => {
      completed += 1;
    });
  });
  const first = await Promise.race(flood);
  expect([first.status, await first.clone().json()]).toEqual([
    503,
    { error: 'Many domains are being checked right now. Please try again in a moment.' },
  ]);
  expect(await readSpfMessage('agency.no', OTHER_NETWORK)).toContain('ends in -all');
  // 16 are running and 100 are queued.
  expect(completed).toBeLessThan(100);
  expect(await countStatuses(flood)).toEqual({ 503: 160 });
});

test('No record causes a lookup of private network names', async () => {
  for (const target of ['db.internal', 'printer.local', 'localhost', '1.0.0.127.in-addr.arpa', '127.0.0.1', 'vault']) {
    dns.zone.set(target, { txt: ['v=spf1 -all secret=1'] });
    for (const term of [`include:${target}`, `redirect=${target}`]) {
      const domain = `leads-${dns.zone.size}.com`;
      publish(domain, `v=spf1 ${term}`);
      expect(await readSpfMessage(domain, `10.1.${dns.zone.size}.1`)).toContain('which has no SPF record');
    }
    expect(dns.queriedNames).not.toContain(target);
  }
  publish('agency.no', 'v=spf1 include:_spf.mailer.com ~all');
  publish('_spf.mailer.com', 'v=spf1 -all');
  expect(await readSpfMessage('agency.no', OTHER_NETWORK)).toContain('needs 1 of the ten');
  expect(dns.queriedNames).toContain('_spf.mailer.com');
});

test('Records that include each other, or a hundred others, cause at most eleven lookups', async () => {
  publish('loop.com', 'v=spf1 include:loop.com -all');
  publish('fan.com', `v=spf1 ${Array.from({ length: 100 }, (_, n) => `include:fan-${n}.com`).join(' ')} -all`);
  for (let n = 0; n < 100; n++) publish(`fan-${n}.com`, 'v=spf1 -all');
  for (const domain of ['loop.com', 'fan.com']) {
    dns.queriedNames.length = 0;
    expect(await readSpfMessage(domain, '192.0.2.1')).toContain('more than the ten DNS lookups');
    expect(dns.queriedNames.filter((name) => /^(loop|fan)/.test(name)).length).toBeLessThanOrEqual(12);
    expect(dns.queriedNames.length).toBeLessThanOrEqual(30);
  }
});

test('A name with a hundred labels causes lookups of its own policy and seven parent policies', async () => {
  const domain = `${'a.'.repeat(100)}com`;
  publish(domain, 'v=spf1 -all');
  expect((await checkDomain(domain, '192.0.2.1')).status).toBe(200);
  expect(dns.queriedNames.filter((name) => name.startsWith('_dmarc.'))).toHaveLength(8);
});
