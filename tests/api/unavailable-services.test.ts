/**
 * Services of the hosted platform that this backend does not have. Clients of these services get a JSON error, not an
 * HTML page.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend();
});
afterAll(() => api.close());

test.each(['/realtime/v1/websocket', '/graphql/v1', '/rest/v2/posts', '/auth/v2', '/pg/tables', '/analytics/v1/x'])(
  '%s responds with a 404 that lists the available paths',
  async (path) => {
    const response = await fetch(api.url + path, { headers: { origin: 'https://app.example' } });
    expect(response.status).toBe(404);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({
      code: 'not_offered',
      message: `${path} is not available. Available paths: /auth/v1, /rest/v1, /storage/v1, /functions/v1.`,
    });
    const preflight = await fetch(api.url + path, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.ok).toBe(true);
  },
);

test('Available services are not affected', async () => {
  const headers = { apikey: PUBLISHABLE_KEY };
  expect((await fetch(`${api.url}/rest/v1/posts?limit=1`, { headers })).status).toBe(200);
  expect((await fetch(`${api.url}/auth/v1/health`, { headers })).status).toBe(200);
});
