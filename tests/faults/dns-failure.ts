import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { enqueueMail } from '../../packages/backend/src/mail/mail-queue.ts';
import { startNativePostgres } from '../../packages/backend/tests/support/native-postgres.ts';
import { startS3Server } from '../support/s3-server.ts';
import { removeFolder, startSite } from '../support/site.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { assertTrue, fetchStatus, waitUntil } from './checks.ts';

const S3 = { accessKeyId: 'key', secretAccessKey: 'secret', region: 'us-east-1' };

/** Resolves names that end in .test to this machine, and fails while the file in NAMES_FILE contains `failing`. */
const DNS_SHIM = `
import dns from 'node:dns';
import { readFileSync } from 'node:fs';
const lookup = dns.lookup;
const isFailing = () => readFileSync(process.env.NAMES_FILE, 'utf8') === 'failing';
dns.lookup = (name, options, callback) => {
  const done = callback ?? options;
  if (!name.endsWith('.test')) return lookup(name, options, callback);
  if (isFailing()) {
    const error = Object.assign(new Error('getaddrinfo EAI_AGAIN ' + name), { code: 'EAI_AGAIN', syscall: 'getaddrinfo', hostname: name });
    return process.nextTick(done, error);
  }
  return lookup('127.0.0.1', callback ? options : {}, done);
};
`;

/** Makes DNS fail for the database, the object store and the mail server, and then restores it. */
export async function interruptDns(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-faults-'));
  const [postgres, store, smtp] = await Promise.all([startNativePostgres(), startS3Server(S3), startSmtpServer()]);
  const [namesFile, shim] = [join(folder, 'names'), join(folder, 'names.mjs')];
  await Promise.all([writeFile(shim, DNS_SHIM), writeFile(namesFile, 'working')]);
  const withHost = (url: string, name: string) => url.replace('127.0.0.1', `${name}.test`);
  const site = await startSite(folder, {
    NODE_OPTIONS: `--import=${shim}`,
    NAMES_FILE: namesFile,
    DATABASE_URL: withHost(postgres.url, 'database'),
    S3_ENDPOINT: withHost(store.url, 'store'),
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: S3.accessKeyId,
    S3_SECRET_ACCESS_KEY: S3.secretAccessKey,
    SMTP_URL: withHost(smtp.url, 'mail'),
  });
  const database = openPostgresDatabase(postgres.url, 1);
  try {
    const headers = { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json' };
    const read = () => fetchStatus(`${site.url}/rest/v1/posts?select=slug`, { headers });
    assertTrue((await fetchStatus(site.url)) === 200 && (await read()) === 200, 'the site responds');

    await writeFile(namesFile, 'failing');
    assertTrue((await fetchStatus(site.url)) === 200, 'pages are shown while DNS fails');
    assertTrue(
      [200, 503].includes(await read()),
      'tables are read over open connections, or the database is reported as unavailable',
    );
    await enqueueMail(database, 'ada@example.com', 'registration_approved', { Email: 'ada@example.com' });
    const readLastError = async () =>
      (await database.query<{ last_error: string | null }>('select last_error from private.mail_queue')).rows[0]
        ?.last_error ?? '';
    await waitUntil(
      async () => (await readLastError()).includes('mail.test'),
      'the email waits, and the queue names the mail server',
    );
    // Closed connections cannot be reopened while DNS fails.
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    await waitUntil(async () => (await read()) === 503, 'requests report that the database cannot be reached');
    assertTrue((await fetchStatus(site.url)) === 200, 'pages are shown without a database');

    await writeFile(namesFile, 'working');
    await waitUntil(async () => (await read()) === 200, 'the database is used again');
    await database.query('update private.mail_queue set next_attempt_at = now()');
    await database.query(`select pg_notify('mail_queued', '')`);
    await waitUntil(() => smtp.received.length === 1, 'the email is sent once');
    assertTrue(site.process.exitCode === null, 'the process is still running');
    return 'names of database, object store and mail server unavailable and restored: pages were shown, the email waited and was sent once, and everything recovered';
  } finally {
    await site.stop();
    await database.close();
    await Promise.all([postgres.stop(), store.close(), smtp.close(), removeFolder(folder)]);
  }
}
