/**
 * The text that a wallet signs: EIP-4361 (https://eips.ethereum.org/EIPS/eip-4361) for Ethereum and its counterpart for
 * Solana. Unknown and repeated lines are rejected, so that exactly the text shown in the wallet is checked. Error
 * messages are those of Supabase Auth (internal/utilities/siwe and siws). As in Supabase Auth, the fields can be in
 * any order, because the order of the official client differs from the standard.
 */
import { authError } from '../error-codes.ts';

export interface SignInMessage {
  /** Host and optional port of the site that requested the signature. */
  domain: string;
  address: string;
  statement: string | null;
  uri: URL;
  chainId: string;
  issuedAt: Date;
  expirationTime: Date | null;
  notBefore: Date | null;
}

/** Differences between the chains. */
export interface MessageFormat {
  /** Prefix of error messages. */
  prefix: 'siwe' | 'siws';
  /** End of the first line. */
  account: 'Ethereum' | 'Solana';
  address: RegExp;
  addressProblem: string;
  chainId: RegExp;
}

const DOMAIN = /^(localhost|127\.0\.0\.1|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,})(?::\d{1,5})?$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
/** Line breaks other than \n, and other invisible characters. */
const CONTROL_CHARACTER = /[\p{Cc}\u2028\u2029]/u;

const FIELDS = [
  'URI',
  'Version',
  'Chain ID',
  'Nonce',
  'Issued At',
  'Expiration Time',
  'Not Before',
  'Request ID',
] as const;
type Field = (typeof FIELDS)[number];

/** @throws ApiError 400 validation_failed with the first issue */
export function parseSignInMessage(text: string, format: MessageFormat): SignInMessage {
  const fail = (problem: string) => authError('validation_failed', `${format.prefix}: ${problem}`);
  const lines = text.split('\n');
  const [header = '', address = '', blankLine = '', fourth = '', fifth = ''] = lines;
  if (lines.length < 6) throw fail('message needs at least 6 lines');
  const suffix = ` wants you to sign in with your ${format.account} account:`;
  if (!header.endsWith(suffix)) throw fail(`message first line does not end in "${suffix}"`);
  const domain = header.slice(0, -suffix.length);
  if (!DOMAIN.test(domain)) throw fail('domain in first line of message is not valid');
  if (!format.address.test(address)) throw fail(format.addressProblem);
  if (blankLine !== '') throw fail('third line must be empty');
  const hasStatement = fourth !== '' && fifth === '';
  if (hasStatement && CONTROL_CHARACTER.test(fourth)) throw fail('encountered unparsable line at index 3');

  const fields = readFields(lines, hasStatement ? 5 : 3, fail);
  const version = fields.get('Version') ?? '';
  if (version !== '1') throw fail(`Version value is not supported, expected 1 got ${JSON.stringify(version)}`);
  const chainId = fields.get('Chain ID') ?? '';
  if (fields.has('Chain ID') && !format.chainId.test(chainId)) throw fail('Chain ID is not valid');
  const { issuedAt, expirationTime, notBefore } = readTimes(fields, fail);
  return {
    domain,
    address,
    statement: hasStatement ? fourth : null,
    uri: readUri(fields.get('URI'), fail),
    chainId,
    issuedAt,
    expirationTime,
    notBefore,
  };
}

type Fail = (problem: string) => Error;

function readFields(lines: string[], start: number, fail: Fail): Map<Field, string> {
  const fields = new Map<Field, string>();
  let resourceCount = -1;
  for (const [index, line] of lines.entries()) {
    if (index < start || line === '') continue;
    const unparsable = () => fail(`encountered unparsable line at index ${index}`);
    if (CONTROL_CHARACTER.test(line)) throw unparsable();
    if (resourceCount >= 0) {
      // Resources are the last field.
      if (!line.startsWith('- ')) throw unparsable();
      if (!URL.canParse(line.slice(2))) throw fail(`Resource at position ${resourceCount} has invalid URI`);
      resourceCount += 1;
    } else if (line === 'Resources:') {
      resourceCount = 0;
    } else {
      const [, name, value = ''] = /^([A-Za-z ]+): (.*)$/.exec(line) ?? [];
      const field = FIELDS.find((fieldName) => fieldName === name);
      if (!field || fields.has(field)) throw unparsable();
      fields.set(field, value);
    }
  }
  return fields;
}

function readTimes(fields: Map<Field, string>, fail: Fail) {
  const read = (field: Field): Date | null => {
    const value = fields.get(field);
    if (value === undefined) return null;
    if (!TIME.test(value) || Number.isNaN(Date.parse(value))) throw fail(`${field} is not a valid ISO8601 timestamp`);
    return new Date(value);
  };
  const issuedAt = read('Issued At');
  const expirationTime = read('Expiration Time');
  const notBefore = read('Not Before');
  if (!issuedAt) throw fail('Issued At is not specified');
  if (expirationTime && issuedAt > expirationTime) throw fail('Issued At is after Expiration Time');
  if (expirationTime && notBefore && notBefore > expirationTime) throw fail('Not Before is after Expiration Time');
  return { issuedAt, expirationTime, notBefore };
}

function readUri(value: string | undefined, fail: Fail): URL {
  if (value === undefined) throw fail('URI is not specified');
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) throw fail('URI is not valid');
  return new URL(value);
}
