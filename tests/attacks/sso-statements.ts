/** SAML responses that the provider signed, but for somebody else, for another time, or that are not XML as it is written. */
import { ASSERTION, EVIL, type Forgery } from './sso-wrappings.ts';

const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** Builds a forgery that the provider itself says and signs. */
const says = (name: string, ...edits: [from: string | RegExp, to: string][]): Forgery => ({
  name,
  said: { edited: (response) => edits.reduce((text, [from, to]) => text.replace(from, to), response) },
});

/** Builds a forgery that the browser sends instead of what the provider signed. */
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
  { name: 'expired ten minutes ago', said: { expiresIn: -10 } },
  { name: 'expired a year ago', said: { expiresIn: -525_600 } },
  says('conditions that are over', [/(<saml:Conditions[^>]*NotOnOrAfter=")[^"]*/, `$1${at(-4)}`]),
  says('conditions that begin later', [/(<saml:Conditions NotBefore=")[^"]*/, `$1${at(60)}`]),
  says('conditions without a real date', [/(<saml:Conditions NotBefore=")[^"]*/, '$1tomorrow']),
  says('a confirmation that is over', [EXPIRY, `$1${at(-4)}`]),
  says('a confirmation that begins later', ['<saml:SubjectConfirmationData', `$& NotBefore="${at(60)}"`]),
  says('a confirmation that begins at no real time', ['<saml:SubjectConfirmationData', '$& NotBefore="later"']),
  says('a confirmation without an end', [EXPIRY, '$1'], [' NotOnOrAfter=""', '']),
  says('a confirmation without a real end', [EXPIRY, '$1never']),
  says('a confirmation with an empty end', [EXPIRY, '$1']),
  { name: 'a session that is over', said: { sessionEndsIn: -1 } },
];

const AUDIENCES: Forgery[] = [
  { name: 'for another audience', said: { audience: 'https://other.example/metadata' } },
  says('without conditions', [CONDITIONS, '']),
  says('with empty conditions', [CONDITIONS, '<saml:Conditions/>']),
  says('conditions twice', [CONDITIONS, '$&$&']),
  says('without a restriction of audience', [RESTRICTION, '']),
  says('without an audience in the restriction', [AUDIENCE, '']),
  says('with an empty audience', [AUDIENCE, '<saml:Audience></saml:Audience>']),
  says('for an audience that begins with ours', ['</saml:Audience>', '.evil.example$&']),
  says('for an audience that ends with ours', ['<saml:Audience>', '$&https://evil.example/']),
  says('for our audience in capitals', [/(<saml:Audience>)http/, '$1HTTP']),
  says('for us, and at the same time for others only', [
    RESTRICTION,
    '$&<saml:AudienceRestriction><saml:Audience>https://other.example/</saml:Audience></saml:AudienceRestriction>',
  ]),
  says('an audience outside of its restriction', [
    RESTRICTION,
    '<saml:Audience>https://other.example/</saml:Audience>',
  ]),
];

