/**
 * The accepted structure of a SAML response: exactly one assertion, with the assertion and signatures at fixed
 * positions. This prevents signature wrapping attacks, which move the signed assertion and insert another one in its
 * place. The signatures themselves are checked afterwards (service-provider.ts).
 */
import { ASSERTION, PROTOCOL, SIGNATURES } from './namespaces.ts';
import { childrenNamed, withDescendants, type XmlElement } from './xml.ts';

/** A rejected response, with a message for the log. */
export class SamlResponseError extends Error {}

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** Accepted algorithms. SHA-1 is broken. HMAC is excluded, because attackers could use the public key as its secret. */
const ALGORITHMS = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  ],
  DigestMethod: ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
};

/** @throws SamlResponseError */
export function requireResponseShape(response: XmlElement): void {
  if (!isNamed(response, 'Response', PROTOCOL)) throw new SamlResponseError('the document is not a SAML response');
  requireSuccess(response);
  const elements = withDescendants(response);
  const [assertion, ...otherAssertions] = elements.filter(({ name }) => name.endsWith('Assertion'));
  if (!assertion) throw new SamlResponseError('the response has no assertion');
  if (otherAssertions.length > 0) throw new SamlResponseError('the response has several assertions');
  if (assertion.name === 'EncryptedAssertion') throw new SamlResponseError('encrypted assertions are not supported');
  if (!isNamed(assertion, 'Assertion', ASSERTION) || !response.children.includes(assertion)) {
    throw new SamlResponseError('the assertion is in the wrong place');
  }
  if (elements.filter(({ name }) => name === 'Response').length > 1) {
    throw new SamlResponseError('the response contains another response');
  }
  requireUniqueIds(elements);
  requireOneStatement(response, assertion);
  const signatures = elements.filter(({ name }) => name === 'Signature');
  if (signatures.length === 0) throw new SamlResponseError('the response has no signature');
  for (const signature of signatures) {
    const parents = [response, assertion].filter(({ children }) => children.includes(signature));
    if (!parents[0]) throw new SamlResponseError('a signature is in the wrong place');
    requireEnvelopedSignature(parents[0], signature);
  }
}

/** @throws SamlResponseError with the identity provider's status if the sign-in failed */
function requireSuccess(response: XmlElement): void {
  const status = childrenNamed(response, 'Status', PROTOCOL)[0];
  const code = status && childrenNamed(status, 'StatusCode', PROTOCOL)[0];
  const value = code?.attributes.get('Value');
  if (value === SUCCESS) return;
  const detail = code && childrenNamed(code, 'StatusCode', PROTOCOL)[0]?.attributes.get('Value');
  throw new SamlResponseError(`the identity provider responded ${detail ?? value ?? 'without a status'}`);
}

function requireUniqueIds(elements: XmlElement[]): void {
  const ids = elements.flatMap(({ attributes }) =>
    [...attributes].flatMap(([name, id]) => (/^id$/i.test(name) ? [id] : [])),
  );
  if (new Set(ids).size < ids.length) throw new SamlResponseError('an ID is used twice');
}

/** Requires the supported version, and exactly one assertion, issuer and subject. */
function requireOneStatement(response: XmlElement, assertion: XmlElement): void {
  if (![response, assertion].every(({ attributes }) => attributes.get('Version') === '2.0')) {
    throw new SamlResponseError('the response is not SAML 2.0');
  }
  if (!assertion.attributes.get('ID')) throw new SamlResponseError('the assertion has no ID');
  if (childrenNamed(assertion, 'Issuer', ASSERTION).length !== 1) {
    throw new SamlResponseError('the assertion must have exactly one issuer');
  }
  const subjects = childrenNamed(assertion, 'Subject', ASSERTION);
  const nameIds = subjects.flatMap((subject) => childrenNamed(subject, 'NameID', ASSERTION));
  if (subjects.length > 1 || nameIds.length > 1) throw new SamlResponseError('the assertion has several subjects');
}

/** Requires a single reference, to the element that contains the signature, and accepted algorithms. */
function requireEnvelopedSignature(parent: XmlElement, signature: XmlElement): void {
  const references = withDescendants(signature).filter(({ name }) => name === 'Reference');
  const id = parent.attributes.get('ID');
  const referencesParent =
    isNamed(signature, 'Signature', SIGNATURES) &&
    childrenNamed(parent, 'Signature', SIGNATURES).length === 1 &&
    childrenNamed(signature, 'Object', SIGNATURES).length === 0 &&
    references.length === 1 &&
    !!id &&
    references[0]?.attributes.get('URI') === `#${id}`;
  if (!referencesParent) throw new SamlResponseError('a signature does not reference its parent element');
  for (const [name, acceptedAlgorithms] of Object.entries(ALGORITHMS)) {
    const methods = withDescendants(signature).filter((element) => element.name === name);
    if (methods.length !== 1 || !acceptedAlgorithms.includes(methods[0]?.attributes.get('Algorithm') ?? '')) {
      throw new SamlResponseError(`the ${name} of a signature is not supported`);
    }
  }
}

/** Returns whether the element has its own signature, valid or not. */
export function isSigned(element: XmlElement): boolean {
  return childrenNamed(element, 'Signature', SIGNATURES).length > 0;
}

function isNamed(element: XmlElement, name: string, namespace: string): boolean {
  return element.name === name && element.namespace === namespace;
}
