/** POST /domain-check on the real listener, with a DNS server on loopback as resolver. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DomainCheck, DomainFinding } from '../../app/site/domain-check/domain-check-result.ts';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { createDomainCheck } from '../../server/domain-check/domain-check-endpoint.ts';
import { type DnsRecords, type DnsServer, startDnsServer } from '../support/dns-server.ts';

/** Returns a public key as encoded in DNS records. */
function rsaKey(modulusLength = 1024): string {
  return generateKeyPairSync('rsa', { modulusLength })
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64');
}

const KEY = rsaKey();

let dns: DnsServer;
let server: Server;
let url: string;
let isEnabled: boolean;
const errors: unknown[] = [];

beforeAll(async () => {
  dns = await startDnsServer();
  const config = parseConfig({ RATE_LIMITS: 'off' }, { DNS_SERVERS: dns.address });
  const log = { error: (error: unknown) => void errors.push(error) };
  server = createServer(createDomainCheck({ config, isEnabled: async () => isEnabled, log }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `http://127.0.0.1:${address.port}/domain-check`;
  isEnabled = true;
});
afterEach(() => {
  isEnabled = true;
  dns.zone.clear();
  dns.queriedNames.length = 0;
  expect(errors).toEqual([]);
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await dns.close();
});

function postCheck(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
}

async function readError(domain: string): Promise<string> {
  const response = await postCheck({ domain });
  expect(response.status).toBe(422);
  const { error }: { error: string } = await response.json();
  return error;
}

/** Results are cached for minutes, so each test uses a new domain. */
let domainCount = 0;
function publish(records: (domain: string) => Record<string, DnsRecords>): string {
  domainCount += 1;
  const domain = `agency-${domainCount}.no`;
  dns.zone.set(domain, { mx: [`mx.${domain}`] });
  for (const [name, record] of Object.entries(records(domain))) {
    dns.zone.set(name, { ...dns.zone.get(name), ...record });
  }
  return domain;
}

async function check(domain: string): Promise<DomainCheck> {
  const response = await postCheck({ domain });
  expect(response.status).toBe(200);
  return response.json();
}

async function readFinding(
  name: DomainFinding['name'],
  records: Parameters<typeof publish>[0],
): Promise<DomainFinding> {
  const { findings } = await check(publish(records));
  const finding = findings.find((candidate) => candidate.name === name);
  if (!finding) throw new Error(`No finding for ${name}`);
  return finding;
}

const spf = (record: string, otherRecords: Record<string, DnsRecords> = {}) =>
  readFinding('SPF', (domain) => ({ [domain]: { txt: ['site-verification=1', record] }, ...otherRecords }));

const dmarc = (record: string) => readFinding('DMARC', (domain) => ({ [`_dmarc.${domain}`]: { txt: [record] } }));

test('A domain with three valid records passes, and its result is cached', async () => {
  const domain = publish((name) => ({
    [name]: { txt: ['v=spf1 include:_spf.mailer.com mx -all'] },
    '_spf.mailer.com': { txt: ['v=spf1 ip4:192.0.2.0/24 ~all'] },
    [`google._domainkey.${name}`]: { txt: [`v=DKIM1; k=rsa; p=${KEY}`] },
    [`_dmarc.${name}`]: { txt: [`v=DMARC1; p=reject; rua=mailto:dmarc@${name}`] },
  }));
  const result = await check(domain);
  expect(result).toEqual({
    domain,
    acceptsNoEmail: false,
    findings: [
      {
        name: 'SPF',
        state: 'good',
        message:
          'The SPF record ends in -all and needs 2 of the ten DNS lookups that receivers allow: change it only when you send with another service.',
        record: 'v=spf1 include:_spf.mailer.com mx -all',
      },
      {
        name: 'DKIM',
        state: 'good',
        message: `The domain has a DKIM key under the name google: check that every service you send with signs with a key of ${domain}.`,
        record: `v=DKIM1; k=rsa; p=${KEY}`,
      },
      {
        name: 'DMARC',
        state: 'good',
        message: 'The DMARC policy rejects forged mail: keep reading the reports.',
        record: `v=DMARC1; p=reject; rua=mailto:dmarc@${domain}`,
      },
    ],
  });
  const { length } = dns.queriedNames;
  dns.zone.clear();
  expect(await check(`  https://WWW.${domain.toUpperCase()}/contact?x=1 `)).toEqual(result);
  expect(await check(`mailto:me@${domain}`)).toEqual(result);
  expect(dns.queriedNames).toHaveLength(length);
});

test('A domain without any of the records gets the records to publish', async () => {
  const { findings } = await check(publish(() => ({})));
  expect(findings.map(({ state, record }) => [state, record])).toEqual([
    ['needs-change', null],
    ['unknown', null],
    ['needs-change', null],
  ]);
  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/has no SPF record.*publish one/),
    expect.stringContaining('No DKIM key was found under the usual names (google, selector1, selector2,'),
    expect.stringMatching(/no DMARC policy.*publish “v=DMARC1; p=none/),
  ]);
});

