import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentityProvider, type TestIdentityProvider } from '../support/identity-provider.ts';
import { callAuth, register, signIn } from '../support/single-sign-on.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let idp: TestIdentityProvider;
const PROVIDERS = '/admin/sso/providers';

beforeAll(async () => {
  site = await startTestBackend({ AUTH_SAML: 'on', AUTH_SAML_PRIVATE_NETWORKS: 'on' });
  idp = await startIdentityProvider();
});
afterAll(async () => {
  await site.close();
  await idp.close();
});

const newDomain = () => `d${crypto.randomUUID().slice(0, 8)}.example`;
const createMetadata = (entityId: string) => idp.metadataXml().replaceAll(idp.entityId, entityId);
const newMetadata = () => createMetadata(`urn:idp:${crypto.randomUUID()}`);

/** Starts a server that handles every request with `listener`, and passes its metadata URL to `run`. */
async function withServer(listener: RequestListener, run: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  try {
    await run(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/metadata`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('A provider can be added, read, listed, changed and removed', async () => {
  const [first, second] = [newDomain(), newDomain()];
  const resource_id = `corp-${crypto.randomUUID()}`;
  const created = await callAuth(site, 'POST', PROVIDERS, {
    type: 'saml',
    metadata_xml: idp.metadataXml(),
    domains: [first, first.toUpperCase()],
    attribute_mapping: { keys: { name: { name: 'cn' } } },
    name_id_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    resource_id,
  });
  expect(created).toMatchObject({
    status: 201,
    body: {
      disabled: null,
      resource_id,
      domains: [{ domain: first }],
      saml: {
        entity_id: idp.entityId,
        metadata_xml: idp.metadataXml(),
        attribute_mapping: { keys: { name: { name: 'cn' } } },
        name_id_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      },
    },
  });
  const id = String(created.body['id']);
  expect(await callAuth(site, 'GET', `${PROVIDERS}/${id}`)).toMatchObject({ status: 200, body: created.body });
  expect((await callAuth(site, 'GET', `${PROVIDERS}/resource_${resource_id}`)).body['id']).toBe(id);

  const list = await callAuth(site, 'GET', PROVIDERS);
  const { saml, ...rest } = created.body;
  const { metadata_xml: _metadata, ...withoutMetadata } = saml as Record<string, unknown>;
  expect(list.body['items']).toContainEqual({ ...rest, saml: withoutMetadata });
  const filtered = await callAuth(site, 'GET', `${PROVIDERS}?resource_id_prefix=corp-`);
  expect(filtered.body['items']).toHaveLength(1);
  expect((await callAuth(site, 'GET', `${PROVIDERS}?resource_id=none`)).body['items']).toEqual([]);

  const updateResponse = await callAuth(site, 'PUT', `${PROVIDERS}/${id}`, {
    domains: [first, second],
    disabled: true,
  });
  expect(updateResponse.body).toMatchObject({
    disabled: true,
    domains: [first, second].sort().map((domain) => ({ domain })),
    saml: { attribute_mapping: { keys: { name: { name: 'cn' } } } },
  });
  const reenabled = await callAuth(site, 'PUT', `${PROVIDERS}/${id}`, { domains: [second], disabled: false });
  expect(reenabled.body['domains']).toEqual([{ domain: second }]);

  expect(await callAuth(site, 'DELETE', `${PROVIDERS}/${id}`)).toMatchObject({ status: 200, body: { id } });
  expect(await callAuth(site, 'GET', `${PROVIDERS}/${id}`)).toMatchObject({
    status: 404,
    body: { code: 'sso_provider_not_found', message: 'SSO Identity Provider not found' },
  });
  for (const [method, path] of [
    ['GET', 'no-uuid'],
    ['PUT', crypto.randomUUID()],
    ['DELETE', 'resource_none'],
  ] as const) {
    const missing = await callAuth(site, method, `${PROVIDERS}/${path}`, method === 'PUT' ? {} : undefined);
    expect(missing).toMatchObject({ status: 404, body: { code: 'sso_provider_not_found' } });
  }
});

test('Only the service role can manage providers', async () => {
  const { token } = await site.signedIn('admin');
  for (const [method, path] of [
    ['GET', PROVIDERS],
    ['POST', PROVIDERS],
    ['GET', `${PROVIDERS}/${crypto.randomUUID()}`],
    ['PUT', `${PROVIDERS}/${crypto.randomUUID()}`],
    ['DELETE', `${PROVIDERS}/${crypto.randomUUID()}`],
  ] as const) {
    const body = method === 'GET' ? undefined : {};
    expect((await callAuth(site, method, path, body, { asService: false })).status).toBe(401);
    const asAdmin = await fetch(`${site.url}/auth/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(asAdmin.status).toBe(403);
  }
});

