/** SAML responses that the provider signed, but for another recipient or time, or that are not well-formed XML. */
import { ASSERTION, EVIL, type Forgery } from './sso-wrappings.ts';

const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** Builds a forgery that the provider itself signs. */
const byProvider = (name: string, ...edits: [from: string | RegExp, to: string][]): Forgery => ({
  name,
  changes: { edited: (response) => edits.reduce((text, [from, to]) => text.replace(from, to), response) },
});

/** Builds a forgery that the browser sends in place of the signed response. */
const sends = (name: string, alter: (response: string) => string): Forgery => ({ name, alter });

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
  byProvider('expired conditions', [/(<saml:Conditions[^>]*NotOnOrAfter=")[^"]*/, `$1${at(-4)}`]),
  byProvider('conditions that start later', [/(<saml:Conditions NotBefore=")[^"]*/, `$1${at(60)}`]),
  byProvider('conditions with an invalid date', [/(<saml:Conditions NotBefore=")[^"]*/, '$1tomorrow']),
  byProvider('an expired confirmation', [EXPIRY, `$1${at(-4)}`]),
  byProvider('a confirmation that starts later', ['<saml:SubjectConfirmationData', `$& NotBefore="${at(60)}"`]),
  byProvider('a confirmation with an invalid start', ['<saml:SubjectConfirmationData', '$& NotBefore="later"']),
  byProvider('a confirmation without an end', [EXPIRY, '$1'], [' NotOnOrAfter=""', '']),
  byProvider('a confirmation with an invalid end', [EXPIRY, '$1never']),
  byProvider('a confirmation with an empty end', [EXPIRY, '$1']),
  { name: 'an expired session', changes: { sessionEndsIn: -1 } },
];

const AUDIENCES: Forgery[] = [
  { name: 'for another audience', changes: { audience: 'https://other.example/metadata' } },
  byProvider('without conditions', [CONDITIONS, '']),
  byProvider('with empty conditions', [CONDITIONS, '<saml:Conditions/>']),
  byProvider('with duplicate conditions', [CONDITIONS, '$&$&']),
  byProvider('without an audience restriction', [RESTRICTION, '']),
  byProvider('without an audience in the restriction', [AUDIENCE, '']),
  byProvider('with an empty audience', [AUDIENCE, '<saml:Audience></saml:Audience>']),
  byProvider('for an audience that starts with ours', ['</saml:Audience>', '.evil.example$&']),
  byProvider('for an audience that ends with ours', ['<saml:Audience>', '$&https://evil.example/']),
  byProvider('for our audience in upper case', [/(<saml:Audience>)http/, '$1HTTP']),
  byProvider('with a second restriction to other audiences', [
    RESTRICTION,
    '$&<saml:AudienceRestriction><saml:Audience>https://other.example/</saml:Audience></saml:AudienceRestriction>',
  ]),
  byProvider('an audience outside of its restriction', [
    RESTRICTION,
    '<saml:Audience>https://other.example/</saml:Audience>',
  ]),
];

