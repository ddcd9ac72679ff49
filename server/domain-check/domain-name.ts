import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/**
 * Top-level domains that are reserved (RFC 2606, 6761, 6762, 7686, 8375, 9476 and ICANN's `internal`), or common in
 * private networks.
 */
const PRIVATE_ENDINGS = new Set([
  'alt',
  'arpa',
  'corp',
  'example',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'mail',
  'onion',
  'private',
  'test',
]);

const LABEL = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/;

/** Maximum length: 253 characters minus the longest prefix that the check adds, `selector1._domainkey.` */
const MAX_LENGTH = 230;

/** Checks whether an ASCII name belongs to the public DNS. */
export function isPublicName(name: string): boolean {
  const labels = name.split('.');
  const ending = labels.at(-1) ?? '';
  return (
    name.length <= 253 &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    /^(?:[a-z]{2,}|xn--[a-z\d-]+)$/.test(ending) &&
    !PRIVATE_ENDINGS.has(ending)
  );
}

/**
 * Parses a typed domain, email address or URL, in any script.
 * @returns the domain in ASCII, or a message for the visitor
 */
export function readDomain(input: string): { domain: string } | { rejection: string } {
  const host = input
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '')
    .replace(/^mailto:/i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/^.*@/s, '')
    .replace(/\.$/, '');
  if (host === '') return { rejection: 'Type the domain of your email addresses, such as example.com.' };
  const name = isIP(host) ? host : host.replace(/:\d*$/, '').replace(/^\[|\]$/g, '');
  const domain = domainToASCII(name).replace(/^www\.(?=.*\.)/, '');
  if (isIP(name) || isIP(domain)) {
    return {
      rejection: 'This is an IP address. Type the domain of your email addresses, such as example.com.',
    };
  }
  if (domain === '' || domain.length > MAX_LENGTH || !domain.split('.').every((label) => LABEL.test(label))) {
    return { rejection: 'This is not a domain. Type the part of your email address after the @, such as example.com.' };
  }
  if (!domain.includes('.')) return { rejection: `The ending is missing. Did you mean ${domain}.com?` };
  if (!isPublicName(domain)) {
    return { rejection: `${domain} is reserved for private networks or examples and is not in the public DNS.` };
  }
  return { domain };
}