const RECIPIENTS: Forgery[] = [
  { name: 'for another recipient', said: { recipient: 'https://other.example/acs' } },
  { name: 'for another destination', said: { destination: 'https://other.example/acs' } },
  { name: 'for an empty destination', said: { destination: '' } },
  says('for our address with more behind it', [RECIPIENT, 'Recipient="$1/evil"']),
  says('for our address with a query', [RECIPIENT, 'Recipient="$1?evil"']),
  says('for our address in capitals', [/Recipient="http/, 'Recipient="HTTP']),
  says('without a recipient', [RECIPIENT, '']),
  says('with an empty recipient', [RECIPIENT, 'Recipient=""']),
  says('without a confirmation', [CONFIRMATION, '']),
  says('with an empty confirmation', [DATA, '']),
  says('confirmed for whoever holds a key', ['cm:bearer', 'cm:holder-of-key']),
  says('confirmed by the sender', ['cm:bearer', 'cm:sender-vouches']),
  says('confirmed by an unknown method', ['cm:bearer', 'cm:BEARER']),
  says('confirmed here by a key, and elsewhere by the bearer', [
    CONFIRMATION,
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${at(5)}" Recipient="https://other.example/acs"/></saml:SubjectConfirmation>`,
  ]),
  { name: 'in answer to another request', said: { inResponseTo: '_another' } },
  { name: 'in answer to no request by name', said: { inResponseTo: '' } },
  says('in answer to another request, inside', [/(SubjectConfirmationData[^>]*InResponseTo=")[^"]*/, '$1_another']),
  says('in answer to none, inside', [/(SubjectConfirmationData[^>]*) InResponseTo="[^"]*"/, '$1']),
  says('in answer to another request, outside', [/InResponseTo="[^"]*"/, 'InResponseTo="_another"']),
  says('in answer to none, outside', [/ InResponseTo="[^"]*"/, '']),
  { name: 'of another issuer', said: { issuer: 'https://other.example/metadata' } },
  says('of another issuer outside', [/(<saml:Issuer>)[^<]*/, '$1https://other.example/metadata']),
  says('of another issuer inside', [/(<saml:Assertion [^>]*><saml:Issuer>)[^<]*/, '$1https://other.example/metadata']),
  says('of two issuers inside', [/<saml:Subject>/, '<saml:Issuer>https://other.example/metadata</saml:Issuer>$&']),
];

const CONTENTS: Forgery[] = [
  ...['Responder', 'Requester', 'VersionMismatch', 'AuthnFailed'].map((status) => ({
    name: `that says ${status}`,
    said: { status: `urn:oasis:names:tc:SAML:2.0:status:${status}` },
  })),
  says('without a status', [/<samlp:Status>.*<\/samlp:Status>/, '']),
  says('with two statuses, one of them a failure', [
    /<samlp:Status>/,
    '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"/></samlp:Status>$&',
  ]),
  says('without an issuer inside', [
    /(<saml:Assertion [^>]*>)<saml:Issuer>[^<]*<\/saml:Issuer>/,
    '$1<saml:Other><saml:Issuer>urn:x</saml:Issuer></saml:Other>',
  ]),
  says('of an older version outside', ['Version="2.0"', 'Version="1.1"']),
  says('of an older version inside', [/(<saml:Assertion [^>]*)Version="2.0"/, '$1Version="1.1"']),
  says('about nobody', [SUBJECT, '']),
  says('about two subjects', [SUBJECT, '$&$&']),
  says('without a name', [NAME_ID, '']),
  says('with an empty name', [NAME_ID, '<saml:NameID/>']),
  says('with two names', [NAME_ID, `$&<saml:NameID>${EVIL}</saml:NameID>`]),
  says('with an assertion without an id, in a signed response', [/(<saml:Assertion) ID="[^"]*"/, '$1']),
  says('with an assertion with an empty id, in a signed response', [/(<saml:Assertion) ID="[^"]*"/, '$1 ID=""']),
  says('without an assertion', [ASSERTION, '']),
  says('with two assertions', [ASSERTION, `$&<saml:Assertion ID="_two" Version="2.0"/>`]),
  says('with an encrypted assertion', [
    ASSERTION,
    '<saml:EncryptedAssertion><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#"/></saml:EncryptedAssertion>',
  ]),
  says('with an encrypted assertion beside it', [ASSERTION, '$&<saml:EncryptedAssertion/>']),
].map((forgery) =>
  // The whole response is signed, since some of these have no assertion that could be.
  ({ ...forgery, said: { ...forgery.said, signed: 'response' } }),
);

const doctype = (inside: string) => (response: string) => `<!DOCTYPE samlp:Response ${inside}>${response}`;
const named = (name: string) => (response: string) => response.replace(/(<saml:NameID[^>]*>)[^<]+/, `$1${name}`);

/** Ten levels of ten: a billion laughs. */
const laughs = Array.from({ length: 10 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join(
  '',
);

const XML: Forgery[] = [
  sends('an inner entity', (response) => doctype(`[<!ENTITY who "${EVIL}">]`)(named('&who;')(response))),
  sends('an entity that is a file', (response) =>
    doctype('[<!ENTITY who SYSTEM "file:///etc/hostname">]')(named('&who;')(response)),
  ),
  sends('an entity at an address', (response) =>
    doctype('[<!ENTITY who SYSTEM "http://127.0.0.1:9/">]')(named('&who;')(response)),
  ),
  sends('a public entity', (response) =>
    doctype('[<!ENTITY who PUBLIC "-//X//Y" "http://127.0.0.1:9/">]')(named('&who;')(response)),
  ),
  sends('a parameter entity', doctype('[<!ENTITY % evil SYSTEM "http://127.0.0.1:9/evil.dtd"> %evil;]')),
  sends('an outer document type', doctype('SYSTEM "http://127.0.0.1:9/evil.dtd"')),
  sends('an attribute by default', doctype('[<!ATTLIST saml:Assertion Id CDATA "_evil">]')),
  sends('an id by declaration', doctype('[<!ATTLIST saml:NameID Format ID #IMPLIED>]')),
  sends('an empty document type', doctype('[]')),
  sends('a billion laughs', (response) => doctype(`[<!ENTITY l0 "ha">${laughs}]`)(named('&l10;')(response))),
  sends('a large entity many times', (response) =>
    doctype(`[<!ENTITY who "${'a'.repeat(10_000)}">]`)(named('&who;'.repeat(10_000))(response)),
  ),
  sends('an entity of itself', (response) => doctype('[<!ENTITY who "&who;">]')(named('&who;')(response))),
  sends('an entity that nobody declared', named('&who;')),
  sends('a document type after a comment', (response) => `<!-- -->${doctype('[]')(response)}`),
  sends('a document type in small letters', (response) => `<!doctype x>${response}`),
  sends('an instruction before', (response) => `<?xml-stylesheet href="http://127.0.0.1:9/"?>${response}`),
  sends('an instruction after', (response) => `${response}<?evil ?>`),
  sends('an instruction in the name', (response) => response.replace(/(<saml:NameID[^>]*>...)/, '$1<?evil ?>')),
  sends('an instruction in the signature', (response) => response.replace('<ds:DigestValue>', '$&<?evil ?>')),
  sends('a declaration in the middle', (response) => response.replace('<samlp:Status>', '<?xml version="1.0"?>$&')),
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
  sends('a section of text before the name', (response) =>
    response.replace(/(<saml:NameID[^>]*>)/, '$1<![CDATA[admin-]]>'),
  ),
  sends('a reference to a sign before the name', (response) => response.replace(/(<saml:NameID[^>]*>)/, '$1&#97;')),
  sends('a sign of no width in the name', (response) => response.replace(/(<saml:NameID[^>]*>..)/, '$1\u200b')),
  sends('a NUL in the name', (response) => response.replace(/(<saml:NameID[^>]*>..)/, '$1\u0000')),
  sends('a NUL by its number', (response) => response.replace(/(<saml:NameID[^>]*>..)/, '$1&#0;')),
  sends('a comment that does not end', (response) => response.replace('<saml:NameID', '<!--$&')),
  sends('a comment with two hyphens', (response) => response.replace('<samlp:Status>', '<!-- -- -->$&')),
  sends('an attribute twice', (response) => response.replace(' Version="2.0"', ' Version="2.0" Version="2.0"')),
  sends('an attribute twice by two prefixes', (response) =>
    response
      .replace(' Version="2.0"', ' xmlns:a="urn:x" xmlns:b="urn:x" a:v="1" b:v="2" Version="2.0"')
      .replace('</samlp:Response>', ''),
  ),
  sends('a prefix that nobody declared', (response) => response.replace('<samlp:Status>', '<evil:x/>$&')),
  sends('the protocol under another address', (response) => response.replace('SAML:2.0:protocol', 'SAML:1.0:protocol')),
  sends('the assertion under another address', (response) =>
    response.replace('SAML:2.0:assertion', 'SAML:1.0:assertion'),
  ),
  sends('cut off in the middle', (response) => response.slice(0, response.length / 2)),
  sends('without its last sign', (response) => response.slice(0, -1)),
  sends('with text behind it', (response) => `${response}x`),
  sends('with text before it', (response) => `x${response}`),
  sends('with another document behind it', (response) => `${response}<x/>`),
  sends('as another document', (response) => response.replaceAll('samlp:Response', 'samlp:LogoutResponse')),
  sends('nested nine thousand deep', (response) =>
    response.replace('<samlp:Status>', `${'<a>'.repeat(9000)}${'</a>'.repeat(9000)}$&`),
  ),
  sends('in UTF-16', (response) => Buffer.from(response, 'utf16le').toString('latin1')),
  sends('nothing', () => ''),
  sends('no XML', () => 'SAMLResponse'),
  sends('JSON', () => JSON.stringify({ Response: { Assertion: { NameID: EVIL } } })),
  sends('an empty response', () => '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>'),
];

export const STATEMENTS: Forgery[] = [...TIMES, ...AUDIENCES, ...RECIPIENTS, ...CONTENTS, ...XML];
