/** DKIM (RFC 6376) keys. Selectors cannot be listed, so only common selectors are looked up. */
import { createPublicKey } from 'node:crypto';
import type { DomainFinding } from '../../app/site/domain-check/domain-check-result.ts';
import { readTags } from './dmarc.ts';
import type { DnsReader } from './dns-reader.ts';

/** Default selectors of large mail services. */
const SELECTORS = ['google', 'selector1', 'selector2', 'default', 'k1', 's1', 's2', 'mail', 'dkim'];

/** Selector that no service uses. A record found here comes from a wildcard. */
const UNUSED_SELECTOR = 'no-such-key-here';

/** Shortest RSA key that receivers accept (RFC 8301, section 3.2). */
const MIN_RSA_BITS = 1024;

type KeyState = 'valid' | 'withdrawn' | 'broken' | 'short' | 'test';

interface Key {
  selector: string;
  record: string;
  state: KeyState;
}

export async function checkDkim(dns: DnsReader, domain: string): Promise<DomainFinding> {
  const readAt = async (selector: string) => (await dns.readTexts(`${selector}._domainkey.${domain}`)) ?? [];
  const [wildcards = [], ...texts] = await Promise.all([UNUSED_SELECTOR, ...SELECTORS].map(readAt));
  const keys = SELECTORS.flatMap((selector, index): Key[] => {
    const record = texts[index]?.find((text) => isKey(text) && !wildcards.includes(text));
    return record === undefined ? [] : [{ selector, record, state: getKeyState(record) }];
  });
  const keysInState = (state: KeyState) => keys.filter((key) => key.state === state);
  const faulty = [...keysInState('broken'), ...keysInState('short'), ...keysInState('test')];
  const [first] = faulty;
  if (first)
    return finding(
      'needs-change',
      `The DKIM key under the name ${first.selector} ${FAULTS[first.state]}`,
      first.record,
    );
  const validKeys = keysInState('valid');
  if (validKeys.length > 0) {
    return finding(
      'good',
      `The domain has a DKIM key under the name ${formatNames(validKeys)}: check that every service you send with signs with a key of ${domain}.`,
      validKeys.length === 1 ? (validKeys[0]?.record ?? null) : null,
    );
  }
  if (keys.length > 0)
    return finding('needs-change', `The DKIM key under the name ${formatNames(keys)} ${FAULTS.withdrawn}`, null);
  return finding(
    'unknown',
    `No DKIM key was found under the usual names (${SELECTORS.join(', ')}). Other names cannot be looked up. If your mail service shows no key under another name, turn on DKIM signing there and publish the key.`,
    null,
  );
}

const FAULTS: Record<KeyState, string> = {
  valid: '',
  withdrawn: 'is withdrawn (empty p=): publish the key that your mail service signs with now.',
  broken:
    'cannot be read, so every signature with it fails: copy it again from your mail service, without line breaks.',
  short: `is shorter than ${MIN_RSA_BITS} bits, so receivers ignore it: create a longer one in your mail service.`,
  test: 'is in test mode (t=y), so receivers may ignore it: remove t=y.',
};

function formatNames(keys: readonly Key[]): string {
  return keys.map(({ selector }) => selector).join(', ');
}

/** Checks whether a record is a DKIM key. DMARC records also contain p=. */
function isKey(text: string): boolean {
  const tags = readTags(text);
  return tags.has('p') && /^DKIM1$|^$/i.test(tags.get('v') ?? '');
}

function getKeyState(record: string): KeyState {
  const tags = readTags(record);
  const key = (tags.get('p') ?? '').replaceAll(/\s+/g, '');
  if (key === '') return 'withdrawn';
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(key)) return 'broken';
  const bytes = Buffer.from(key, 'base64');
  if (tags.get('k')?.toLowerCase() === 'ed25519') {
    if (bytes.length !== 32) return 'broken';
  } else {
    const bits = rsaBits(bytes);
    if (bits === null) return 'broken';
    if (bits < MIN_RSA_BITS) return 'short';
  }
  return (tags.get('t') ?? '').toLowerCase().split(':').includes('y') ? 'test' : 'valid';
}

/** Returns the size of an RSA key in bits, or null for other keys. Some services publish a bare PKCS #1 key. */
function rsaBits(key: Buffer): number | null {
  for (const type of ['spki', 'pkcs1'] as const) {
    try {
      return createPublicKey({ key, format: 'der', type }).asymmetricKeyDetails?.modulusLength ?? null;
    } catch {
      // Try the next format. A key with neither format is not an RSA key.
    }
  }
  return null;
}

function finding(state: DomainFinding['state'], message: string, record: string | null): DomainFinding {
  return { name: 'DKIM', state, message, record };
}