test('A null MX is reported', async () => {
  const domain = publish((name) => ({ [name]: { mx: [''], txt: ['v=spf1 -all'] } }));
  expect(await check(domain)).toMatchObject({ acceptsNoEmail: true, findings: [{ state: 'good' }, {}, {}] });
});

describe('SPF', () => {
  test.each([
    ['v=spf1 a mx ~all', 'good', /ends in ~all and needs 2 of the ten/],
    ['V=SPF1 a MX -ALL', 'good', /ends in -all and needs 2/],
    ['v=spf1 ip4:192.0.2.1 ?all', 'needs-change', /needs 0 of the ten .* does not reject other senders/],
    ['v=spf1 ip4:192.0.2.1', 'needs-change', /does not reject other senders/],
    ['v=spf1 ip4:192.0.2.1 +all', 'needs-change', /ends in \+all, which lets anyone send/],
    ['v=spf1 all', 'needs-change', /\+all/],
    ['v=spf1 ipv4:192.0.2.1 -all', 'needs-change', /contains “ipv4:192\.0\.2\.1”, which is not an SPF term/],
    ['v=spf1 include:gone.mailer.com -all', 'needs-change', /includes “gone\.mailer\.com”, which has no SPF record/],
    ['v=spf1 include:%{i}.mailer.com -all', 'unknown', /depends on each message and could not be checked/],
    [
      'v=spf1 -all include:gone.mailer.com',
      'needs-change',
      /has “include:gone\.mailer\.com” after “-all”, where receivers ignore it/,
    ],
    ['v=spf1 -all exp=why.mailer.com', 'good', /needs 0 of the ten/],
    ['v=spf1 redirect=_spf.mailer.com -all', 'needs-change', /beside “-all”, so receivers ignore it/],
    ['v=spf1 redirect=a.mailer.com redirect=b.mailer.com', 'needs-change', /has two redirects/],
    ['v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 a/24 a:b.no//64 mx:b.no/24//64 -all', 'good', /needs 3 of the ten/],
    ...[
      ...[
        'ip4:mail.x-test.no',
        'ip4:192.168.1',
        'ip4:192.0.2.1-192.0.2.9',
        'ip4:192.0.2.0/33',
        'ip4:2001:db8::1',
        'ip4:',
      ],
      ...[
        'ip6:192.0.2.1',
        'ip6:2001:db8::/129',
        'ip4',
        'include',
        'include:',
        'exists',
        'a:',
        'a/33',
        'mx//129',
        'ptr:',
      ],
      ...['redirect=', 'all:x', 'ip4=192.0.2.1'],
    ].map((term): [string, string, RegExp] => [
      `v=spf1 ${term} -all`,
      'needs-change',
      /value is invalid|is not an SPF term/,
    ]),
    ['v=spf1 ip4:0.0.0.0/0 -all', 'needs-change', /lets almost anyone send/],
    ['v=spf1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all', 'needs-change', /lets almost anyone send/],
    ['v=spf1 ip6:::/0 -all', 'needs-change', /lets almost anyone send/],
    ['v=spf1 -ip4:0.0.0.0/0 ~all', 'good', /ends in ~all/],
    ['spf1 include:_spf.x-test.no -all', 'unknown', /cannot read the SPF record/],
    ['"v=spf1 -all"', 'unknown', /cannot read the SPF record/],
    ['v = spf1 -all', 'unknown', /cannot read the SPF record/],
    ['spf2.0/pra -all', 'needs-change', /has no SPF record/],
    ['v=spf1 exp=why.mailer.com -all', 'good', /needs 0 of the ten/],
    ['v=spf10 -all', 'unknown', /cannot read the SPF record/],
  ])('%s is %s', async (record, state, message) => {
    expect(await spf(record)).toMatchObject({ state, message: expect.stringMatching(message) });
  });

  test('Two records are invalid', async () => {
    const finding = await readFinding('SPF', (domain) => ({ [domain]: { txt: ['v=spf1 -all', 'v=spf1 mx -all'] } }));
    expect(finding).toMatchObject({ state: 'needs-change', message: expect.stringContaining('has 2 SPF records') });
  });

  test('A redirect replaces the final mechanism and counts as a lookup', async () => {
    const finding = await spf('v=spf1 redirect=_spf.mailer.com', { '_spf.mailer.com': { txt: ['v=spf1 a -all'] } });
    expect(finding).toMatchObject({ state: 'good', message: expect.stringContaining('ends in -all and needs 2') });
  });

  test('Ten lookups are allowed, including those of included records, but eleven are not', async () => {
    const included = {
      'a.mailer.com': { txt: ['v=spf1 a a a a ~all'] },
      'b.mailer.com': { txt: ['v=spf1 mx ptr -all'] },
    };
    const withTen = await spf('v=spf1 include:a.mailer.com include:b.mailer.com exists:c.mailer.com a -all', included);
    expect(withTen).toMatchObject({ state: 'good', message: expect.stringContaining('needs 10 of the ten') });
    const withEleven = await spf(
      'v=spf1 include:a.mailer.com include:b.mailer.com exists:c.mailer.com a mx -all',
      included,
    );
    expect(withEleven).toMatchObject({
      state: 'needs-change',
      message: expect.stringContaining('more than the ten DNS lookups'),
    });
  });
});

