/** SAML responses with manipulated signatures. The reference, algorithm, key or canonicalization is changed. */
import { createHmac, createPublicKey, createSign, generateKeyPairSync } from 'node:crypto';
import type { TestIdentityProvider } from '../support/identity-provider.ts';
import { type Forgery, insertVictim, match } from './saml-signature-wrapping.ts';

const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SIGNED_INFO = /<ds:SignedInfo>.*<\/ds:SignedInfo>/s;
const VALUE = /(<ds:SignatureValue>)[^<]*/;
const DIGEST = /(<ds:DigestValue>)([^<]*)/;
const TRANSFORMS = /<ds:Transforms>.*<\/ds:Transforms>/s;
const KEY_INFO = /<ds:KeyInfo>.*<\/ds:KeyInfo>/s;

const ENVELOPED = `${XMLDSIG}enveloped-signature`;
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** Returns the bytes to sign, which are SignedInfo in exclusive canonical form. */
function canonical(signedInfo: string): string {
  return signedInfo
    .replace('<ds:SignedInfo>', `<ds:SignedInfo xmlns:ds="${XMLDSIG}">`)
    .replaceAll(/<([\w:]+)([^<>]*)\/>/g, '<$1$2></$1>');
}

/** Signs the current SignedInfo again. */
const signWith = (sign: (bytes: string) => string) => (response: string) =>
  response.replace(VALUE, (_, tag: string) => `${tag}${sign(canonical(match(SIGNED_INFO, response)))}`);

/** Returns a function that signs the current SignedInfo of a response with that key. */
export const resign = (privateKey: string, hash = 'sha256') =>
  signWith((bytes) => createSign(hash).update(bytes).sign(privateKey, 'base64'));

const method = (algorithm: string) => (response: string) =>
  response.replace(`<ds:SignatureMethod Algorithm="${RSA_SHA256}"`, `<ds:SignatureMethod Algorithm="${algorithm}"`);

/** Changes or removes the reference URI of the signature. */
const withReference = (uri: string) => (response: string) =>
  response.replace(/(<ds:Reference) URI="[^"]*"/, `$1${uri}`);

const transforms = (...algorithms: string[]) => {
  const list = algorithms.map((algorithm) => `<ds:Transform Algorithm="${algorithm}"/>`).join('');
  return (response: string) => response.replace(TRANSFORMS, () => `<ds:Transforms>${list}</ds:Transforms>`);
};

/**
 * Returns two forgeries. The first is the response with this change. The second is the changed response, signed again
 * by the provider, so it can only be rejected for its content.
 */
function pair(idp: TestIdentityProvider, name: string, alter: (response: string) => string): Forgery[] {
  return [
    { name, alter },
    { name: `${name}, signed by the provider`, alter: (response) => resign(idp.privateKey)(alter(response)) },
  ];
}

