import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { startNativePostgres } from '../../packages/backend/tests/support/native-postgres.ts';
import { startS3Server } from '../support/s3-server.ts';
import { removeFolder, type SiteProcess, startSite } from '../support/site.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { assertTrue, fetchStatus, waitUntil, writeSetting } from './checks.ts';

const S3 = { accessKeyId: 'key', secretAccessKey: 'secret', region: 'us-east-1' };

/**
 * Restarts the database. Then stops the database and the object store for a while, one after the other. Finally, the
 * mail server and the model accept connections but never respond.
 */
export async function interruptServers({ seconds }: { seconds: number }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-faults-'));
  const [postgres, store, silentServer] = await Promise.all([
    startNativePostgres(),
    startS3Server(S3),
    startSilentServer(),
  ]);
  const storeProxy = await startTcpProxy(store.url);
  const site = await startSite(folder, {
    DATABASE_URL: postgres.url,
    S3_ENDPOINT: storeProxy.url,
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: S3.accessKeyId,
    S3_SECRET_ACCESS_KEY: S3.secretAccessKey,
    SMTP_URL: `smtp://127.0.0.1:${silentServer.port}`,
    AI_BASE_URL: `http://127.0.0.1:${silentServer.port}`,
    AI_MODEL: 'silent',
  });
  try {
    const secretKey = await readSecretKey(postgres.url);
    const read = () => fetchStatus(`${site.url}/rest/v1/posts?select=slug`, { headers: { apikey: PUBLISHABLE_KEY } });
    assertTrue((await fetchStatus(site.url)) === 200 && (await read()) === 200, 'the site responds');

    await postgres.halt();
    assertTrue((await read()) === 503, 'requests report that the database is unavailable');
    const { failed, longestMs } = await sendSteadyTraffic(site, { seconds, secretKey });
    await postgres.resume();
    await waitUntil(async () => (await read()) === 200, 'the database is used again');
    assertTrue((await writeSetting(site, secretKey, 'after')) === 201, 'writes succeed again');

    const bucket = { method: 'POST', headers: { apikey: secretKey, 'content-type': 'application/json' } };
    assertTrue(
      (await fetchStatus(`${site.url}/storage/v1/bucket`, { ...bucket, body: '{"name":"faults"}' })) === 200,
      'a bucket can be created',
    );
    const upload = (name: string) =>
      fetchStatus(`${site.url}/storage/v1/object/faults/${name}`, {
        method: 'POST',
        headers: { apikey: secretKey, 'content-type': 'text/plain' },
        body: name,
      });
    assertTrue((await upload('before.txt')) === 200, 'a file can be stored');
    await storeProxy.disconnect();
    assertTrue((await upload('during.txt')) >= 500, 'an upload fails while the object store is unavailable');
    assertTrue((await read()) === 200, 'tables can be read without an object store');
    await storeProxy.restore();
    await waitUntil(async () => (await upload('after.txt')) === 200, 'the object store is used again');

    const send = (path: string, body: object) =>
      fetch(site.url + path, {
        method: 'POST',
        headers: { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const response = await send('/auth/v1/recover', { email: 'admin@example.com' });
    assertTrue(response.status === 200, 'an email is requested while the mail server does not respond');
    const controller = new AbortController();
    const chat = fetchStatus(`${site.url}/functions/v1/ai-chat`, {
      method: 'POST',
      signal: controller.signal,
      headers: { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
    });
    assertTrue(
      (await read()) === 200 && (await fetchStatus(site.url)) === 200,
      'the site responds while the mail server and the model do not',
    );
    controller.abort();
    await chat;
    await site.stop();
    assertTrue(site.process.exitCode === 0, 'the process stops cleanly while neither of them responds');
    return `database stopped for ${seconds} s under 50 requests a second (${failed} failed with the reason, the slowest after ${longestMs} ms; pages were shown), object store stopped and restarted, mail server and model not responding: everything recovered`;
  } finally {
    await site.stop('SIGKILL');
    await storeProxy.disconnect();
    await Promise.all([postgres.stop(), store.close(), silentServer.close(), removeFolder(folder)]);
  }
}

/**
 * Requests pages, rows, a sign-in and a write in turn while the database is down, without waiting for earlier
 * responses. Pages must be shown, and all other requests must fail before a browser would time out.
 */
async function sendSteadyTraffic(
  site: SiteProcess,
  { seconds, secretKey }: { seconds: number; secretKey: string },
): Promise<{ failed: number; longestMs: number }> {
  const headers = { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json' };
  const signIn = JSON.stringify({ email: 'nobody@example.com', password: 'Right-password-1' });
  const requests = [
    () => fetchStatus(site.url),
    () => fetchStatus(`${site.url}/rest/v1/posts?select=slug`, { headers }),
    () => fetchStatus(`${site.url}/auth/v1/token?grant_type=password`, { method: 'POST', headers, body: signIn }),
    () => writeSetting(site, secretKey, 'meanwhile'),
  ];
  const results: Promise<{ isPage: boolean; status: number; ms: number }>[] = [];
  const start = performance.now();
  for (let n = 0; n < seconds * 50; n += 1) {
    await wait(Math.max(0, start + n * 20 - performance.now()));
    const kind = n % requests.length;
    const sentAt = performance.now();
    const request = requests[kind]?.() ?? Promise.resolve(0);
    results.push(request.then((status) => ({ isPage: kind === 0, status, ms: performance.now() - sentAt })));
  }
  const finished = await Promise.all(results);
  const pages = finished.filter(({ isPage }) => isPage);
  const otherResults = finished.filter(({ isPage }) => !isPage);
  assertTrue(
    pages.every(({ status }) => status === 200),
    'cached pages are shown without a database',
  );
  const unexpected = [...new Set(otherResults.map(({ status }) => status))].filter((status) => status !== 503);
  assertTrue(
    otherResults.every(({ status }) => status === 503),
    `requests report that the database is unavailable, but these do not: ${unexpected.join(', ')}`,
  );
  const longestMs = Math.round(Math.max(...otherResults.map(({ ms }) => ms)));
  assertTrue(longestMs < 10_000, 'no request fails only after ten seconds or more');
  return { failed: otherResults.length, longestMs };
}

/** Starts a server that accepts connections but never responds. */
async function startSilentServer() {
  const server = createServer((socket) => void socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { port, close: async () => void server.close() };
}

async function readSecretKey(url: string): Promise<string> {
  const database = openPostgresDatabase(url, 1);
  const { rows } = await database.query<{ value: string }>(
    `select value from backend.secrets where name = 'secret_key'`,
  );
  await database.close();
  return rows[0]?.value ?? '';
}