test('An included name is reported as unchecked if its DNS server does not respond', async () => {
  const finding = await spf('v=spf1 include:silent.mailer.com -all', { 'silent.mailer.com': { isSilent: true } });
  expect(finding).toMatchObject({ state: 'unknown', message: expect.stringContaining('whose DNS did not answer') });
});

describe('DKIM', () => {
  test.each([
    ['p=AAAA', 'needs-change', /cannot be read, so every signature/],
    ['p=not a key!', 'needs-change', /cannot be read/],
    [`k=ed25519; p=${KEY}`, 'needs-change', /cannot be read/],
    [`k=ed25519; p=${Buffer.alloc(32, 7).toString('base64')}`, 'good', /under the name k1/],
    [`v=DKIM1; p=${rsaKey(768)}`, 'needs-change', /shorter than 1024 bits/],
    [`v=DKIM1; t=s:y; p=${KEY}`, 'needs-change', /in test mode/],
    [`v=DKIM1; t=s; p=${KEY}`, 'good', /under the name k1/],
    ['v=DMARC1; p=reject', 'unknown', /No DKIM key was found under the usual names/],
  ])('%.40s is %s', async (record, state, message) => {
    const finding = await readFinding('DKIM', (domain) => ({ [`k1._domainkey.${domain}`]: { txt: [record] } }));
    expect(finding).toMatchObject({ state, message: expect.stringMatching(message) });
  });

  test.each([['v=DMARC1; p=reject; rua=mailto:d@x-test.no'], [`v=DKIM1; p=${KEY}`], ['v=DKIM1; p=']])(
    'A wildcard record is not accepted as a key: %.30s',
    async (record) => {
      const finding = await readFinding('DKIM', (domain) => ({ [`*._domainkey.${domain}`]: { txt: [record] } }));
      expect(finding).toMatchObject({ state: 'unknown', message: expect.stringContaining('No DKIM key') });
    },
  );

  test('A valid key is accepted even if a wildcard record exists', async () => {
    const finding = await readFinding('DKIM', (domain) => ({
      [`*._domainkey.${domain}`]: { txt: ['v=DKIM1; p='] },
      [`google._domainkey.${domain}`]: { txt: [`v=DKIM1; p=${KEY}`] },
    }));
    expect(finding).toMatchObject({ state: 'good', message: expect.stringContaining('under the name google') });
  });

  test('A parked domain needs no key', async () => {
    const finding = await readFinding('DKIM', (domain) => ({
      [domain]: { mx: [''], txt: ['v=spf1 -all'] },
      [`*._domainkey.${domain}`]: { txt: ['v=DKIM1; p='] },
    }));
    expect(finding).toMatchObject({ state: 'good', message: expect.stringContaining('sends no email') });
  });

  test('The finding names all keys except withdrawn ones', async () => {
    const finding = await readFinding('DKIM', (domain) => ({
      [`s1._domainkey.${domain}`]: { txt: [`p=${KEY}`] },
      [`s2._domainkey.${domain}`]: { txt: [`k=rsa; p=${KEY.slice(0, 40)} ${KEY.slice(40)}`] },
      [`k1._domainkey.${domain}`]: { txt: ['v=DKIM1; p='] },
    }));
    expect(finding).toMatchObject({ state: 'good', message: expect.stringContaining('under the name s1, s2:') });
  });

  test('The finding reports that the only key of a domain is withdrawn', async () => {
    const finding = await readFinding('DKIM', (domain) => ({
      [`k1._domainkey.${domain}`]: { txt: ['v=DKIM1; p='] },
      [`mail._domainkey.${domain}`]: { txt: ['something else'] },
    }));
    expect(finding).toMatchObject({ state: 'needs-change', message: expect.stringContaining('name k1 is withdrawn') });
  });
});

