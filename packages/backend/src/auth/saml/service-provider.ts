/** The service provider of SAML 2.0: requests to identity providers, and verification of their responses. */
import type { SamlConfig } from '@node-saml/node-saml';
import type { AuthCall } from '../auth-call.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { ASSERTION } from './namespaces.ts';
import { isSigned, requireResponseShape, SamlResponseError } from './response-shape.ts';
import { childrenNamed, parseXml, type XmlElement, XmlError } from './xml.ts';

/** Tolerated clock skew of an identity provider, in milliseconds. */
export const CLOCK_SKEW_MS = 3 * 60_000;

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const EMAIL_ADDRESS = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** Our URLs for identity providers, which are those of Supabase Auth. */
export function serviceUrls(call: AuthCall) {
  const base = `${call.siteUrl}/auth/v1/sso/saml`;
  return { entityId: `${base}/metadata`, acsUrl: `${base}/acs` };
}

/** Returns our metadata, for identity providers. */
export async function serviceProviderMetadata(call: AuthCall): Promise<string> {
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml');
  const { entityId, acsUrl } = serviceUrls(call);
  const { privateKey, certificate } = await call.auth.samlKey();
  const metadata = generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl: acsUrl,
    privateKey,
    publicCerts: certificate,
    signatureAlgorithm: 'sha256',
    identifierFormat: EMAIL_ADDRESS,
    wantAssertionsSigned: true,
  });
  return metadata.replace(
    /<NameIDFormat>.*<\/NameIDFormat>/,
    (format) => `${format}\n    ${format.replace(EMAIL_ADDRESS, PERSISTENT)}`,
  );
}

/** Returns the sign-in URL at the identity provider, with a signed request that has this id. */
export async function signInUrl(
  call: AuthCall,
  provider: IdentityProvider,
  { requestId, relayState, nameIdFormat }: { requestId: string; relayState: string; nameIdFormat: string | null },
): Promise<string> {
  const { privateKey, certificate } = await call.auth.samlKey();
  const saml = await createSaml(call, provider, {
    privateKey,
    publicCert: certificate,
    signatureAlgorithm: 'sha256',
    generateUniqueId: () => requestId,
    identifierFormat: nameIdFormat ?? PERSISTENT,
  });
  return saml.getAuthorizeUrlAsync(relayState, undefined, {});
}

/**
 * Verifies a response and returns its signed assertion.
 * @param source the XML
 * @param requestId id of our request; undefined if the identity provider started the sign-in
 * @throws SamlResponseError
 */
export async function verifyResponse(
  call: AuthCall,
  provider: IdentityProvider,
  source: string,
  requestId: string | undefined,
): Promise<XmlElement> {
  const { acsUrl } = serviceUrls(call);
  const response = parseResponse(source);
  requireResponseShape(response);
  const destination = response.attributes.get('Destination');
  if (destination !== undefined && destination !== acsUrl)
    throw new SamlResponseError('the response is for another URL');
  if (response.attributes.get('InResponseTo') !== requestId) {
    throw new SamlResponseError('the response belongs to another request');
  }
  const assertion = await signedAssertion(call, provider, response, source);
  const issuers = [response, assertion].flatMap((element) => childrenNamed(element, 'Issuer', ASSERTION));
  if (!issuers.every(({ text }) => text.trim() === provider.entityId)) {
    throw new SamlResponseError('the response is from another identity provider');
  }
  requireConfirmation(assertion, acsUrl, requestId);
  return assertion;
}

/** Parses the XML of a posted response. @throws SamlResponseError */
export function parseResponse(source: string): XmlElement {
  try {
    return parseXml(source);
  } catch (error) {
    if (error instanceof XmlError) throw new SamlResponseError(error.message);
    throw error;
  }
}

/**
 * Verifies signature, audience and times with the library, and returns the signed assertion. One signature is enough.
 * If there are several, all must be valid, because an invalid one means that the content was changed.
 */
async function signedAssertion(
  call: AuthCall,
  provider: IdentityProvider,
  response: XmlElement,
  source: string,
): Promise<XmlElement> {
  const saml = await createSaml(call, provider, {
    wantAuthnResponseSigned: isSigned(response),
    wantAssertionsSigned: childrenNamed(response, 'Assertion', ASSERTION).some(isSigned),
  });
  const SAMLResponse = Buffer.from(source).toString('base64');
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse }).catch((error: unknown) => {
    throw new SamlResponseError(error instanceof Error ? error.message : 'the response is not valid', { cause: error });
  });
  const assertion = parseResponse(profile?.getAssertionXml?.() ?? '');
  if (assertion.name !== 'Assertion' || assertion.namespace !== ASSERTION) {
    throw new SamlResponseError('the signed element is not an assertion');
  }
  return assertion;
}

/** Requires one bearer confirmation that is valid for this recipient, time and request. */
function requireConfirmation(assertion: XmlElement, acsUrl: string, requestId: string | undefined): void {
  const confirmations = childrenNamed(assertion, 'Subject', ASSERTION)
    .flatMap((subject) => childrenNamed(subject, 'SubjectConfirmation', ASSERTION))
    .filter(({ attributes }) => attributes.get('Method') === BEARER)
    .flatMap((confirmation) => childrenNamed(confirmation, 'SubjectConfirmationData', ASSERTION));
  const isConfirmed = confirmations.some(
    ({ attributes }) =>
      attributes.get('Recipient') === acsUrl &&
      attributes.get('InResponseTo') === requestId &&
      // A confirmation with NotBefore is not allowed (saml-profiles-2.0-os, 4.1.4.2).
      !attributes.has('NotBefore') &&
      isBefore(Date.now() - CLOCK_SKEW_MS, attributes.get('NotOnOrAfter')),
  );
  if (!isConfirmed) throw new SamlResponseError('the subject confirmation does not match this URL, request and time');
}

function isBefore(now: number, time: string | undefined): boolean {
  return time !== undefined && now < Date.parse(time);
}

/** The library is loaded on the first use of single sign-on, to keep startup fast. */
async function createSaml(call: AuthCall, provider: IdentityProvider, options: Partial<SamlConfig>) {
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml');
  const { entityId, acsUrl } = serviceUrls(call);
  return new SAML({
    entryPoint: provider.signInUrl,
    idpCert: provider.certificates,
    idpIssuer: provider.entityId,
    issuer: entityId,
    audience: entityId,
    callbackUrl: acsUrl,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    // Requests are stored in the database, where each is redeemed once.
    validateInResponseTo: ValidateInResponseTo.never,
    disableRequestedAuthnContext: true,
    ...options,
  });
}