function references(idp: TestIdentityProvider): Forgery[] {
  const reference = /<ds:Reference .*<\/ds:Reference>/s;
  return [
    ...pair(idp, 'no reference', (response) => response.replace(reference, '')),
    ...pair(idp, 'a reference to everything', withReference(' URI=""')),
    ...pair(idp, 'a reference without a URI', withReference('')),
    ...pair(idp, 'a reference to the whole document by XPointer', withReference(' URI="#xpointer(/)"')),
    ...pair(idp, 'a reference to a missing id', withReference(' URI="#_elsewhere"')),
    ...pair(idp, 'a reference with a query', withReference(` URI="#x' or '1'='1"`)),
    ...pair(idp, 'a reference to a file', withReference(' URI="file:///etc/hostname"')),
    ...pair(idp, 'a reference to a server', withReference(' URI="http://127.0.0.1:9/"')),
    ...pair(idp, 'a reference to the response', (response) =>
      withReference(` URI="#${/ID="([^"]+)"/.exec(response)?.[1] ?? ''}"`)(response),
    ),
    ...pair(idp, 'two references', (response) => response.replace(reference, (element) => `${element}${element}`)),
    {
      name: 'two SignedInfo elements, the forged one first',
      alter: (response) =>
        insertVictim(response).replace(SIGNED_INFO, (info) => `${info.replace(DIGEST, '$1AAAA')}${info}`),
    },
    {
      name: 'two SignedInfo elements, the forged one second',
      alter: (response) =>
        insertVictim(response).replace(SIGNED_INFO, (info) => `${info}${info.replace(DIGEST, '$1AAAA')}`),
    },
    {
      name: 'two digests',
      alter: (response) =>
        insertVictim(response).replace('</ds:DigestValue>', '</ds:DigestValue><ds:DigestValue>AAAA</ds:DigestValue>'),
    },
    { name: 'another digest', alter: (response) => insertVictim(response).replace(DIGEST, '$1AAAA') },
    { name: 'no digest', alter: (response) => insertVictim(response).replace(DIGEST, '$1') },
    {
      name: 'another digest in a comment',
      alter: (response) => insertVictim(response).replace(DIGEST, '$1<!--AAAA-->$2'),
    },
    {
      name: 'the correct digest in a comment',
      alter: (response) => insertVictim(response).replace(DIGEST, '$1AAAA<!--$2-->'),
    },
    { name: 'an empty value', alter: (response) => response.replace(VALUE, '$1') },
    {
      name: 'a truncated value',
      alter: (response) => response.replace(/.{8}<\/ds:SignatureValue>/, '</ds:SignatureValue>'),
    },
    {
      name: 'a value of zeros',
      alter: (response) => response.replace(VALUE, `$1${Buffer.alloc(256).toString('base64')}`),
    },
    {
      name: 'a value of one',
      alter: (response) => response.replace(VALUE, `$1${Buffer.alloc(256).fill(1, 255).toString('base64')}`),
    },
    { name: 'no value', alter: (response) => response.replace(/<ds:SignatureValue>.*<\/ds:SignatureValue>/s, '') },
    { name: 'no SignedInfo', alter: (response) => response.replace(SIGNED_INFO, '') },
  ];
}

