/** SPF (RFC 7208): servers that may send for a domain, and the number of DNS lookups needed. */
import { isIPv4, isIPv6 } from 'node:net';
import type { DomainFinding } from '../../app/site/domain-check/domain-check-result.ts';
import { type DnsReader, DnsUnavailableError } from './dns-reader.ts';
import { isPublicName } from './domain-name.ts';

/**
 * Maximum number of DNS lookups per message (RFC 7208, section 4.6.4). A record that needs more causes a permanent
 * error.
 */
const MAX_LOOKUPS = 10;

/** Qualifier, name, separator and value of a term. */
const TERM = /^([-+~?]?)([a-z][a-z\d_.-]*)(?:([:=/])(.*))?$/i;

const MECHANISMS = ['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists'];
const WITH_LOOKUP = ['include', 'a', 'mx', 'ptr', 'exists'];

/** Shortest prefix length that can be a sender's own network: 1/16 of all addresses. */
const MIN_PREFIX = { ip4: 4, ip6: 4 };

/** Text that was probably meant to be an SPF record. `spf2.0/` is Sender ID, which is obsolete. */
const RESEMBLES_SPF = /^["'\s]{0,10}(?:v\s{0,10}=\s{0,10})?spf(?!2\.0)/i;

/** Permanent error: receivers reject the whole record. */
class SpfError extends Error {}

interface Term {
  /** Original text of the term. */
  text: string;
  qualifier: string;
  name: string;
  value: string;
}

/** State of the evaluation of a record and its includes. */
interface Evaluation {
  lookups: number;
  /** Problems that receivers accept, as predicates of "The SPF record ...". */
  faults: string[];
  /** Parts that could not be checked, as predicates of "The SPF record ...". */
  unread: string[];
}

export async function checkSpf(dns: DnsReader, domain: string): Promise<DomainFinding> {
  const texts = await dns.readTexts(domain);
  const records = spfRecords(texts);
  const [record] = records;
  const unreadable = texts?.find((text) => RESEMBLES_SPF.test(text));
  if (record === undefined && unreadable !== undefined) {
    return {
      name: 'SPF',
      state: 'unknown',
      record: unreadable,
      message: `Receivers cannot read the SPF record of ${domain}, because it does not begin with “v=spf1 ”: correct its beginning.`,
    };
  }
  if (record === undefined) {
    return change(
      null,
      `${domain} has no SPF record, so receivers cannot tell your servers from a forger’s: publish one that names every service you send with and ends in -all.`,
    );
  }
  if (records.length > 1) {
    return change(
      null,
      `${domain} has ${records.length} SPF records, so receivers ignore all of them: merge them into one.`,
    );
  }
  try {
    const evaluation: Evaluation = { lookups: 0, faults: [], unread: [] };
    const verdict = await readRecord(dns, record, evaluation);
    return assessRecord(record, domain, verdict, evaluation);
  } catch (error) {
    if (!(error instanceof SpfError)) throw error;
    return change(record, `Receivers reject the SPF record as invalid, because it ${error.message}`);
  }
}

function assessRecord(
  record: string,
  domain: string,
  verdict: string,
  { lookups, faults, unread }: Evaluation,
): DomainFinding {
  const cost = `${lookups} of the ten DNS lookups that receivers allow`;
  if (verdict === '+') {
    return change(record, `The SPF record ends in +all, which lets anyone send as ${domain}: end it in -all instead.`);
  }
  const [fault] = faults;
  if (fault !== undefined) return change(record, `The SPF record ${fault}`);
  const [gap] = unread;
  if (gap !== undefined) return { name: 'SPF', state: 'unknown', record, message: `The SPF record ${gap}` };
  if (verdict === '-' || verdict === '~') {
    return {
      name: 'SPF',
      state: 'good',
      record,
      message: `The SPF record ends in ${verdict}all and needs ${cost}: change it only when you send with another service.`,
    };
  }
  return change(
    record,
    `The SPF record needs ${cost} but does not reject other senders: end it in ~all, and in -all once every service you send with is named.`,
  );
}

/**
 * Evaluates a record and its includes. The lookup limit also stops circular includes.
 * @returns the qualifier of `all`, or '' if there is no `all`
 * @throws SpfError
 */
async function readRecord(dns: DnsReader, record: string, evaluation: Evaluation): Promise<string> {
  const terms = record.split(/ +/).slice(1).filter(Boolean).map(readTerm);
  const end = terms.findIndex(({ name }) => name === 'all');
  const activeTerms = end < 0 ? terms : terms.slice(0, end);
  const redirects = terms.filter(({ name }) => name === 'redirect');
  if (redirects.length > 1) throw new SpfError('has two redirects: keep one.');
  for (const { qualifier, name, value } of activeTerms) {
    if (name === 'ip4' || name === 'ip6') checkRange(qualifier, name, value, evaluation);
    if (!WITH_LOOKUP.includes(name)) continue;
    countLookup(evaluation);
    if (name === 'include') await evaluateInclude(dns, value, evaluation);
  }
  const allTerm = terms[end];
  const ignored = end < 0 ? undefined : terms.slice(end + 1).find(({ name }) => MECHANISMS.includes(name));
  if (ignored) {
    evaluation.faults.push(
      `has ${quote(ignored.text)} after “${allTerm?.text}”, where receivers ignore it: move it before that.`,
    );
  }
  const [redirect] = redirects;
  if (allTerm && redirect) {
    evaluation.faults.push(
      `has ${quote(redirect.text)} beside “${allTerm.text}”, so receivers ignore it: remove one of the two.`,
    );
  }
  if (allTerm) return allTerm.qualifier;
  if (!redirect) return '';
  countLookup(evaluation);
  return evaluateInclude(dns, redirect.value, evaluation);
}

/** Records a fault for an IP range that is far too large. */
function checkRange(qualifier: string, name: 'ip4' | 'ip6', value: string, evaluation: Evaluation): void {
  const bits = value.includes('/') ? Number(value.split('/')[1]) : Number.POSITIVE_INFINITY;
  if (qualifier !== '+' || bits > MIN_PREFIX[name]) return;
  evaluation.faults.push(
    `contains ${quote(`${name}:${value}`)}, which lets almost anyone send: list only your own servers.`,
  );
}

async function evaluateInclude(dns: DnsReader, target: string, evaluation: Evaluation): Promise<string> {
  // A macro depends on the message.
  if (target.includes('%')) {
    evaluation.unread.push(`includes ${quote(target)}, which depends on each message and could not be checked here.`);
    return '';
  }
  const name = target.toLowerCase().replace(/\.$/, '');
  // Names of private networks are never looked up.
  const records = isPublicName(name) ? await readIncluded(dns, name, evaluation) : [];
  if (records === null) return '';
  const [record] = records;
  if (record === undefined || records.length > 1) {
    throw new SpfError(
      `includes ${quote(target)}, which has ${record === undefined ? 'no SPF record' : 'several'}: remove that part, or ask that service for the correct value.`,
    );
  }
  return readRecord(dns, record, evaluation);
}

/** Returns null and records the gap if the DNS of an included name does not respond. */
async function readIncluded(dns: DnsReader, name: string, evaluation: Evaluation): Promise<string[] | null> {
  try {
    return spfRecords(await dns.readTexts(name));
  } catch (error) {
    if (!(error instanceof DnsUnavailableError)) throw error;
    evaluation.unread.push(
      `includes ${quote(name)}, whose DNS did not answer: check again in a few minutes, and remove that part if the problem persists.`,
    );
    return null;
  }
}

function countLookup(evaluation: Evaluation): void {
  evaluation.lookups += 1;
  if (evaluation.lookups <= MAX_LOOKUPS) return;
  throw new SpfError('needs more than the ten DNS lookups that they allow: remove services you no longer send with.');
}

/** Parses one term. @throws SpfError if receivers would reject it */
function readTerm(text: string): Term {
  const [, qualifier = '', name = '', separator = '', value = ''] = TERM.exec(text) ?? [];
  const term = { text, qualifier: qualifier || '+', name: name.toLowerCase(), value };
  const isModifier = separator === '=' && qualifier === '' && !MECHANISMS.includes(term.name);
  if (!isModifier && !MECHANISMS.includes(term.name)) {
    throw new SpfError(`contains ${quote(text)}, which is not an SPF term: correct or remove that part.`);
  }
  if (isModifier ? term.name === 'redirect' && value === '' : !isValid(term, separator)) {
    throw new SpfError(`contains ${quote(text)}, whose value is invalid: correct or remove that part.`);
  }
  return term;
}

/** Checks the value of a mechanism against RFC 7208, section 5. */
function isValid({ name, value }: Term, separator: string): boolean {
  if (name === 'all') return separator === '';
  if (name === 'ip4') return separator === ':' && isRange(value, isIPv4, 32);
  if (name === 'ip6') return separator === ':' && isRange(value, isIPv6, 128);
  if (name === 'include' || name === 'exists') return separator === ':' && value !== '' && !value.includes('/');
  if (name === 'ptr') return separator === '' || (separator === ':' && value !== '');
  // a and mx: [:domain][/bits[//bits]]
  if (separator === '') return true;
  const lengths = /^([^/]*)(?:\/(\d{1,2}))?(?:\/\/(\d{1,3}))?$/.exec(separator === '/' ? `/${value}` : value);
  if (!lengths || (separator !== '/' && separator !== ':') || (separator === ':' && lengths[1] === '')) return false;
  return Number(lengths[2] ?? 0) <= 32 && Number(lengths[3] ?? 0) <= 128;
}

function isRange(value: string, isAddress: (text: string) => boolean, maxBits: number): boolean {
  const [address = '', bits, ...extraParts] = value.split('/');
  if (!isAddress(address) || extraParts.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
}

function spfRecords(texts: string[] | null): string[] {
  return (texts ?? []).filter((text) => /^v=spf1(?: |$)/i.test(text)).map((text) => text.trim());
}

function change(record: string | null, message: string): DomainFinding {
  return { name: 'SPF', state: 'needs-change', record, message };
}

/** Quotes a part of the record. */
function quote(text: string): string {
  return `“${text.slice(0, 100)}”`;
}
