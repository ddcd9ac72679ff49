/** DMARC policy: how receivers treat mail that fails authentication. */
import type { DomainFinding } from '../../app/site/domain-check/domain-check-result.ts';
import type { DnsReader } from './dns-reader.ts';

/**
 * Record that receivers accept. The version must be in capitals. The rest may be in any case and contain spaces (RFC
 * 7489, section 6.4).
 */
const VALID_VERSION = /^[vV]\s{0,20}=\s{0,20}DMARC1\s{0,20}(?:;|$)/;

/** Text that was probably meant to be a DMARC record. */
const RESEMBLES_DMARC = /dmarc|^["'\s]{0,10}s?p\s{0,10}=/i;

/** Maximum number of parent domains to query, as in the tree walk of DMARCbis. */
const MAX_PARENTS = 7;

interface Policy {
  /** Domain of the record. */
  domain: string;
  record: string;
  tags: Map<string, string>;
}

export async function checkDmarc(dns: DnsReader, domain: string): Promise<DomainFinding> {
  const ownPolicy = await readPolicy(dns, domain);
  if (ownPolicy !== null && ownPolicy !== 'several' && 'unreadable' in ownPolicy) {
    return finding(
      'unknown',
      ownPolicy.unreadable,
      `Receivers cannot read the record at _dmarc.${domain}, because it does not begin with “v=DMARC1;”: correct its beginning.`,
    );
  }
  if (ownPolicy === 'several') {
    return finding(
      'needs-change',
      null,
      `${domain} has more than one DMARC record, so receivers ignore all of them: keep one.`,
    );
  }
  const policy = ownPolicy ?? (await readInherited(dns, domain));
  if (!policy) {
    return finding(
      'needs-change',
      null,
      `There is no DMARC policy, so receivers do not stop forged mail from ${domain}: publish “v=DMARC1; p=none; rua=mailto:” with an address for reports at _dmarc.${domain}, and read the reports.`,
    );
  }
  return assessPolicy(policy, domain);
}

function assessPolicy({ domain: policyDomain, record, tags }: Policy, domain: string): DomainFinding {
  const isOwn = policyDomain === domain;
  const action = ((isOwn ? undefined : tags.get('sp')) ?? tags.get('p') ?? '').toLowerCase();
  const subject = isOwn ? 'The DMARC policy' : `The DMARC policy of ${policyDomain}, which also applies here,`;
  const reports = /mailto:/i.test(tags.get('rua') ?? '');
  const weakness = findWeakness(tags, isOwn, action);
  if (weakness !== null) return finding('needs-change', record, `${subject} ${weakness}`);
  if (action === 'quarantine' || action === 'reject') {
    const effect = action === 'reject' ? 'rejects forged mail' : 'sends forged mail to spam';
    return reports
      ? finding('good', record, `${subject} ${effect}: keep reading the reports.`)
      : finding(
          'needs-change',
          record,
          `${subject} ${effect}, but the reports are not sent to you: add rua=mailto: with your address.`,
        );
  }
  // Without a valid p= tag, a record with a report address counts as p=none (RFC 7489, section 6.6.3).
  if (action !== 'none' && !reports) {
    return finding('needs-change', record, `${subject} has no valid p= tag: set p=none, p=quarantine or p=reject.`);
  }
  return finding(
    'needs-change',
    record,
    reports
      ? `${subject} only monitors mail (p=none): once the reports show that all your own mail passes, set p=quarantine, then p=reject.`
      : `${subject} only monitors mail (p=none), and the reports are not sent to you: add rua=mailto: with your address, then set p=quarantine.`,
  );
}

const STRENGTHS = ['none', 'quarantine', 'reject'];

/** Returns a weakness of a quarantine or reject policy as the predicate of a sentence, or null. */
function findWeakness(tags: Map<string, string>, isOwn: boolean, action: string): string | null {
  const strength = STRENGTHS.indexOf(action);
  if (strength < 1) return null;
  const percent = tags.get('pct') ?? '';
  if (/^\d{1,3}$/.test(percent) && Number(percent) < 100) {
    return `applies to only ${Number(percent)}% of forged mail (pct=${percent}): remove pct once the reports show that your own mail passes.`;
  }
  if (tags.get('t')?.toLowerCase() === 'y') {
    return 'is in test mode (t=y), so receivers do not fully apply it: remove t=y once the reports show that your own mail passes.';
  }
  for (const tag of isOwn ? ['sp', 'np'] : []) {
    const subdomainAction = tags.get(tag)?.toLowerCase();
    if (subdomainAction === undefined || STRENGTHS.indexOf(subdomainAction) >= strength) continue;
    return `leaves subdomains open (${tag}=${subdomainAction}), so forgers can use them: remove ${tag}, or set ${tag}=${action}.`;
  }
  return null;
}

interface Unreadable {
  unreadable: string;
}

async function readPolicy(dns: DnsReader, domain: string): Promise<Policy | Unreadable | 'several' | null> {
  const texts = (await dns.readTexts(`_dmarc.${domain}`)) ?? [];
  const records = texts.filter((text) => VALID_VERSION.test(text.trim()));
  const [record] = records;
  if (record === undefined) {
    const unreadable = texts.find((text) => RESEMBLES_DMARC.test(text));
    return unreadable === undefined ? null : { unreadable };
  }
  return records.length > 1 ? 'several' : { domain, record: record.trim(), tags: readTags(record) };
}

/**
 * Reads the policy of the organisational domain: the topmost domain with a policy, below a registry with `psd=y` and
 * not above a domain with `psd=n`. This needs no public suffix list.
 */
async function readInherited(dns: DnsReader, domain: string): Promise<Policy | null> {
  const labels = domain.split('.');
  const parents = labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'));
  const policies = await Promise.all(parents.slice(-MAX_PARENTS).map((parent) => readPolicy(dns, parent)));
  let policy: Policy | null = null;
  for (const candidate of policies) {
    if (candidate === null || candidate === 'several' || 'unreadable' in candidate) continue;
    const kind = candidate.tags.get('psd');
    if (kind === 'y') return policy ?? candidate;
    policy = candidate;
    if (kind === 'n') break;
  }
  return policy;
}

/** Parses the tags of a record such as v=DMARC1; p=none. The first tag of each name wins. */
export function readTags(record: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of record.split(';')) {
    const [name = '', ...value] = part.split('=');
    const key = name.trim().toLowerCase();
    if (!tags.has(key)) tags.set(key, value.join('=').trim());
  }
  return tags;
}

function finding(state: DomainFinding['state'], record: string | null, message: string): DomainFinding {
  return { name: 'DMARC', state, message, record };
}
