/** Metadata of SAML identity providers: the used parts of an EntityDescriptor (saml-metadata-2.0-os, section 2). */
import { X509Certificate } from 'node:crypto';
import { authError } from '../error-codes.ts';
import { METADATA, PROTOCOL, SIGNATURES } from './namespaces.ts';
import { childrenNamed, parseXml, type XmlElement, XmlError } from './xml.ts';

const HTTP_REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

export interface IdentityProvider {
  entityId: string;
  /** Sign-in URL. */
  signInUrl: string;
  /** The certificates that verify its signatures, as base64. */
  certificates: string[];
}

/**
 * Parses the metadata of one identity provider.
 * @throws ApiError 400 validation_failed
 */
export function parseIdentityProvider(metadataXml: string): IdentityProvider {
  const entity = onlyEntity(parseMetadata(metadataXml));
  const entityId = entity.attributes.get('entityID')?.trim();
  if (!entityId) throw invalid('SAML Metadata does not contain an EntityID');
  const [role, ...otherRoles] = childrenNamed(entity, 'IDPSSODescriptor', METADATA);
  if (!role) throw invalid('SAML Metadata does not contain any IDPSSODescriptor');
  if (otherRoles.length > 0) throw invalid('SAML Metadata contains multiple IDPSSODescriptors');
  if (!role.attributes.get('protocolSupportEnumeration')?.split(/\s+/).includes(PROTOCOL)) {
    throw invalid('SAML Metadata is of an Identity Provider that does not support SAML 2.0');
  }
  return { entityId, signInUrl: signInUrl(role), certificates: certificates(role) };
}

function parseMetadata(metadataXml: string): XmlElement {
  try {
    return parseXml(metadataXml.replace(/^\uFEFF/, '').trimStart());
  } catch (error) {
    if (error instanceof XmlError) throw invalid('SAML Metadata is not valid XML');
    throw error;
  }
}

/** Some providers wrap their EntityDescriptor in an EntitiesDescriptor. */
function onlyEntity(root: XmlElement): XmlElement {
  const entities =
    root.name === 'EntitiesDescriptor' && root.namespace === METADATA
      ? childrenNamed(root, 'EntityDescriptor', METADATA)
      : [root];
  const [entity, ...otherEntities] = entities;
  if (entity?.name !== 'EntityDescriptor' || entity.namespace !== METADATA) {
    throw invalid('SAML Metadata does not contain an EntityDescriptor');
  }
  if (otherEntities.length > 0) throw invalid('SAML Metadata contains multiple EntityDescriptors');
  return entity;
}

function signInUrl(role: XmlElement): string {
  const location = childrenNamed(role, 'SingleSignOnService', METADATA)
    .find((service) => service.attributes.get('Binding') === HTTP_REDIRECT)
    ?.attributes.get('Location');
  if (!location || !URL.canParse(location) || !/^https?:$/.test(new URL(location).protocol)) {
    throw invalid('SAML Metadata does not contain a SingleSignOnService for the HTTP-Redirect binding');
  }
  return location;
}

/** Returns the certificates of the signing keys. A key without a `use` is for all purposes. */
function certificates(role: XmlElement): string[] {
  const certs = childrenNamed(role, 'KeyDescriptor', METADATA)
    .filter((key) => (key.attributes.get('use') ?? 'signing') === 'signing')
    .flatMap((key) => childrenNamed(key, 'KeyInfo', SIGNATURES))
    .flatMap((info) => childrenNamed(info, 'X509Data', SIGNATURES))
    .flatMap((data) => childrenNamed(data, 'X509Certificate', SIGNATURES))
    .map(({ text }) => text.replaceAll(/\s+/g, ''));
  if (certs.length === 0) throw invalid('SAML Metadata does not contain a signing certificate');
  if (!certs.every(isRsaCertificate)) throw invalid('SAML Metadata contains a certificate that is not valid');
  return certs;
}

function isRsaCertificate(base64: string): boolean {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).publicKey.asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

function invalid(message: string) {
  return authError('validation_failed', message);
}