test('An entity ID or domain can be registered by only one provider, even if requests are concurrent', async () => {
  const domain = newDomain();
  const metadata_xml = newMetadata();
  const create = (fields: object) => callAuth(site, 'POST', PROVIDERS, { type: 'saml', ...fields });
  const sameEntity = await Promise.all([create({ metadata_xml }), create({ metadata_xml })]);
  expect(sameEntity.map(({ status }) => status).sort()).toEqual([201, 422]);
  const sameDomain = await Promise.all([1, 2].map(() => create({ metadata_xml: newMetadata(), domains: [domain] })));
  expect(sameDomain.map(({ status }) => status).sort()).toEqual([201, 400]);
  const twoIds = await Promise.all([1, 2].map(() => create({ metadata_xml: newMetadata(), resource_id: domain })));
  expect(twoIds.map(({ status }) => status).sort()).toEqual([201, 422]);
  const duplicateEntity = await callAuth(site, 'POST', PROVIDERS, { type: 'saml', metadata_xml });
  expect(duplicateEntity).toMatchObject({ status: 422, body: { code: 'saml_idp_already_exists' } });
  const duplicateDomain = await callAuth(site, 'POST', PROVIDERS, {
    type: 'saml',
    metadata_xml: newMetadata(),
    domains: [domain.toUpperCase()],
  });
  expect(duplicateDomain).toMatchObject({ status: 400, body: { code: 'sso_domain_already_exists' } });
  const otherProvider = await callAuth(site, 'POST', PROVIDERS, { type: 'saml', metadata_xml: newMetadata() });
  const update = await callAuth(site, 'PUT', `${PROVIDERS}/${otherProvider.body['id']}`, { domains: [domain] });
  expect(update).toMatchObject({ status: 400, body: { code: 'sso_domain_already_exists' } });
});

