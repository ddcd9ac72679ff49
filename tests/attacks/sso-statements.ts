/**
 * SAML responses that the provider signed for a different recipient or time, and responses that are not well-formed
 * XML.
 */
import { ASSERTION, type Forgery, VICTIM_EMAIL } from './saml-signature-wrapping.ts';

const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** Builds a forgery that the provider itself signs. */
const createSignedForgery = (name: string, ...edits: [from: string | RegExp, to: string][]): Forgery => ({
  name,
  changes: { edited: (response) => edits.reduce((text, [from, to]) => text.replace(from, to), response) },
});

/** Builds a forgery that the browser sends in place of the signed response. */
const createBrowserForgery = (name: string, alter: (response: string) => string): Forgery => ({ name, alter });

const CONDITIONS = /<saml:Conditions.*<\/saml:Conditions>/;
const RESTRICTION = /<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/;
const AUDIENCE = /<saml:Audience>.*<\/saml:Audience>/;
const CONFIRMATION = /<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/;
const DATA = /<saml:SubjectConfirmationData[^>]*\/>/;
const SUBJECT = /<saml:Subject>.*<\/saml:Subject>/;
const NAME_ID = /<saml:NameID.*<\/saml:NameID>/;
const EXPIRY = /(<saml:SubjectConfirmationData NotOnOrAfter=")[^"]*/;
const RECIPIENT = /Recipient="([^"]*)"/;

const TIMES: Forgery[] = [
  { name: 'expired ten minutes ago', changes: { expiresIn: -10 } },
  { name: 'expired a year ago', changes: { expiresIn: -525_600 } },
  createSignedForgery('expired conditions', [/(<saml:Conditions[^>]*NotOnOrAfter=")[^"]*/, `$1${at(-4)}`]),
  createSignedForgery('conditions that start later', [/(<saml:Conditions NotBefore=")[^"]*/, `$1${at(60)}`]),
  createSignedForgery('conditions with an invalid date', [/(<saml:Conditions NotBefore=")[^"]*/, '$1tomorrow']),
  createSignedForgery('an expired confirmation', [EXPIRY, `$1${at(-4)}`]),
  createSignedForgery('a confirmation that starts later', [
    '<saml:SubjectConfirmationData',
    `$& NotBefore="${at(60)}"`,
  ]),
  createSignedForgery('a confirmation with an invalid start', [
    '<saml:SubjectConfirmationData',
    '$& NotBefore="later"',
  ]),
  createSignedForgery('a confirmation without an end', [EXPIRY, '$1'], [' NotOnOrAfter=""', '']),
  createSignedForgery('a confirmation with an invalid end', [EXPIRY, '$1never']),
  createSignedForgery('a confirmation with an empty end', [EXPIRY, '$1']),
  { name: 'an expired session', changes: { sessionEndsIn: -1 } },
];

const AUDIENCES: Forgery[] = [
  { name: 'for another audience', changes: { audience: 'https://other.example/metadata' } },
  createSignedForgery('without conditions', [CONDITIONS, '']),
  createSignedForgery('with empty conditions', [CONDITIONS, '<saml:Conditions/>']),
  createSignedForgery('with duplicate conditions', [CONDITIONS, '$&$&']),
  createSignedForgery('without an audience restriction', [RESTRICTION, '']),
  createSignedForgery('without an audience in the restriction', [AUDIENCE, '']),
  createSignedForgery('with an empty audience', [AUDIENCE, '<saml:Audience></saml:Audience>']),
  createSignedForgery('for an audience that starts with ours', ['</saml:Audience>', '.evil.example$&']),
  createSignedForgery('for an audience that ends with ours', ['<saml:Audience>', '$&https://evil.example/']),
  createSignedForgery('for our audience in upper case', [/(<saml:Audience>)http/, '$1HTTP']),
  createSignedForgery('with a second restriction to other audiences', [
    RESTRICTION,
    '$&<saml:AudienceRestriction><saml:Audience>https://other.example/</saml:Audience></saml:AudienceRestriction>',
  ]),
  createSignedForgery('an audience outside of its restriction', [
    RESTRICTION,
    '<saml:Audience>https://other.example/</saml:Audience>',
  ]),
];

