/** Malformed input. Every endpoint rejects it, and none responds with a server error. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../packages/backend/src/auth/routes.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';

let site: TestBackend;
let userToken: string;
let userId: string;
beforeAll(async () => {
  site = await startTestBackend({ AUTH_CONFIRM_EMAIL: 'on' });
  const person = await site.signedIn('client');
  userToken = person.token;
  userId = person.id;
});
afterAll(() => site.close());

async function send(method: string, path: string, body?: string): Promise<{ status: number; body: string }> {
  const token = path.startsWith('/admin') || path === '/invite' ? site.backend.keys.secretKey : userToken;
  const request = new Request(`${site.url}/auth/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined || method === 'GET' ? {} : { body }),
  });
  const response = await site.backend.fetch(request, '127.0.0.1');
  return { status: response.status, body: await response.text() };
}

/** The NUL character and an unpaired surrogate, raw and as JSON escapes. */
const CHARACTERS = [
  ['a null character', '\0', '\\u0000'],
  ['an unpaired surrogate', '\ud800', '\\ud800'],
] as const;

const FIELDS = [
  'email',
  'new_email',
  'phone',
  'password',
  'current_password',
  'nonce',
  'token',
  'token_hash',
  'type',
  'data',
  'user_metadata',
  'app_metadata',
  'role',
  'ban_duration',
  'redirect_to',
  'code_challenge',
  'code_challenge_method',
  'refresh_token',
  'auth_code',
  'code_verifier',
  'id',
  'password_hash',
  'create_user',
];

/** Builds a body with one invalid field, in which all other fields are valid for most endpoints. */
function invalidBody(field: string, character: string): string {
  const fields: Record<string, unknown> = {
    email: `person-${crypto.randomUUID().slice(0, 8)}@example.com`,
    password: PASSWORD,
    type: 'signup',
    token: '123456',
    refresh_token: 'x',
    auth_code: 'x',
    code_verifier: 'x',
  };
  const isObject = field === 'data' || field.endsWith('_metadata');
  fields[field] = isObject ? { text: 'a@b' } : `${fields[field] ?? 'text'}@b`;
  return JSON.stringify(fields).replace('@b', character);
}

describe.each(CHARACTERS)('%s', (_name, raw, escaped) => {
  test.each(ENDPOINTS.map(([method, path]) => [method, path] as const))(
    '%s %s never causes a server error',
    async (method, path) => {
      const paths =
        path === '/token'
          ? ['password', 'refresh_token', 'pkce'].map((grantType) => `/token?grant_type=${grantType}`)
          : [path];
      const failures: string[] = [];
      for (const endpoint of paths) {
        const target = endpoint.replace(':id', userId);
        const query = encodeURIComponent(raw.toWellFormed());
        const separator = target.includes('?') ? '&' : '?';
        const queries = [
          'redirect_to',
          'token',
          'token_hash',
          'type',
          'filter',
          'page',
          'per_page',
          'scope',
          'grant_type',
        ];
        const attempts: [string, string | undefined][] = [
          ...(method === 'GET' ? [] : FIELDS).flatMap((field): [string, string][] => [
            [target, invalidBody(field, escaped)],
            [target, invalidBody(field, raw)],
          ]),
          ...(raw === '\0' ? queries : []).map((name): [string, undefined] => [
            `${target}${separator}${name}=a${query}&type=signup`,
            undefined,
          ]),
          ...(path.includes(':id') && raw === '\0' ? [[endpoint.replace(':id', query), '{}'] as [string, string]] : []),
        ];
        // Ending the caller's session would cause all later requests to be rejected.
        for (const [url, body] of path === '/logout' || method === 'DELETE' ? [] : attempts) {
          const response = await send(method, url, body);
          if (response.status >= 500) failures.push(`${url} ${body ?? ''}: ${response.body}`);
        }
      }
      expect(failures).toEqual([]);
    },
  );
});

test.each([
  ['GET', '/nothing'],
  ['POST', '/nothing/here'],
  ['GET', '/'],
  ['DELETE', '/token'],
])('The unknown endpoint %s %s returns a JSON error', async (method, path) => {
  const response = await send(method, path);
  expect(response.status).toBe(404);
  expect(JSON.parse(response.body)).toMatchObject({ code: 404, error_code: 'validation_failed', msg: 'Not found' });
});

test('Errors have the messages of Supabase Auth', async () => {
  const email = JSON.parse(
    (await send('POST', '/signup', JSON.stringify({ email: 'unknown', password: PASSWORD }))).body,
  );
  expect(email).toMatchObject({ msg: 'Unable to validate email address: invalid format' });
  const type = JSON.parse((await send('POST', '/recover', JSON.stringify({ email: 7 }))).body);
  expect(type).toMatchObject({ msg: expect.stringMatching(/^email: Invalid input/) });
  const id = await send('GET', '/admin/users/not-an-id');
  expect(id.status).toBe(404);
  expect(JSON.parse(id.body)).toMatchObject({ error_code: 'validation_failed', msg: 'user_id must be an UUID' });
  const hash = await send('POST', '/verify', JSON.stringify({ type: 'recovery', token_hash: 'used' }));
  expect(JSON.parse(hash.body)).toMatchObject({
    error_code: 'otp_expired',
    msg: 'Email link is invalid or has expired',
  });
});

test('The service role generates both links of an email change', async () => {
  const [email, new_email] = [crypto.randomUUID(), crypto.randomUUID()].map((id) => `p-${id.slice(0, 8)}@example.com`);
  await site.service.auth.admin.createUser({ email: email ?? '', password: PASSWORD, email_confirm: true });
  for (const type of ['email_change_current', 'email_change_new']) {
    const link = await send('POST', '/admin/generate_link', JSON.stringify({ type, email, new_email }));
    expect(link.status).toBe(200);
    const body = JSON.stringify({ type: 'email_change', token_hash: JSON.parse(link.body).hashed_token });
    expect((await send('POST', '/verify', body)).status).toBe(200);
  }
  const { data } = await site.service.auth.admin.listUsers({ perPage: 1000 });
  expect(data.users.map((user) => user.email)).toContain(new_email);
});