test('An incomplete, contradictory or invalid request is rejected with an error that states the reason', async () => {
  const metadata_xml = newMetadata();
  const cases: [body: object, message: string][] = [
    [{ metadata_xml }, "Only 'saml' supported for SSO provider type"],
    [{ type: 'saml' }, 'Either metadata_xml or metadata_url must be set'],
    [{ type: 'saml', metadata_xml, metadata_url: idp.metadataUrl }, 'Only one of metadata_xml or metadata_url'],
    [{ type: 'saml', metadata_xml, name_id_format: 'mine' }, 'name_id_format must be unspecified or one of'],
    [{ type: 'saml', metadata_xml, domains: ['ada@corp.example'] }, 'A domain must be a name such as example.com'],
    [{ type: 'saml', metadata_url: 'ftp://corp.example' }, 'metadata_url is not a HTTPS URL'],
    [{ type: 'saml', metadata_url: 'nowhere' }, 'metadata_url is not a valid URL'],
    [{ type: 'saml', metadata_xml: 'text' }, 'SAML Metadata is not valid XML'],
    [{ type: 'saml', metadata_xml: `<!DOCTYPE x [<!ENTITY e "e">]>${metadata_xml}` }, 'SAML Metadata is not valid XML'],
    [{ type: 'saml', metadata_xml: '<EntityDescriptor/>' }, 'does not contain an EntityDescriptor'],
    [{ type: 'saml', metadata_xml: metadata_xml.replace(/entityID="[^"]*"/, '') }, 'does not contain an EntityID'],
    [{ type: 'saml', metadata_xml: metadata_xml.replaceAll('IDPSSODescriptor', 'Other') }, 'any IDPSSODescriptor'],
    [{ type: 'saml', metadata_xml: metadata_xml.replaceAll('HTTP-Redirect', 'SOAP') }, 'HTTP-Redirect binding'],
    [
      { type: 'saml', metadata_xml: metadata_xml.replaceAll(/Location="http:/g, 'Location="javascript:') },
      'HTTP-Redirect binding',
    ],
    [{ type: 'saml', metadata_xml: metadata_xml.replace('X509Certificate>M', 'X509Certificate>X') }, 'certificate'],
  ];
  for (const [body, message] of cases) {
    const response = await callAuth(site, 'POST', PROVIDERS, body);
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(response.body['message']).toContain(message);
  }
  // Real metadata can be hundreds of kilobytes long.
  const long = metadata_xml.replace('<KeyDescriptor', `<!-- ${'long '.repeat(100_000)} -->$&`);
  expect((await callAuth(site, 'POST', PROVIDERS, { type: 'saml', metadata_xml: long })).status).toBe(201);
});

describe('The metadata of a provider', () => {
  test('is fetched again from its URL after a day to get the current certificates', async () => {
    const domain = newDomain();
    const created = await callAuth(site, 'POST', PROVIDERS, {
      type: 'saml',
      metadata_url: idp.metadataUrl,
      domains: [domain],
    });
    expect(created).toMatchObject({ status: 201, body: { saml: { metadata_url: idp.metadataUrl } } });
    const otherIdp = await startIdentityProvider();
    const { database } = site.backend;
    // Simulates a provider that had another certificate when it was added.
    await database.query(
      `update auth.saml_providers set updated_at = now() - interval '25 hours', metadata_xml = $2 where entity_id = $1`,
      [
        idp.entityId,
        otherIdp.metadataXml().replaceAll(otherIdp.entityId, idp.entityId).replaceAll(otherIdp.url, idp.url),
      ],
    );
    expect((await signIn(site, idp, domain)).params.has('access_token')).toBe(true);
    const { rows } = await database.query<{ metadata_xml: string; fresh: boolean }>(
      `select metadata_xml, updated_at > now() - interval '1 minute' as fresh from auth.saml_providers where entity_id = $1`,
      [idp.entityId],
    );
    expect(rows[0]).toEqual({ metadata_xml: idp.metadataXml(), fresh: true });
    await callAuth(site, 'DELETE', `${PROVIDERS}/${created.body['id']}`);
    await otherIdp.close();
  });

  test('stays in use if it cannot be fetched again', async () => {
    const closedIdp = await startIdentityProvider();
    const domain = newDomain();
    await register(site, closedIdp, {
      domains: [domain],
      metadata_xml: undefined,
      metadata_url: closedIdp.metadataUrl,
    });
    await site.backend.database.query(
      `update auth.saml_providers set updated_at = now() - interval '25 hours' where entity_id = $1`,
      [closedIdp.entityId],
    );
    await closedIdp.close();
    expect((await signIn(site, closedIdp, domain)).params.has('access_token')).toBe(true);
  });

  test('is rejected if its server fails, redirects or sends too much', async () => {
    const cases: [RequestListener, string][] = [
      [(_request, response) => response.writeHead(404).end(), 'HTTP 404 error'],
      [(_request, response) => response.writeHead(302, { location: idp.metadataUrl }).end(), 'HTTP 302 error'],
      [(_request, response) => response.end(' '.repeat(2 * 1024 * 1024)), 'more than 1 MB'],
      [(request) => request.socket.destroy(), 'no response'],
    ];
    for (const [listener, reason] of cases) {
      await withServer(listener, async (metadata_url) => {
        const response = await callAuth(site, 'POST', PROVIDERS, { type: 'saml', metadata_url });
        expect(response).toMatchObject({ status: 400, body: { code: 'saml_metadata_fetch_failed' } });
        expect(response.body['message']).toContain(reason);
      });
    }
  });

  test('cannot be replaced with the metadata of another provider', async () => {
    const metadata_xml = newMetadata();
    const { body } = await callAuth(site, 'POST', PROVIDERS, { type: 'saml', metadata_xml });
    const replacement = await callAuth(site, 'PUT', `${PROVIDERS}/${body['id']}`, { metadata_xml: newMetadata() });
    expect(replacement).toMatchObject({ status: 400, body: { code: 'saml_entity_id_mismatch' } });
    const same = await callAuth(site, 'PUT', `${PROVIDERS}/${body['id']}`, { metadata_xml: `${metadata_xml}\n` });
    expect(same).toMatchObject({ status: 200, body: { saml: { metadata_xml: `${metadata_xml}\n` } } });
  });

  test('is not fetched from private networks or over plain HTTP unless allowed', async () => {
    const strictSite = await startTestBackend({ AUTH_SAML: 'on' });
    let requests = 0;
    const count: RequestListener = (_request, response) => {
      requests++;
      response.end(newMetadata());
    };
    await withServer(count, async (url) => {
      const { port } = new URL(url);
      const hosts = [
        '127.0.0.1',
        'localhost',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '2130706433',
        '10.0.0.1',
        '169.254.169.254',
      ];
      for (const host of hosts) {
        const metadata_url = `https://${host}:${port}/metadata`;
        const response = await callAuth(strictSite, 'POST', PROVIDERS, { type: 'saml', metadata_url });
        expect(response).toMatchObject({ status: 400, body: { code: 'saml_metadata_fetch_failed' } });
        expect(response.body['message']).toContain('private address');
      }
      const plainHttpResponse = await callAuth(strictSite, 'POST', PROVIDERS, { type: 'saml', metadata_url: url });
      expect(plainHttpResponse.body['message']).toBe('metadata_url is not a HTTPS URL');
      expect(requests).toBe(0);
      const response = await callAuth(site, 'POST', PROVIDERS, { type: 'saml', metadata_url: url });
      expect(response.status).toBe(201);
    });
    await strictSite.close();
  });
});