function algorithms(idp: TestIdentityProvider): Forgery[] {
  const publicKey = createPublicKey(idp.certificate);
  const secrets: [name: string, secret: string | Buffer][] = [
    ['the certificate', idp.certificate],
    ['the certificate without PEM armor', idp.certificate.replaceAll(/-----[^-]+-----|\s/g, '')],
    ['the bytes of the certificate', Buffer.from(idp.certificate.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')],
    ['the public key', publicKey.export({ type: 'spki', format: 'pem' })],
    ['the bytes of the public key', publicKey.export({ type: 'spki', format: 'der' })],
    ['nothing', ''],
  ];
  const hmacs = secrets.flatMap(([name, secret]) =>
    [
      ['sha1', `${XMLDSIG}hmac-sha1`] as const,
      ['sha256', 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256'] as const,
    ].map(([hash, algorithm]) => ({
      name: `HMAC by ${hash} with ${name} as its secret`,
      alter: (response: string) =>
        signWith((bytes) => createHmac(hash, secret).update(bytes).digest('base64'))(method(algorithm)(response)),
    })),
  );
  return [
    ...hmacs,
    {
      name: 'RSA with SHA-1, signed by the provider',
      alter: (response) => resign(idp.privateKey, 'sha1')(method(`${XMLDSIG}rsa-sha1`)(response)),
    },
    ...[
      '',
      'none',
      `${XMLDSIG}dsa-sha1`,
      'http://www.w3.org/2001/04/xmldsig-more#rsa-md5',
      RSA_SHA256.toUpperCase(),
    ].flatMap((algorithm) => pair(idp, `a signature by “${algorithm}”`, method(algorithm))),
    ...[`${XMLDSIG}sha1`, 'http://www.w3.org/2001/04/xmldsig-more#md5', 'none'].flatMap((digest) =>
      pair(idp, `a digest by “${digest}”`, (response) =>
        response.replace(
          '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"',
          `<ds:DigestMethod Algorithm="${digest}"`,
        ),
      ),
    ),
    ...pair(idp, 'an unknown canonicalization', (response) =>
      response.replace(
        `<ds:CanonicalizationMethod Algorithm="${EXCLUSIVE}"`,
        '<ds:CanonicalizationMethod Algorithm="urn:evil"',
      ),
    ),
    ...[
      ['http://www.w3.org/TR/1999/REC-xslt-19991116'],
      ['http://www.w3.org/TR/1999/REC-xpath-19991116'],
      ['http://www.w3.org/2002/06/xmldsig-filter2'],
      [`${XMLDSIG}base64`],
      [ENVELOPED, EXCLUSIVE, 'http://www.w3.org/TR/1999/REC-xslt-19991116'],
      [ENVELOPED, ENVELOPED, EXCLUSIVE],
      [ENVELOPED, EXCLUSIVE, EXCLUSIVE, EXCLUSIVE],
      [EXCLUSIVE],
    ].flatMap((list) => pair(idp, `the transforms ${list.join(', ')}`, transforms(...list))),
    ...pair(idp, 'a transform with a style sheet', (response) =>
      response.replace(
        TRANSFORMS,
        '<ds:Transforms><ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"><xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform" version="1.0"><xsl:template match="/"><xsl:value-of select="document(\'file:///etc/hostname\')"/></xsl:template></xsl:stylesheet></ds:Transform></ds:Transforms>',
      ),
    ),
  ];
}

function keys(idp: TestIdentityProvider, attacker: TestIdentityProvider): Forgery[] {
  const stripPem = (certificate: string) => certificate.replaceAll(/-----[^-]+-----|\s/g, '');
  const withCertificate = (certificate: string) => (response: string) =>
    response.replace(
      KEY_INFO,
      `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${stripPem(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`,
    );
  const { n, e } = createPublicKey(attacker.certificate).export({ format: 'jwk' });
  const value = (text: string | undefined) => Buffer.from(text ?? '', 'base64url').toString('base64');
  const shortKey = String(
    generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  );
  const signByAttacker = resign(attacker.privateKey);
  return [
    { name: 'signed by an attacker', alter: signByAttacker },
    {
      name: 'signed by an attacker, with their certificate',
      alter: (response) => signByAttacker(withCertificate(attacker.certificate)(response)),
    },
    {
      name: 'signed by an attacker, with the certificate of the provider',
      alter: (response) => signByAttacker(withCertificate(idp.certificate)(response)),
    },
    {
      name: 'signed by an attacker, with both certificates',
      alter: (response) =>
        signByAttacker(
          response.replace(
            '</ds:X509Data>',
            `<ds:X509Certificate>${stripPem(attacker.certificate)}</ds:X509Certificate></ds:X509Data>`,
          ),
        ),
    },
    {
      name: 'signed by an attacker, with their key as numbers',
      alter: (response) =>
        signByAttacker(
          response.replace(
            KEY_INFO,
            `<ds:KeyInfo><ds:KeyValue><ds:RSAKeyValue><ds:Modulus>${value(n)}</ds:Modulus><ds:Exponent>${value(e)}</ds:Exponent></ds:RSAKeyValue></ds:KeyValue></ds:KeyInfo>`,
          ),
        ),
    },
    {
      name: 'signed by an attacker, with their key at a URL',
      alter: (response) =>
        signByAttacker(
          response.replace(KEY_INFO, `<ds:KeyInfo><ds:RetrievalMethod URI="${attacker.url}/metadata"/></ds:KeyInfo>`),
        ),
    },
    {
      name: 'signed by an attacker, without a key',
      alter: (response) => signByAttacker(response.replace(KEY_INFO, '')),
    },
    { name: 'signed with a key of 1,024 bits', alter: resign(shortKey) },
  ];
}

/** @param attacker an identity provider that is not registered */
export function signatureForgeries(idp: TestIdentityProvider, attacker: TestIdentityProvider): Forgery[] {
  return [...references(idp), ...algorithms(idp), ...keys(idp, attacker)];
}