describe('DMARC', () => {
  test.each([
    ['v=DMARC1; p=quarantine; rua=mailto:a@b.no', 'good', /sends forged mail to spam/],
    ['v=DMARC1;p=reject', 'needs-change', /rejects forged mail, but the reports are not sent to you/],
    ['v=DMARC1; p=none; rua=mailto:a@b.no', 'needs-change', /only monitors mail \(p=none\): once the reports show/],
    ['v=DMARC1; p=none', 'needs-change', /and the reports are not sent to you/],
    ['v=DMARC1; p=block', 'needs-change', /has no valid p= tag/],
    ['v=DMARC2; p=reject', 'unknown', /cannot read the record/],
    ['v = DMARC1 ; p = reject ; rua = mailto:d@x-test.no', 'good', /rejects forged mail/],
    ['V=DMARC1; P=Reject; rua=mailto:d@x-test.no', 'good', /rejects forged mail/],
    ['"v=DMARC1; p=reject"', 'unknown', /cannot read the record/],
    ['p=reject; rua=mailto:d@x-test.no', 'unknown', /cannot read the record/],
    ['v=dmarc1; p=reject', 'unknown', /cannot read the record/],
    ['v=spf1 -all', 'needs-change', /There is no DMARC policy/],
    ['v=DMARC1; p=reject; pct=10; rua=mailto:a@b.no', 'needs-change', /applies to only 10% of forged mail/],
    ['v=DMARC1; p=reject; pct=100; rua=mailto:a@b.no', 'good', /rejects forged mail/],
    ['v=DMARC1; p=reject; t=y; rua=mailto:a@b.no', 'needs-change', /is in test mode/],
    ['v=DMARC1; p=reject; sp=none; rua=mailto:a@b.no', 'needs-change', /leaves subdomains open \(sp=none\)/],
    ['v=DMARC1; p=quarantine; sp=reject; rua=mailto:a@b.no', 'good', /spam/],
  ])('%s is %s', async (record, state, message) => {
    expect(await dmarc(record)).toMatchObject({ state, message: expect.stringMatching(message) });
  });

  test('A subdomain without a policy inherits the subdomain policy of its organisational domain', async () => {
    const inherited = await readFinding('DMARC', (domain) => ({
      [`mail.eu.${domain}`]: { mx: ['mx'] },
      [`_dmarc.eu.${domain}`]: { txt: ['v=DMARC1; p=reject; rua=mailto:a@b.no'] },
      [`_dmarc.${domain}`]: { txt: ['v=DMARC1; p=reject; sp=none; rua=mailto:a@b.no'] },
      '_dmarc.no': { txt: ['v=DMARC1; p=reject; psd=y; rua=mailto:a@b.no'] },
    }));
    expect(inherited).toMatchObject({ state: 'needs-change', message: expect.stringContaining('sp=none') });
    const domain = `agency-${domainCount}.no`;
    const { findings } = await check(`mail.eu.${domain}`);
    expect(findings[2]).toMatchObject({
      state: 'needs-change',
      message: expect.stringContaining(`The DMARC policy of ${domain}, which also applies here, only monitors mail`),
    });
  });

  test('A policy with psd=n, which marks the organisational domain, ends the search', async () => {
    const domain = publish((name) => ({
      [`mail.eu.${name}`]: { mx: ['mx'] },
      [`_dmarc.eu.${name}`]: { txt: ['v=DMARC1; p=quarantine; psd=n; rua=mailto:a@b.no'] },
      [`_dmarc.${name}`]: { txt: ['v=DMARC1; p=none'] },
    }));
    const { findings } = await check(`mail.eu.${domain}`);
    expect(findings[2]).toMatchObject({ state: 'good', message: expect.stringContaining(`policy of eu.${domain},`) });
  });
});