const RECIPIENTS: Forgery[] = [
  { name: 'for another recipient', changes: { recipient: 'https://other.example/acs' } },
  { name: 'for another destination', changes: { destination: 'https://other.example/acs' } },
  { name: 'with an empty destination', changes: { destination: '' } },
  createSignedForgery('for our URL with a suffix', [RECIPIENT, 'Recipient="$1/evil"']),
  createSignedForgery('for our URL with a query', [RECIPIENT, 'Recipient="$1?evil"']),
  createSignedForgery('for our URL in upper case', [/Recipient="http/, 'Recipient="HTTP']),
  createSignedForgery('without a recipient', [RECIPIENT, '']),
  createSignedForgery('with an empty recipient', [RECIPIENT, 'Recipient=""']),
  createSignedForgery('without a confirmation', [CONFIRMATION, '']),
  createSignedForgery('with an empty confirmation', [DATA, '']),
  createSignedForgery('confirmed with a holder-of-key method', ['cm:bearer', 'cm:holder-of-key']),
  createSignedForgery('confirmed with sender-vouches', ['cm:bearer', 'cm:sender-vouches']),
  createSignedForgery('confirmed with an unknown method', ['cm:bearer', 'cm:BEARER']),
  createSignedForgery('confirmed as holder-of-key here and as bearer elsewhere', [
    CONFIRMATION,
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${at(5)}" Recipient="https://other.example/acs"/></saml:SubjectConfirmation>`,
  ]),
  { name: 'in response to another request', changes: { inResponseTo: '_another' } },
  { name: 'in response to a request without an id', changes: { inResponseTo: '' } },
  createSignedForgery('in response to another request, in the assertion', [
    /(SubjectConfirmationData[^>]*InResponseTo=")[^"]*/,
    '$1_another',
  ]),
  createSignedForgery('without InResponseTo in the assertion', [
    /(SubjectConfirmationData[^>]*) InResponseTo="[^"]*"/,
    '$1',
  ]),
  createSignedForgery('in response to another request, in the response element', [
    /InResponseTo="[^"]*"/,
    'InResponseTo="_another"',
  ]),
  createSignedForgery('without InResponseTo in the response element', [/ InResponseTo="[^"]*"/, '']),
  { name: 'of another issuer', changes: { issuer: 'https://other.example/metadata' } },
  createSignedForgery('with another issuer of the response', [
    /(<saml:Issuer>)[^<]*/,
    '$1https://other.example/metadata',
  ]),
  createSignedForgery('with another issuer of the assertion', [
    /(<saml:Assertion [^>]*><saml:Issuer>)[^<]*/,
    '$1https://other.example/metadata',
  ]),
  createSignedForgery('with two issuers of the assertion', [
    /<saml:Subject>/,
    '<saml:Issuer>https://other.example/metadata</saml:Issuer>$&',
  ]),
];

const CONTENTS: Forgery[] = [
  ...['Responder', 'Requester', 'VersionMismatch', 'AuthnFailed'].map((status) => ({
    name: `that says ${status}`,
    changes: { status: `urn:oasis:names:tc:SAML:2.0:status:${status}` },
  })),
  createSignedForgery('without a status', [/<samlp:Status>.*<\/samlp:Status>/, '']),
  createSignedForgery('with two statuses, one of them a failure', [
    /<samlp:Status>/,
    '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"/></samlp:Status>$&',
  ]),
  createSignedForgery('without an issuer of the assertion', [
    /(<saml:Assertion [^>]*>)<saml:Issuer>[^<]*<\/saml:Issuer>/,
    '$1<saml:Other><saml:Issuer>urn:x</saml:Issuer></saml:Other>',
  ]),
  createSignedForgery('with an older version of the response', ['Version="2.0"', 'Version="1.1"']),
  createSignedForgery('with an older version of the assertion', [
    /(<saml:Assertion [^>]*)Version="2.0"/,
    '$1Version="1.1"',
  ]),
  createSignedForgery('without a subject', [SUBJECT, '']),
  createSignedForgery('about two subjects', [SUBJECT, '$&$&']),
  createSignedForgery('without a name', [NAME_ID, '']),
  createSignedForgery('with an empty name', [NAME_ID, '<saml:NameID/>']),
  createSignedForgery('with two names', [NAME_ID, `$&<saml:NameID>${VICTIM_EMAIL}</saml:NameID>`]),
  createSignedForgery('with an assertion without an id, in a signed response', [/(<saml:Assertion) ID="[^"]*"/, '$1']),
  createSignedForgery('with an assertion with an empty id, in a signed response', [
    /(<saml:Assertion) ID="[^"]*"/,
    '$1 ID=""',
  ]),
  createSignedForgery('without an assertion', [ASSERTION, '']),
  createSignedForgery('with two assertions', [ASSERTION, `$&<saml:Assertion ID="_two" Version="2.0"/>`]),
  createSignedForgery('with an encrypted assertion', [
    ASSERTION,
    '<saml:EncryptedAssertion><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#"/></saml:EncryptedAssertion>',
  ]),
  createSignedForgery('with an additional encrypted assertion', [ASSERTION, '$&<saml:EncryptedAssertion/>']),
].map((forgery) =>
  // The whole response is signed, because some of these have no assertion to sign.
  ({ ...forgery, changes: { ...forgery.changes, signed: 'response' } }),
);

const doctype = (inside: string) => (response: string) => `<!DOCTYPE samlp:Response ${inside}>${response}`;
const withName = (name: string) => (response: string) => response.replace(/(<saml:NameID[^>]*>)[^<]+/, `$1${name}`);

/** Ten levels of ten references each, known as "billion laughs". */
const billionLaughs = Array.from(
  { length: 10 },
  (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
).join('');

const XML: Forgery[] = [
  createBrowserForgery('an internal entity', (response) =>
    doctype(`[<!ENTITY who "${VICTIM_EMAIL}">]`)(withName('&who;')(response)),
  ),
  createBrowserForgery('an entity from a file', (response) =>
    doctype('[<!ENTITY who SYSTEM "file:///etc/hostname">]')(withName('&who;')(response)),
  ),
  createBrowserForgery('an entity from a URL', (response) =>
    doctype('[<!ENTITY who SYSTEM "http://127.0.0.1:9/">]')(withName('&who;')(response)),
  ),
  createBrowserForgery('a public entity', (response) =>
    doctype('[<!ENTITY who PUBLIC "-//X//Y" "http://127.0.0.1:9/">]')(withName('&who;')(response)),
  ),
  createBrowserForgery('a parameter entity', doctype('[<!ENTITY % evil SYSTEM "http://127.0.0.1:9/evil.dtd"> %evil;]')),
  createBrowserForgery('an external document type', doctype('SYSTEM "http://127.0.0.1:9/evil.dtd"')),
  createBrowserForgery('a default attribute', doctype('[<!ATTLIST saml:Assertion Id CDATA "_evil">]')),
  createBrowserForgery('an id declared in the document type', doctype('[<!ATTLIST saml:NameID Format ID #IMPLIED>]')),
  createBrowserForgery('an empty document type', doctype('[]')),
  createBrowserForgery('a billion laughs', (response) =>
    doctype(`[<!ENTITY l0 "ha">${billionLaughs}]`)(withName('&l10;')(response)),
  ),
  createBrowserForgery('many references to a large entity', (response) =>
    doctype(`[<!ENTITY who "${'a'.repeat(10_000)}">]`)(withName('&who;'.repeat(10_000))(response)),
  ),
  createBrowserForgery('a recursive entity', (response) =>
    doctype('[<!ENTITY who "&who;">]')(withName('&who;')(response)),
  ),
  createBrowserForgery('an undeclared entity', withName('&who;')),
  createBrowserForgery('a document type after a comment', (response) => `<!-- -->${doctype('[]')(response)}`),
  createBrowserForgery('a document type in lower case', (response) => `<!doctype x>${response}`),
  createBrowserForgery(
    'a leading processing instruction',
    (response) => `<?xml-stylesheet href="http://127.0.0.1:9/"?>${response}`,
  ),
  createBrowserForgery('a trailing processing instruction', (response) => `${response}<?evil ?>`),
  createBrowserForgery('a processing instruction in the name', (response) =>
    response.replace(/(<saml:NameID[^>]*>...)/, '$1<?evil ?>'),
  ),
  createBrowserForgery('a processing instruction in the signature', (response) =>
    response.replace('<ds:DigestValue>', '$&<?evil ?>'),
  ),
  createBrowserForgery('an XML declaration in the middle', (response) =>
    response.replace('<samlp:Status>', '<?xml version="1.0"?>$&'),
  ),
  createBrowserForgery('XInclude', (response) =>
    response
      .replace(
        '<samlp:Status>',
        '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/hostname" parse="text"/>$&',
      )
      .replace(ASSERTION, ''),
  ),
  createBrowserForgery('an element in the name', (response) =>
    response.replace(/(<saml:NameID[^>]*>)/, `$1<x>${VICTIM_EMAIL}</x>`),
  ),
  createBrowserForgery('text before the name', (response) => response.replace(/(<saml:NameID[^>]*>)/, '$1admin-')),
  createBrowserForgery('a CDATA section before the name', (response) =>
    response.replace(/(<saml:NameID[^>]*>)/, '$1<![CDATA[admin-]]>'),
  ),
  createBrowserForgery('a character reference before the name', (response) =>
    response.replace(/(<saml:NameID[^>]*>)/, '$1&#97;'),
  ),
  createBrowserForgery('a zero-width character in the name', (response) =>
    response.replace(/(<saml:NameID[^>]*>..)/, '$1\u200b'),
  ),
  createBrowserForgery('a NUL in the name', (response) => response.replace(/(<saml:NameID[^>]*>..)/, '$1\u0000')),
  createBrowserForgery('a NUL as a character reference', (response) =>
    response.replace(/(<saml:NameID[^>]*>..)/, '$1&#0;'),
  ),
  createBrowserForgery('an unclosed comment', (response) => response.replace('<saml:NameID', '<!--$&')),
  createBrowserForgery('a comment with two hyphens', (response) => response.replace('<samlp:Status>', '<!-- -- -->$&')),
  createBrowserForgery('a duplicate attribute', (response) =>
    response.replace(' Version="2.0"', ' Version="2.0" Version="2.0"'),
  ),
  createBrowserForgery('a duplicate attribute with two prefixes', (response) =>
    response
      .replace(' Version="2.0"', ' xmlns:a="urn:x" xmlns:b="urn:x" a:v="1" b:v="2" Version="2.0"')
      .replace('</samlp:Response>', ''),
  ),
  createBrowserForgery('an undeclared prefix', (response) => response.replace('<samlp:Status>', '<evil:x/>$&')),
  createBrowserForgery('the protocol in another namespace', (response) =>
    response.replace('SAML:2.0:protocol', 'SAML:1.0:protocol'),
  ),
  createBrowserForgery('the assertion in another namespace', (response) =>
    response.replace('SAML:2.0:assertion', 'SAML:1.0:assertion'),
  ),
  createBrowserForgery('truncated in the middle', (response) => response.slice(0, response.length / 2)),
  createBrowserForgery('without its last character', (response) => response.slice(0, -1)),
  createBrowserForgery('with text after it', (response) => `${response}x`),
  createBrowserForgery('with text before it', (response) => `x${response}`),
  createBrowserForgery('with another document after it', (response) => `${response}<x/>`),
  createBrowserForgery('as a logout response', (response) =>
    response.replaceAll('samlp:Response', 'samlp:LogoutResponse'),
  ),
  createBrowserForgery('nested nine thousand deep', (response) =>
    response.replace('<samlp:Status>', `${'<a>'.repeat(9000)}${'</a>'.repeat(9000)}$&`),
  ),
  createBrowserForgery('in UTF-16', (response) => Buffer.from(response, 'utf16le').toString('latin1')),
  createBrowserForgery('an empty string', () => ''),
  createBrowserForgery('text that is not XML', () => 'SAMLResponse'),
  createBrowserForgery('JSON', () => JSON.stringify({ Response: { Assertion: { NameID: VICTIM_EMAIL } } })),
  createBrowserForgery(
    'an empty response',
    () => '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>',
  ),
];

export const STATEMENTS: Forgery[] = [...TIMES, ...AUDIENCES, ...RECIPIENTS, ...CONTENTS, ...XML];
