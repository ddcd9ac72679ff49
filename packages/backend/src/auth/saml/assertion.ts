/** Claims about the user in an assertion, parsed as in Supabase Auth (internal/api/samlassertion.go). */
import { ASSERTION } from './namespaces.ts';
import type { AttributeMapping } from './sso-providers.ts';
import { childrenNamed, type XmlElement } from './xml.ts';

const SUBJECT_ID = 'urn:oasis:names:tc:SAML:attribute:subject-id';
const EMAIL_ADDRESS = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** Attribute names for an email address at identity providers. */
const EMAIL_ATTRIBUTES = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/claims/EmailAddress',
  'mail',
  'Mail',
  'email',
];

/** Claims of an identity in addition to the email address. Other mapped attributes are custom claims. */
const STANDARD_CLAIMS = new Set(
  `name family_name given_name middle_name nickname preferred_username profile picture website gender birthdate zoneinfo
  locale updated_at phone full_name avatar_url slug user_name`.split(/\s+/),
);

/** Returns the values of all attributes with that name or friendly name. */
function attributeValues(assertion: XmlElement, name: string): string[] {
  return childrenNamed(assertion, 'AttributeStatement', ASSERTION)
    .flatMap((statement) => childrenNamed(statement, 'Attribute', ASSERTION))
    .filter(({ attributes }) => attributes.get('Name') === name || attributes.get('FriendlyName') === name)
    .flatMap((attribute) => childrenNamed(attribute, 'AttributeValue', ASSERTION))
    .map(({ text }) => text.trim());
}

function nameId(assertion: XmlElement): { value: string; format: string | undefined } | undefined {
  const element = childrenNamed(assertion, 'Subject', ASSERTION).flatMap((subject) =>
    childrenNamed(subject, 'NameID', ASSERTION),
  )[0];
  const value = element?.text.trim();
  return value ? { value, format: element?.attributes.get('Format') } : undefined;
}

/** Returns the user's permanent id at the provider; undefined if it is missing. */
export function readSubject(assertion: XmlElement): string | undefined {
  const [subjectId] = attributeValues(assertion, SUBJECT_ID);
  if (subjectId) return subjectId;
  const id = nameId(assertion);
  if (!id || id.format === TRANSIENT) return undefined;
  return id.format === EMAIL_ADDRESS ? id.value.toLowerCase() : id.value;
}

/** Returns the email address in lower case, from the mapped attribute or a well-known one. */
export function readEmail(assertion: XmlElement, claims: Record<string, unknown>): string | undefined {
  const mapped = claims['email'];
  if (typeof mapped === 'string' && mapped) return mapped.toLowerCase();
  const id = nameId(assertion);
  const candidates = [
    ...EMAIL_ATTRIBUTES.flatMap((name) => attributeValues(assertion, name)),
    ...(id?.format === EMAIL_ADDRESS ? [id.value] : []),
  ];
  return candidates.find(Boolean)?.toLowerCase();
}

/** Returns the claims that a mapping derives from the attributes. A missing or empty attribute gets the default. */
export function mapClaims(assertion: XmlElement, mapping: AttributeMapping | null): Record<string, unknown> {
  const claims = Object.entries(mapping?.keys ?? {}).map(([claim, { name, names = [], default: fallback, array }]) => {
    const values = [...(name ? [name] : []), ...names]
      .map((attribute) => attributeValues(assertion, attribute).filter(Boolean))
      .find((texts) => texts.length > 0);
    return [claim, (array ? values : values?.[0]) ?? fallback];
  });
  return Object.fromEntries(claims.filter(([, value]) => value !== undefined && value !== null));
}

/** Builds the user's identity_data for auth.identities. */
export function identityData(entityId: string, subject: string, email: string, claims: Record<string, unknown>) {
  const { email: _email, ...otherClaims } = claims;
  const entries = Object.entries(otherClaims);
  const custom = entries.filter(([claim]) => !STANDARD_CLAIMS.has(claim));
  return {
    ...Object.fromEntries(entries.filter(([claim]) => STANDARD_CLAIMS.has(claim))),
    ...(custom.length > 0 ? { custom_claims: Object.fromEntries(custom) } : {}),
    iss: entityId,
    sub: subject,
    email,
    email_verified: true,
    phone_verified: false,
  };
}

/** Returns the session end requested by the provider, if any. */
export function readSessionEnd(assertion: XmlElement): Date | undefined {
  const [time] = childrenNamed(assertion, 'AuthnStatement', ASSERTION).flatMap(({ attributes }) =>
    Date.parse(attributes.get('SessionNotOnOrAfter') ?? ''),
  );
  return time === undefined || Number.isNaN(time) ? undefined : new Date(time);
}

/** Returns the assertion's id, and its expiry in milliseconds since 1970. */
export function readIdAndExpiry(assertion: XmlElement): { id: string; expiresAt: number } {
  const expiries = childrenNamed(assertion, 'Subject', ASSERTION)
    .flatMap((subject) => childrenNamed(subject, 'SubjectConfirmation', ASSERTION))
    .flatMap((confirmation) => childrenNamed(confirmation, 'SubjectConfirmationData', ASSERTION))
    .map(({ attributes }) => Date.parse(attributes.get('NotOnOrAfter') ?? ''))
    .filter((time) => !Number.isNaN(time));
  return { id: assertion.attributes.get('ID') ?? '', expiresAt: Math.max(...expiries) };
}