describe('Domain names', () => {
  test.each([
    ['', /Type the domain/],
    ['192.0.2.1', /IP address/],
    ['http://127.0.0.1:8080/', /IP address/],
    ['0x7f.1', /IP address/],
    ['[::1]', /IP address/],
    ['2001:db8::1', /IP address/],
    ['someone@[192.0.2.1]', /IP address/],
    ['localhost', /Did you mean localhost\.com\?/],
    ['printer.local', /private networks/],
    ['db.internal', /private networks/],
    ['router.home.arpa', /private networks/],
    ['1.0.0.127.in-addr.arpa', /private networks/],
    ['hidden.onion', /private networks/],
    ['a b.com', /not a domain/],
    ['-.com', /not a domain/],
    ['a..com', /not a domain/],
    [`${'a'.repeat(64)}.com`, /not a domain/],
    [`${'a.'.repeat(120)}com`, /not a domain/],
    ['a\0b.com', /not a domain/],
    ['a.1', /IP address|not a domain|private networks/],
  ])('%j is rejected without a DNS query', async (domain, message) => {
    expect(await readError(domain)).toMatch(message);
    expect(dns.queriedNames).toEqual([]);
  });

  test('A domain that does not exist is reported as missing', async () => {
    expect(await readError('no-such-agency.no')).toBe(
      'The domain no-such-agency.no does not exist. Please check the spelling.',
    );
  });

  test('blåbær.no is looked up in its ASCII form', async () => {
    dns.zone.set('xn--blbr-roah.no', { mx: ['mx'] });
    expect(await check('post@blåbær.no')).toMatchObject({ domain: 'xn--blbr-roah.no' });
  });
});

test('The check is unavailable while the setting is off, and for requests from other sites', async () => {
  const domain = publish(() => ({}));
  isEnabled = false;
  const response = await postCheck({ domain });
  expect([response.status, await response.json()]).toEqual([404, { error: 'The domain check is not available.' }]);
  isEnabled = true;
  expect((await postCheck({ domain }, { 'sec-fetch-site': 'cross-site' })).status).toBe(404);
  expect(dns.queriedNames).toEqual([]);
  expect((await postCheck({ domain }, { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
});

test.each(['', '{', '[]', '{"domain": 1}', JSON.stringify({ domain: 'a'.repeat(3000) })])(
  'An invalid body is rejected: %.20s',
  async (body) => {
    const response = await postCheck(body);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'Send a domain as {"domain": "example.com"}.' },
    ]);
  },
);
