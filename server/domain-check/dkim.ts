/** DKIM (RFC 6376): keys with which mail of a domain is signed. Their names are free, so only the usual ones can be asked. */
import type { DomainFinding } from '../../app/data/domain-check/answer.ts';
import { readTags } from './dmarc.ts';
import type { DnsReader } from './dns-reader.ts';

/** Selectors that large mail services give by default. */
const SELECTORS = ['google', 'selector1', 'selector2', 'default', 'k1', 's1', 's2', 'mail', 'dkim'];

export async function checkDkim(dns: DnsReader, domain: string): Promise<DomainFinding> {
  const read = await Promise.all(
    SELECTORS.map(async (selector) => ({ selector, record: await readKey(dns, `${selector}._domainkey.${domain}`) })),
  );
  const keys = read.filter(({ record }) => record !== null);
  const valid = keys.filter(({ record }) => readTags(record ?? '').get('p'));
  const [first] = valid;
  if (first) {
    const names = valid.map(({ selector }) => selector).join(', ');
    return {
      name: 'DKIM',
      state: 'good',
      sentence: `There is a DKIM key under the name ${names}: check that every service you send with signs with a key of ${domain}.`,
      record: valid.length === 1 ? first.record : null,
    };
  }
  return {
    name: 'DKIM',
    state: 'weak',
    sentence:
      keys.length > 0
        ? `The DKIM key under the name ${keys.map(({ selector }) => selector).join(', ')} is withdrawn (empty p=): publish the one that your mail service signs with now.`
        : `There is no DKIM key under the usual names (${SELECTORS.join(', ')}): if your mail service shows none under another name, switch signing on there and publish the key.`,
    record: null,
  };
}

async function readKey(dns: DnsReader, name: string): Promise<string | null> {
  return (await dns.readTexts(name))?.find((text) => readTags(text).has('p')) ?? null;
}
