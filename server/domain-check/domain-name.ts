import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** Endings that are in no public DNS (RFC 2606, 6761, 6762, 7686, 8375, 9476, ICANN's internal), or lead into a network of somebody. */
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

/** Characters that are left of the 253 of a name after the longest that is put before it: selector1._domainkey. */
const MAX_LENGTH = 230;

/** Tells whether a name in ASCII may be looked up: one of the public DNS, and not one that a private network answers. */
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
 * Reads the domain that somebody typed: also as a mail or web address, and in any script.
 * @returns the domain in ASCII, or the sentence why there is nothing to look up
 */
export function readDomain(typed: string): { domain: string } | { refusal: string } {
  const host = typed
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '')
    .replace(/^mailto:/i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/^.*@/s, '')
    .replace(/\.$/, '');
  if (host === '') return { refusal: 'Type the domain of your email addresses, such as example.com.' };
  const name = isIP(host) ? host : host.replace(/:\d*$/, '').replace(/^\[|\]$/g, '');
  const domain = domainToASCII(name).replace(/^www\.(?=.*\.)/, '');
  if (isIP(name) || isIP(domain)) {
    return {
      refusal: 'This is an IP address. Type the domain of your email addresses, such as example.com.',
    };
  }
  if (domain === '' || domain.length > MAX_LENGTH || !domain.split('.').every((label) => LABEL.test(label))) {
    return { refusal: 'This is not a domain. Type the part of your email address after the @, such as example.com.' };
  }
  if (!domain.includes('.')) return { refusal: `The ending is missing. Did you mean ${domain}.com?` };
  if (!isPublicName(domain)) {
    return { refusal: `${domain} is reserved for private networks or examples and is not in the public DNS.` };
  }
  return { domain };
}
