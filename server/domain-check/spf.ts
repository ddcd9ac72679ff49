/** SPF (RFC 7208): which servers may send in the name of a domain, and what it costs to find out. */
import type { DomainFinding } from '../../app/data/domain-check/answer.ts';
import { DnsAwayError, type DnsReader } from './dns-reader.ts';
import { isPublicName } from './domain-name.ts';

/** DNS lookups that a receiver makes for one message, RFC 7208 section 4.6.4; one more is an error. */
const MAX_LOOKUPS = 10;

/** Qualifier, name, separator and value of a term. */
const TERM = /^([-+~?]?)([a-z][a-z\d_.-]*)(?:([:=/])(.*))?$/i;

const MECHANISMS = ['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists'];
const WITH_LOOKUP = ['include', 'a', 'mx', 'ptr', 'exists'];

/** A reason for which receivers take the whole record for an error. */
class SpfError extends Error {}

interface Term {
  qualifier: string;
  name: string;
  value: string;
}

/** Progress through a record and all that it includes. */
interface Walk {
  lookups: number;
}

export async function checkSpf(dns: DnsReader, domain: string): Promise<DomainFinding> {
  const records = spfRecords(await dns.readTexts(domain));
  const [record] = records;
  if (record === undefined) {
    return bad(
      null,
      `${domain} has no SPF record, so receivers cannot tell your servers from a forger’s: publish one that names every service you send with and ends in -all.`,
    );
  }
  if (records.length > 1) {
    return bad(
      null,
      `${domain} has ${records.length} SPF records, and receivers then go by none of them: merge them into one.`,
    );
  }
  try {
    const walk = { lookups: 0 };
    const verdict = await readRecord(dns, record, walk);
    return judge(record, domain, verdict, walk.lookups);
  } catch (error) {
    if (!(error instanceof SpfError)) throw error;
    return bad(record, `Receivers take the SPF record for an error and go by none of it, because it ${error.message}`);
  }
}

function judge(record: string, domain: string, verdict: string, lookups: number): DomainFinding {
  const cost = `${lookups} of the ten DNS lookups that receivers allow`;
  if (verdict === '+') {
    return bad(record, `The SPF record ends in +all, which lets everybody send as ${domain}: end it in -all instead.`);
  }
  if (verdict === '-' || verdict === '~') {
    return {
      name: 'SPF',
      state: 'good',
      record,
      sentence: `The SPF record ends in ${verdict}all and takes ${cost}: there is nothing to do until you send with another service.`,
    };
  }
  return {
    name: 'SPF',
    state: 'weak',
    record,
    sentence: `The SPF record takes ${cost} but says nothing against anybody else: end it in ~all, and in -all once every service you send with is named.`,
  };
}

/**
 * Reads a record and all that it includes, until more lookups are needed than receivers make: so loops end too.
 * @returns the qualifier of its `all`, '' without one
 * @throws SpfError
 */
async function readRecord(dns: DnsReader, record: string, walk: Walk): Promise<string> {
  const terms = record.split(/ +/).slice(1).filter(Boolean).map(readTerm);
  const end = terms.findIndex(({ name }) => name === 'all');
  // Nothing behind `all` is looked at.
  const used = end < 0 ? terms : terms.slice(0, end);
  for (const { name, value } of used) {
    if (!WITH_LOOKUP.includes(name)) continue;
    countLookup(walk);
    if (name === 'include') await follow(dns, value, walk);
  }
  const all = terms[end];
  if (all) return all.qualifier;
  const redirect = used.find(({ name }) => name === 'redirect');
  if (!redirect) return '';
  countLookup(walk);
  return follow(dns, redirect.value, walk);
}

async function follow(dns: DnsReader, target: string, walk: Walk): Promise<string> {
  // A macro stands for something of the message.
  if (target.includes('%')) return '';
  const name = target.toLowerCase().replace(/\.$/, '');
  // Names of private networks are not looked up, whoever names them.
  const records = isPublicName(name) ? await readIncluded(dns, name) : [];
  const [record] = records;
  if (record === undefined || records.length > 1) {
    throw new SpfError(
      `includes ${shown(target)}, which has ${record === undefined ? 'no SPF record' : 'several'}: take that part out, or ask that service what belongs there.`,
    );
  }
  return readRecord(dns, record, walk);
}

async function readIncluded(dns: DnsReader, name: string): Promise<string[]> {
  try {
    return spfRecords(await dns.readTexts(name));
  } catch (error) {
    if (!(error instanceof DnsAwayError)) throw error;
    throw new SpfError(
      `includes ${shown(name)}, whose DNS did not answer: check again in a few minutes, and take that part out if it stays so.`,
    );
  }
}

function countLookup(walk: Walk): void {
  walk.lookups += 1;
  if (walk.lookups <= MAX_LOOKUPS) return;
  throw new SpfError(
    'asks for more than the ten DNS lookups that they allow: take out services you no longer send with.',
  );
}

function readTerm(text: string): Term {
  const [, qualifier, name = '', separator, value = ''] = TERM.exec(text) ?? [];
  const term = { qualifier: qualifier || '+', name: name.toLowerCase(), value };
  const isKnown = separator === '=' || MECHANISMS.includes(term.name);
  if (!isKnown) throw new SpfError(`has ${shown(text)} in it, which is no term of SPF: correct or remove that part.`);
  return term;
}

function spfRecords(texts: string[] | null): string[] {
  return (texts ?? []).filter((text) => /^v=spf1(?: |$)/i.test(text)).map((text) => text.trim());
}

function bad(record: string | null, sentence: string): DomainFinding {
  return { name: 'SPF', state: 'bad', record, sentence };
}

/** Text of a record within a sentence. */
function shown(text: string): string {
  return `“${text.slice(0, 100)}”`;
}
