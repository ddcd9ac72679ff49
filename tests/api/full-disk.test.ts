/** The response of each service while the disk of the built-in database is full. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MIN_FREE_BYTES } from '../../packages/backend/src/database/disk-space.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { pdf } from '../../packages/backend/tests/support/sample-files.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const CREDENTIALS = { email: 'ada@example.com', password: 'Enough-room-1' };
const DISK_FULL = /^The disk of the server is full/;

let backend: TestBackend;
let admin: Awaited<ReturnType<TestBackend['signedIn']>>;
let freeBytes = Number.MAX_SAFE_INTEGER;

beforeAll(async () => {
  backend = await startTestBackend({ RATE_LIMITS: 'on' }, { disk: { readFree: async () => freeBytes } });
  admin = await backend.signedIn('admin', 'aal2');
  await backend.visitor.auth.signUp(CREDENTIALS);
  await backend.visitor.auth.signOut();
  await admin.client.from('site_settings').insert(setting('before'));
  await admin.client.storage.from('content-media').upload('before.pdf', pdf);
});
afterAll(() => backend.close());

const setting = (key: string) => ({ setting_key: key, setting_value: 'text' });

/** Sets the free disk space, and waits until the cached value has expired. */
async function setFree(bytes: number): Promise<void> {
  freeBytes = bytes;
  const write = () => backend.service.from('site_settings').delete().eq('setting_key', 'none');
  await expect.poll(async () => (await write()).status).toBe(bytes < MIN_FREE_BYTES ? 503 : 204);
}

function request(path: string, body?: object): Promise<Response> {
  const headers = { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json' };
  return fetch(backend.url + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
}

describe('On a full disk', () => {
  beforeEach(() => setFree(MIN_FREE_BYTES - 1));

  test('tables can be read but not written, and errors have code 53100 and a Retry-After header', async () => {
    expect((await backend.visitor.from('posts').select('slug')).status).toBe(200);
    const reading = await admin.client.from('site_settings').select().eq('setting_key', 'before');
    expect(reading.data).toMatchObject([setting('before')]);
    for (const client of [admin.client, backend.service]) {
      const { error, status } = await client.from('site_settings').insert(setting('during'));
      expect({ status, ...error }).toMatchObject({
        status: 503,
        code: '53100',
        message: expect.stringMatching(DISK_FULL),
      });
    }
    const response = await fetch(`${backend.url}/rest/v1/site_settings?setting_key=eq.before`, {
      method: 'DELETE',
      headers: { apikey: backend.backend.keys.secretKey },
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
  });

  test('new sign-ins and sign-ups are rejected with the reason, and existing sessions stay valid', async () => {
    const signIn = await request('/auth/v1/token?grant_type=password', CREDENTIALS);
    expect([signIn.status, signIn.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await signIn.json()).toMatchObject({
      error_code: 'unexpected_failure',
      msg: expect.stringMatching(DISK_FULL),
    });
    const { error } = await backend.visitor.auth.signUp({ ...CREDENTIALS, email: 'bea@example.com' });
    expect(error).toMatchObject({ status: 503, message: expect.stringMatching(DISK_FULL) });
    expect(await backend.visitor.auth.getUser(admin.token)).toMatchObject({
      error: null,
      data: { user: { id: admin.id } },
    });
  });

  test('the assistant answers, because it only reads', async () => {
    const response = await request('/functions/v1/ai-chat', {
      messages: [{ role: 'user', content: 'What do you do?' }],
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('data: [DONE]');
  });

  test('files can be read but not written', async () => {
    const media = admin.client.storage.from('content-media');
    expect((await media.download('before.pdf')).data?.size).toBe(pdf.length);
    expect((await media.list()).data).toMatchObject([{ name: 'before.pdf' }]);
    expect((await media.upload('during.pdf', pdf)).error).toMatchObject({
      status: 507,
      message: 'The file was not saved, because the disk of the server is full.',
    });
    expect((await media.remove(['before.pdf'])).error).toMatchObject({ status: 507 });
  });
});

test('Writes work again as soon as there is enough space', async () => {
  await setFree(MIN_FREE_BYTES);
  expect((await admin.client.from('site_settings').insert(setting('after'))).status).toBe(201);
  expect((await request('/auth/v1/token?grant_type=password', CREDENTIALS)).status).toBe(200);
  const media = admin.client.storage.from('content-media');
  expect((await media.upload('after.pdf', pdf)).error).toBeNull();
  expect((await media.remove(['before.pdf'])).error).toBeNull();
});