const RECIPIENTS: Forgery[] = [
  { name: 'for another recipient', changes: { recipient: 'https://other.example/acs' } },
  { name: 'for another destination', changes: { destination: 'https://other.example/acs' } },
  { name: 'with an empty destination', changes: { destination: '' } },
  byProvider('for our URL with a suffix', [RECIPIENT, 'Recipient="$1/evil"']),
  byProvider('for our URL with a query', [RECIPIENT, 'Recipient="$1?evil"']),
  byProvider('for our URL in upper case', [/Recipient="http/, 'Recipient="HTTP']),
  byProvider('without a recipient', [RECIPIENT, '']),
  byProvider('with an empty recipient', [RECIPIENT, 'Recipient=""']),
  byProvider('without a confirmation', [CONFIRMATION, '']),
  byProvider('with an empty confirmation', [DATA, '']),
  byProvider('confirmed with a holder-of-key method', ['cm:bearer', 'cm:holder-of-key']),
  byProvider('confirmed with sender-vouches', ['cm:bearer', 'cm:sender-vouches']),
  byProvider('confirmed with an unknown method', ['cm:bearer', 'cm:BEARER']),
  byProvider('confirmed as holder-of-key here and as bearer elsewhere', [
    CONFIRMATION,
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${at(5)}" Recipient="https://other.example/acs"/></saml:SubjectConfirmation>`,
  ]),
  { name: 'in response to another request', changes: { inResponseTo: '_another' } },
  { name: 'in response to a request without an id', changes: { inResponseTo: '' } },
  byProvider('in response to another request, in the assertion', [
    /(SubjectConfirmationData[^>]*InResponseTo=")[^"]*/,
    '$1_another',
  ]),
  byProvider('without InResponseTo in the assertion', [/(SubjectConfirmationData[^>]*) InResponseTo="[^"]*"/, '$1']),
  byProvider('in response to another request, in the response element', [
    /InResponseTo="[^"]*"/,
    'InResponseTo="_another"',
  ]),
  byProvider('without InResponseTo in the response element', [/ InResponseTo="[^"]*"/, '']),
  { name: 'of another issuer', changes: { issuer: 'https://other.example/metadata' } },
  byProvider('with another issuer of the response', [/(<saml:Issuer>)[^<]*/, '$1https://other.example/metadata']),
  byProvider('with another issuer of the assertion', [
    /(<saml:Assertion [^>]*><saml:Issuer>)[^<]*/,
    '$1https://other.example/metadata',
  ]),
  byProvider('with two issuers of the assertion', [
    /<saml:Subject>/,
    '<saml:Issuer>https://other.example/metadata</saml:Issuer>$&',
  ]),
];

const CONTENTS: Forgery[] = [
  ...['Responder', 'Requester', 'VersionMismatch', 'AuthnFailed'].map((status) => ({
    name: `that says ${status}`,
    changes: { status: `urn:oasis:names:tc:SAML:2.0:status:${status}` },
  })),
  byProvider('without a status', [/<samlp:Status>.*<\/samlp:Status>/, '']),
  byProvider('with two statuses, one of them a failure', [
    /<samlp:Status>/,
    '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"/></samlp:Status>$&',
  ]),
  byProvider('without an issuer of the assertion', [
    /(<saml:Assertion [^>]*>)<saml:Issuer>[^<]*<\/saml:Issuer>/,
    '$1<saml:Other><saml:Issuer>urn:x</saml:Issuer></saml:Other>',
  ]),
  byProvider('with an older version of the response', ['Version="2.0"', 'Version="1.1"']),
  byProvider('with an older version of the assertion', [/(<saml:Assertion [^>]*)Version="2.0"/, '$1Version="1.1"']),
  byProvider('without a subject', [SUBJECT, '']),
  byProvider('about two subjects', [SUBJECT, '$&$&']),
  byProvider('without a name', [NAME_ID, '']),
  byProvider('with an empty name', [NAME_ID, '<saml:NameID/>']),
  byProvider('with two names', [NAME_ID, `$&<saml:NameID>${EVIL}</saml:NameID>`]),
  byProvider('with an assertion without an id, in a signed response', [/(<saml:Assertion) ID="[^"]*"/, '$1']),
  byProvider('with an assertion with an empty id, in a signed response', [/(<saml:Assertion) ID="[^"]*"/, '$1 ID=""']),
  byProvider('without an assertion', [ASSERTION, '']),
  byProvider('with two assertions', [ASSERTION, `$&<saml:Assertion ID="_two" Version="2.0"/>`]),
  byProvider('with an encrypted assertion', [
    ASSERTION,
    '<saml:EncryptedAssertion><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#"/></saml:EncryptedAssertion>',
  ]),
  byProvider('with an additional encrypted assertion', [ASSERTION, '$&<saml:EncryptedAssertion/>']),
].map((forgery) =>
  // The whole response is signed, because some of these have no assertion to sign.
  ({ ...forgery, changes: { ...forgery.changes, signed: 'response' } }),
);

const doctype = (inside: string) => (response: string) => `<!DOCTYPE samlp:Response ${inside}>${response}`;
const withName = (name: string) => (response: string) => response.replace(/(<saml:NameID[^>]*>)[^<]+/, `$1${name}`);

/** Ten levels of ten: a billion laughs. */
const billionLaughs = Array.from(
  { length: 10 },
  (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
).join('');

const XML: Forgery[] = [
  sends('an internal entity', (response) => doctype(`[<!ENTITY who "${EVIL}">]`)(withName('&who;')(response))),
  sends('an entity from a file', (response) =>
    doctype('[<!ENTITY who SYSTEM "file:///etc/hostname">]')(withName('&who;')(response)),
  ),
  sends('an entity from a URL', (response) =>
    doctype('[<!ENTITY who SYSTEM "http://127.0.0.1:9/">]')(withName('&who;')(response)),
  ),
  sends('a public entity', (response) =>
    doctype('[<!ENTITY who PUBLIC "-//X//Y" "http://127.0.0.1:9/">]')(withName('&who;')(response)),
  ),
  sends('a parameter entity', doctype('[<!ENTITY % evil SYSTEM "http://127.0.0.1:9/evil.dtd"> %evil;]')),
  sends('an external document type', doctype('SYSTEM "http://127.0.0.1:9/evil.dtd"')),
  sends('a default attribute', doctype('[<!ATTLIST saml:Assertion Id CDATA "_evil">]')),
  sends('an id declared in the document type', doctype('[<!ATTLIST saml:NameID Format ID #IMPLIED>]')),
  sends('an empty document type', doctype('[]')),
  sends('a billion laughs', (response) => doctype(`[<!ENTITY l0 "ha">${billionLaughs}]`)(withName('&l10;')(response))),
  sends('many references to a large entity', (response) =>
    doctype(`[<!ENTITY who "${'a'.repeat(10_000)}">]`)(withName('&who;'.repeat(10_000))(response)),
  ),
  sends('a recursive entity', (response) => doctype('[<!ENTITY who "&who;">]')(withName('&who;')(response))),
  sends('an undeclared entity', withName('&who;')),
  sends('a document type after a comment', (response) => `<!-- -->${doctype('[]')(response)}`),
  sends('a document type in lower case', (response) => `<!doctype x>${response}`),
  sends('a leading processing instruction', (response) => `<?xml-stylesheet href="http://127.0.0.1:9/"?>${response}`),
  sends('a trailing processing instruction', (response) => `${response}<?evil ?>`),
  sends('a processing instruction in the name', (response) =>
    response.replace(/(<saml:NameID[^>]*>...)/, '$1<?evil ?>'),
  ),
  sends('a processing instruction in the signature', (response) => response.replace('<ds:DigestValue>', '$&<?evil ?>')),
  sends('an XML declaration in the middle', (response) =>
    response.replace('<samlp:Status>', '<?xml version="1.0"?>$&'),
  ),
  sends('XInclude', (response) =>
    response
      .replace(
        '<samlp:Status>',
        '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/hostname" parse="text"/>$&',
      )
      .replace(ASSERTION, ''),
  ),
  sends('an element in the name', (response) => response.replace(/(<saml:NameID[^>]*>)/, `$1<x>${EVIL}</x>`)),
  sends('text before the name', (response) => response.replace(/(<saml:NameID[^>]*>)/, '$1admin-')),
  sends('a CDATA section before the name', (response) =>
    response.replace(/(<saml:NameID[^>]*>)/, '$1<![CDATA[admin-]]>'),
  ),
  sends('a character reference before the name', (response) => response.replace(/(<saml:NameID[^>]*>)/, '$1&#97;')),
  sends('a zero-width character in the name', (response) => response.replace(/(<saml:NameID[^>]*>..)/, '$1\u200b')),
  sends('a NUL in the name', (response) => response.replace(/(<saml:NameID[^>]*>..)/, '$1\u0000')),
  sends('a NUL as a character reference', (response) => response.replace(/(<saml:NameID[^>]*>..)/, '$1&#0;')),
  sends('an unclosed comment', (response) => response.replace('<saml:NameID', '<!--$&')),
  sends('a comment with two hyphens', (response) => response.replace('<samlp:Status>', '<!-- -- -->$&')),
  sends('a duplicate attribute', (response) => response.replace(' Version="2.0"', ' Version="2.0" Version="2.0"')),
  sends('a duplicate attribute with two prefixes', (response) =>
    response
      .replace(' Version="2.0"', ' xmlns:a="urn:x" xmlns:b="urn:x" a:v="1" b:v="2" Version="2.0"')
      .replace('</samlp:Response>', ''),
  ),
  sends('an undeclared prefix', (response) => response.replace('<samlp:Status>', '<evil:x/>$&')),
  sends('the protocol in another namespace', (response) => response.replace('SAML:2.0:protocol', 'SAML:1.0:protocol')),
  sends('the assertion in another namespace', (response) =>
    response.replace('SAML:2.0:assertion', 'SAML:1.0:assertion'),
  ),
  sends('truncated in the middle', (response) => response.slice(0, response.length / 2)),
  sends('without its last character', (response) => response.slice(0, -1)),
  sends('with text after it', (response) => `${response}x`),
  sends('with text before it', (response) => `x${response}`),
  sends('with another document after it', (response) => `${response}<x/>`),
  sends('as a logout response', (response) => response.replaceAll('samlp:Response', 'samlp:LogoutResponse')),
  sends('nested nine thousand deep', (response) =>
    response.replace('<samlp:Status>', `${'<a>'.repeat(9000)}${'</a>'.repeat(9000)}$&`),
  ),
  sends('in UTF-16', (response) => Buffer.from(response, 'utf16le').toString('latin1')),
  sends('an empty string', () => ''),
  sends('text that is not XML', () => 'SAMLResponse'),
  sends('JSON', () => JSON.stringify({ Response: { Assertion: { NameID: EVIL } } })),
  sends('an empty response', () => '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>'),
];

export const STATEMENTS: Forgery[] = [...TIMES, ...AUDIENCES, ...RECIPIENTS, ...CONTENTS, ...XML];
