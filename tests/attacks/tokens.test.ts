/**
 * Forged access tokens. Every service rejects them, and accepts the valid token that they were derived from. The
 * backend also accepts tokens of a legacy project, so that algorithm confusion is possible.
 */
import { createHmac, createPrivateKey, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RequestIdentity } from '../../packages/backend/src/database/request-role.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { signRead, signUpload } from '../../packages/backend/src/storage/signed-urls.ts';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { authorizeApplication, createSignedInUser, registerApplication } from '../support/oauth-client.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { FORGERIES, type Stolen } from './token-forgeries.ts';

/** The service role signs the URLs. */
const STORE: RequestIdentity = {
  role: 'service_role',
  claims: { role: 'service_role' },
  headers: {},
  method: 'POST',
  path: '/storage/v1',
};

const SECRET = 'the-secret-of-an-older-project-of-40-signs';

let site: TestBackend;
let attackerData: Stolen;
beforeAll(async () => {
  site = await startTestBackend({ JWT_SECRET: SECRET, AUTH_OAUTH_SERVER: 'on', AUTH_OAUTH_REGISTRATION: 'on' });
  const { token } = await site.signedIn('admin');
  const { rows } = await site.backend.database.query<{ kid: string; private_jwk: Record<string, unknown> }>(
    'select kid, private_jwk from backend.signing_keys',
  );
  const [keyRow] = rows;
  if (!keyRow) throw new Error('There is no signing key');
  const key = createPrivateKey({ key: keyRow.private_jwk, format: 'jwk' });
  const part = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  const [publicJwk = {}] = site.backend.keys.jwks.keys;
  attackerData = {
    token,
    kid: keyRow.kid,
    publicJwk,
    secret: SECRET,
    signed(header, payload) {
      const input = `${part(header)}.${part(payload)}`;
      return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
    },
  };
});
afterAll(() => site.close());

