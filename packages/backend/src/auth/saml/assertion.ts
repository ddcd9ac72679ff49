/** Claims of an assertion about the person, read as Supabase Auth reads them (internal/api/samlassertion.go). */
import { ASSERTION } from './namespaces.ts';
import type { AttributeMapping } from './sso-providers.ts';
import { childrenNamed, type XmlElement } from './xml.ts';

const SUBJECT_ID = 'urn:oasis:names:tc:SAML:attribute:subject-id';
const EMAIL_ADDRESS = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** Names of an e-mail address at identity providers. */
const EMAIL_ATTRIBUTES = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/claims/EmailAddress',
  'mail',
  'Mail',
  'email',
];

/** Claims beside the email address in an identity. Other mapped attributes are custom claims. */
const STANDARD_CLAIMS = new Set(
  `name family_name given_name middle_name nickname preferred_username profile picture website gender birthdate zoneinfo
  locale updated_at phone full_name avatar_url slug user_name`.split(/\s+/),
);

/** The values of all attributes of that name or friendly name. */
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

/** Returns the person's id at the provider, the same at every sign-in; undefined when nothing says it. */
export function subjectOf(assertion: XmlElement): string | undefined {
  const [subjectId] = attributeValues(assertion, SUBJECT_ID);
  if (subjectId) return subjectId;
  const id = nameId(assertion);
  if (!id || id.format === TRANSIENT) return undefined;
  return id.format === EMAIL_ADDRESS ? id.value.toLowerCase() : id.value;
}

/** The person's e-mail address in lower case: as the mapping says, else the best guess. */
export function emailOf(assertion: XmlElement, claims: Record<string, unknown>): string | undefined {
  const mapped = claims['email'];
  if (typeof mapped === 'string' && mapped) return mapped.toLowerCase();
  const id = nameId(assertion);
  const guesses = [
    ...EMAIL_ATTRIBUTES.flatMap((name) => attributeValues(assertion, name)),
    ...(id?.format === EMAIL_ADDRESS ? [id.value] : []),
  ];
  return guesses.find(Boolean)?.toLowerCase();
}

/** The claims that a mapping makes of the attributes. An attribute that is missing or empty gives the default. */
export function mappedClaims(assertion: XmlElement, mapping: AttributeMapping | null): Record<string, unknown> {
  const claims = Object.entries(mapping?.keys ?? {}).map(([claim, { name, names = [], default: otherwise, array }]) => {
    const found = [...(name ? [name] : []), ...names]
      .map((attribute) => attributeValues(assertion, attribute).filter(Boolean))
      .find((values) => values.length > 0);
    return [claim, (array ? found : found?.[0]) ?? otherwise];
  });
  return Object.fromEntries(claims.filter(([, value]) => value !== undefined && value !== null));
}

/** Builds the identity_data that auth.identities keeps of the person. */
export function identityData(entityId: string, subject: string, email: string, claims: Record<string, unknown>) {
  const { email: _email, ...others } = claims;
  const entries = Object.entries(others);
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

/** Returns the time at which the provider wants the session to end, if it says one. */
export function sessionEndOf(assertion: XmlElement): Date | undefined {
  const [time] = childrenNamed(assertion, 'AuthnStatement', ASSERTION).flatMap(({ attributes }) =>
    Date.parse(attributes.get('SessionNotOnOrAfter') ?? ''),
  );
  return time === undefined || Number.isNaN(time) ? undefined : new Date(time);
}

/** The assertion's own id, and when it is too old to be taken, in milliseconds since 1970. */
export function lifetimeOf(assertion: XmlElement): { id: string; endsAt: number } {
  const ends = childrenNamed(assertion, 'Subject', ASSERTION)
    .flatMap((subject) => childrenNamed(subject, 'SubjectConfirmation', ASSERTION))
    .flatMap((confirmation) => childrenNamed(confirmation, 'SubjectConfirmationData', ASSERTION))
    .map(({ attributes }) => Date.parse(attributes.get('NotOnOrAfter') ?? ''))
    .filter((time) => !Number.isNaN(time));
  return { id: assertion.attributes.get('ID') ?? '', endsAt: Math.max(...ends) };
}
