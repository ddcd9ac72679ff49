/**
 * A SAML identity provider on loopback, built with samlify, which the backend does not use. It serves its metadata,
 * checks our requests against our own metadata, and signs `person` in immediately. Tests act as the browser between the
 * provider and the site, and can make the provider send invalid responses.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { IdentityProvider, SamlLib, ServiceProvider, setSchemaValidator } from 'samlify';
import { selfSignedCertificate } from '../../packages/backend/src/auth/saml/self-signed-certificate.ts';

// Tests check the signature and content of requests, so no schema validation is needed.
setSchemaValidator({ validate: async () => 'not checked' });

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const EMAIL_ADDRESS = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

export interface Person {
  nameId: string;
  nameIdFormat?: string;
  attributes?: Record<string, string | string[]>;
}

/** Changes that make a response invalid. Times are minutes from now. */
export interface Changes {
  audience?: string;
  recipient?: string;
  destination?: string;
  inResponseTo?: string;
  issuer?: string;
  assertionId?: string;
  expiresIn?: number;
  sessionEndsIn?: number;
  status?: string;
  signed?: 'assertion' | 'response' | 'both' | 'nothing';
  algorithm?: string;
  /** Changes the response before it is signed. */
  edited?: (response: string) => string;
}

export interface TestIdentityProvider {
  entityId: string;
  url: string;
  metadataUrl: string;
  metadataXml(): string;
  /** PKCS #8 in PEM, for tests that forge responses. */
  privateKey: string;
  /** Public certificate in PEM. */
  certificate: string;
  /** The user who is signed in at the provider. */
  person: Person;
  /** Parses the sign-in request in a redirect from our service. @throws Error if its signature is invalid */
  readRequest(requestUrl: string, serviceMetadata: string): Promise<{ id: string; relayState: string }>;
  /** Returns the XML of a response to a request, or an unsolicited one if `requestId` is undefined. */
  respond(serviceUrl: string, requestId: string | undefined, changes?: Changes): string;
  close(): Promise<void>;
}

export async function startIdentityProvider(): Promise<TestIdentityProvider> {
  const privateKey = String(
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  );
  const certificate = selfSignedCertificate(privateKey);
  let url = '';
  const server = createServer((request, response) => {
    if (request.url === '/metadata') response.setHeader('content-type', 'application/xml').end(provider.metadataXml());
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The identity provider has no port');
  url = `http://127.0.0.1:${address.port}`;

  const idp = IdentityProvider({
    entityID: `${url}/metadata`,
    privateKey,
    signingCert: certificate,
    wantAuthnRequestsSigned: true,
    requestSignatureAlgorithm: RSA_SHA256,
    nameIDFormat: [EMAIL_ADDRESS],
    singleLogoutService: [
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: `${url}/sign-out` },
    ],
    singleSignOnService: [
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: `${url}/sign-in` },
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', Location: `${url}/sign-in` },
    ],
  });

  const provider: TestIdentityProvider = {
    entityId: `${url}/metadata`,
    url,
    metadataUrl: `${url}/metadata`,
    metadataXml: () => idp.getMetadata(),
    privateKey,
    certificate,
    person: { nameId: 'ada@corp.example', nameIdFormat: EMAIL_ADDRESS },
    async readRequest(requestUrl, serviceMetadata) {
      const { searchParams, search } = new URL(requestUrl);
      // The signature covers the query as it was sent, up to the signature itself.
      const octetString = search.slice(1).replace(/&Signature=.*$/, '');
      const { extract } = await idp.parseLoginRequest(ServiceProvider({ metadata: serviceMetadata }), 'redirect', {
        query: Object.fromEntries(searchParams),
        octetString,
      });
      return { id: String(extract.request?.['id']), relayState: searchParams.get('RelayState') ?? '' };
    },
    respond(serviceUrl, requestId, changes = {}) {
      const { signed = 'assertion', algorithm = RSA_SHA256, edited = (response) => response } = changes;
      const xml = edited(responseXml(provider, serviceUrl, requestId, changes));
      const sign = (source: string, path: string) =>
        SamlLib.constructSAMLSignature({
          rawSamlMessage: source,
          referenceTagXPath: path,
          privateKey,
          signingCert: certificate.replaceAll(/-----[^-]+-----|\s/g, ''),
          signatureAlgorithm: algorithm,
          isBase64Output: false,
          signatureConfig: {
            prefix: 'ds',
            location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' },
          },
        });
      const response = "/*[local-name(.)='Response']";
      const assertion = `${response}/*[local-name(.)='Assertion']`;
      const inner = signed === 'assertion' || signed === 'both' ? sign(xml, assertion) : xml;
      return signed === 'response' || signed === 'both' ? sign(inner, response) : inner;
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
  return provider;
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function responseXml(
  { entityId, person }: TestIdentityProvider,
  serviceUrl: string,
  requestId: string | undefined,
  changes: Changes,
): string {
  const toTimestamp = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const expiry = toTimestamp(changes.expiresIn ?? 5);
  const acs = `${serviceUrl}/auth/v1/sso/saml/acs`;
  const responseTo = changes.inResponseTo ?? requestId;
  const inResponseTo = responseTo === undefined ? '' : ` InResponseTo="${responseTo}"`;
  const issuer = changes.issuer ?? entityId;
  const session =
    changes.sessionEndsIn === undefined ? '' : ` SessionNotOnOrAfter="${toTimestamp(changes.sessionEndsIn)}"`;
  const attributes = Object.entries(person.attributes ?? {}).map(
    ([name, values]) =>
      `<saml:Attribute Name="${escapeXml(name)}">${[values]
        .flat()
        .map((value) => `<saml:AttributeValue>${escapeXml(value)}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  );
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${toTimestamp(0)}" Destination="${changes.destination ?? acs}"${inResponseTo}><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${changes.status ?? 'urn:oasis:names:tc:SAML:2.0:status:Success'}"/></samlp:Status><saml:Assertion ID="${changes.assertionId ?? `_${randomUUID()}`}" Version="2.0" IssueInstant="${toTimestamp(0)}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${person.nameIdFormat ?? EMAIL_ADDRESS}">${escapeXml(person.nameId)}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${expiry}" Recipient="${changes.recipient ?? acs}"${inResponseTo}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${toTimestamp(Math.min(0, changes.expiresIn ?? 0) - 5)}" NotOnOrAfter="${expiry}"><saml:AudienceRestriction><saml:Audience>${changes.audience ?? `${serviceUrl}/auth/v1/sso/saml/metadata`}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${toTimestamp(0)}"${session}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${attributes.length > 0 ? `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>` : ''}</saml:Assertion></samlp:Response>`;
}