/** Calls one endpoint of every service that an admin's token can access. */
async function fetchStatuses(token: string): Promise<Record<string, number>> {
  const call = async (path: string, body?: object) => {
    const response = await fetch(site.url + path, {
      headers: { authorization: `Bearer ${token}`, apikey: PUBLISHABLE_KEY, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const [auth, rest, storage, functions] = await Promise.all([
    call('/auth/v1/user'),
    call('/rest/v1/user_roles?select=role'),
    call('/storage/v1/object/list/content-media', { prefix: '' }),
    // The body is empty, so that only the token can be the reason for a rejection.
    call('/functions/v1/ai-chat', {}),
  ]);
  return { auth: auth ?? 0, rest: rest ?? 0, storage: storage ?? 0, functions: functions ?? 0 };
}

const REJECTED = { auth: 403, rest: 401, storage: 400, functions: 401 };

describe.each(FORGERIES)('%s', (_, forgeries) => {
  test.each(forgeries)('rejects: $name', async ({ token }) => {
    const forgedToken = token(attackerData);
    expect(forgedToken).not.toBe(attackerData.token);
    expect(await fetchStatuses(forgedToken)).toEqual(REJECTED);
  });
});

test('The valid token is accepted, even if the test signs it again, and so is a token of a legacy project', async () => {
  expect(await fetchStatuses(attackerData.token)).toEqual({ auth: 200, rest: 200, storage: 200, functions: 400 });
  const [, body = ''] = attackerData.token.split('.');
  const claims = Buffer.from(body, 'base64url').toString();
  const resignedToken = attackerData.signed({ alg: 'ES256', kid: attackerData.kid }, claims);
  expect(await fetchStatuses(resignedToken)).toEqual({ auth: 200, rest: 200, storage: 200, functions: 400 });
  const input = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${body}`;
  const legacyToken = `${input}.${createHmac('sha256', SECRET).update(input).digest('base64url')}`;
  expect(await fetchStatuses(legacyToken)).toEqual({ auth: 200, rest: 200, storage: 200, functions: 400 });
});

test('All 181 forgeries have different names', () => {
  const names = FORGERIES.flatMap(([, forgeries]) => forgeries.map(({ name }) => name));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names).toHaveLength(181);
});

test('Other tokens and keys that the installation issues are rejected as access tokens', async () => {
  const { keys } = site.backend;
  const [application, user] = [await registerApplication(site), await createSignedInUser(site)];
  const tokens = await authorizeApplication(application, user);
  const { data } = await user.client.auth.getSession();
  const tokensByName: Record<string, string> = {
    'a signed address': await signRead(keys, 'content-media/page.png', 60),
    'a signed upload': await signUpload(keys, STORE, { url: 'content-media/page.png', upsert: true }),
    'an ID token': tokens.id_token ?? '',
    'a refresh token': data.session?.refresh_token ?? '',
    "an application's refresh token": tokens.refresh_token ?? '',
    'the secret of an application': application.client.client_secret ?? '',
    'the publishable key with an extra character': `${PUBLISHABLE_KEY}x`,
    'the secret key without its last character': keys.secretKey.slice(0, -1),
    'the secret key with an extra character': `${keys.secretKey}x`,
    'the secret key in upper case': keys.secretKey.toUpperCase(),
  };
  for (const [name, token] of Object.entries(tokensByName)) {
    expect([name, await fetchStatuses(token)]).toEqual([name, REJECTED]);
  }
});

test('A token with a missing or different account or session is rejected', async () => {
  const [ada, eve] = [await site.signedIn('admin'), await site.signedIn('stranger')];
  const decodeClaims = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
  const claimChanges: Record<string, unknown>[] = [
    { sub: undefined },
    { sub: '' },
    { sub: null },
    { sub: [ada.id] },
    { sub: `${ada.id}' or true --` },
    { sub: crypto.randomUUID() },
    { sub: eve.id },
    { session_id: undefined },
    { session_id: '' },
    { session_id: [decodeClaims(ada.token)['session_id']] },
    { session_id: crypto.randomUUID() },
    { session_id: decodeClaims(eve.token)['session_id'] },
  ];
  const readRoles = async (token: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, apikey: PUBLISHABLE_KEY };
    const response = await fetch(`${site.url}/rest/v1/user_roles?select=role&user_id=eq.${ada.id}`, { headers });
    return response.ok ? await response.json() : [];
  };
  for (const changes of claimChanges) {
    const token = attackerData.signed(
      { alg: 'ES256', kid: attackerData.kid },
      { ...decodeClaims(ada.token), ...changes },
    );
    expect([changes, (await fetchStatuses(token)).auth]).toEqual([changes, 403]);
    expect([changes, await readRoles(token)]).toEqual([changes, []]);
  }
  expect(await readRoles(ada.token)).toEqual([{ role: 'admin' }]);
});

describe('Signed URLs of files', () => {
  const openUrl = async (path: string, token: string, init: RequestInit = {}) => {
    const response = await fetch(`${site.url}/storage/v1${path}?token=${encodeURIComponent(token)}`, init);
    await response.arrayBuffer();
    return response.status;
  };
  let png: Buffer;
  let token: string;
  beforeAll(async () => {
    png = await picture(20, 10);
    await site.service.storage.createBucket('contracts', { public: false });
    for (const name of ['signed.png', 'other.png', 'folder/signed.png']) {
      const { error } = await site.service.storage.from('contracts').upload(name, png, { contentType: 'image/png' });
      if (error) throw error;
    }
    await site.service.storage.from('content-media').upload('signed.png', png, { contentType: 'image/png' });
    token = await signRead(site.backend.keys, 'contracts/signed.png', 60);
  });

  test.each([
    '/object/sign/contracts/other.png',
    '/object/sign/contracts/folder/signed.png',
    '/object/sign/content-media/signed.png',
    '/object/sign/contracts/signed.png/',
    '/object/sign/contracts//signed.png',
    '/object/sign/contracts/SIGNED.png',
    '/object/sign/contracts/signed.png%00',
    '/object/sign/contracts/signed.png%20',
    '/object/sign/contracts/x%2f..%2fother.png',
    '/object/sign/contracts/%2e%2e%2fcontracts%2fother.png',
    '/object/sign/contracts%2fother.png',
    '/render/image/sign/contracts/other.png',
    '/object/authenticated/contracts/signed.png',
    '/object/contracts/signed.png',
    '/object/info/contracts/signed.png',
  ])('The token of another file is rejected by %s', async (path) => {
    expect(await openUrl(path, token)).toBeGreaterThanOrEqual(400);
    expect(await openUrl('/object/sign/contracts/signed.png', token)).toBe(200);
  });

  test('Forged and expired tokens and upload tokens open no file, and download tokens accept no upload', async () => {
    const path = '/object/sign/contracts/signed.png';
    for (const [kind, forgeries] of FORGERIES) {
      // Signed roles and times have another meaning here. Times are tested below.
      if (kind === 'With invalid claims') continue;
      for (const forgery of forgeries) {
        expect([forgery.name, await openUrl(path, forgery.token({ ...attackerData, token }))]).toEqual([
          forgery.name,
          400,
        ]);
      }
    }
    const { keys } = site.backend;
    expect(await openUrl(path, await signRead(keys, 'contracts/signed.png', -1))).toBe(400);
    const upload = await signUpload(keys, STORE, { url: 'contracts/signed.png', upsert: true });
    expect(await openUrl(path, upload)).toBe(400);
    expect(await openUrl(path, attackerData.token)).toBe(400);
    const init = { method: 'PUT', body: new Uint8Array(png), headers: { 'content-type': 'image/png' } };
    expect(await openUrl('/object/upload/sign/contracts/signed.png', token, init)).toBe(400);
    expect(await openUrl('/object/upload/sign/contracts/other.png', upload, init)).toBe(400);
    expect(await openUrl('/object/upload/sign/contracts/signed.png', upload, init)).toBe(200);
  });
});
