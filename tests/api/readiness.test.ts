/** The results of /readyz and the queue metrics, with each dependency available and unavailable. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { enqueueMail } from '../../packages/backend/src/mail/mail-queue.ts';
import { readQueueMetrics } from '../../packages/backend/src/queue-metrics.ts';
import { createProjectReadiness, createReadiness } from '../../packages/backend/src/readiness.ts';
import { openByteStore } from '../../packages/backend/src/storage/bytes/open-byte-store.ts';
import { recordDatabase } from '../support/recorded-database.ts';
import { startS3Server } from '../support/s3-server.ts';
import { openTestDatabase } from '../support/test-database.ts';

const READY = { database: 'ok', migrations: 'ok', files: 'ok' };

let database: Database;
let folder: string;
beforeAll(async () => {
  [database, folder] = await Promise.all([openTestDatabase(), mkdtemp(join(tmpdir(), 'signalfjord-ready-'))]);
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

function readReadiness(
  environment: Record<string, string> = {},
  dependencies: { database?: Database; migrations?: string[] } = {},
) {
  const config = parseConfig({ DATA_DIR: join(folder, 'data'), ...environment });
  return createReadiness({
    config,
    database,
    bytes: openByteStore(config),
    migrations: ['001_roles_and_helpers.sql'],
    ...dependencies,
  });
}

test('Concurrent readiness checks cause one database query', async () => {
  const { recorded, statements } = recordDatabase(database);
  const checkReadiness = readReadiness({}, { database: recorded });
  const results = await Promise.all(Array.from({ length: 100 }, () => checkReadiness()));
  expect(statements).toHaveLength(1);
  expect(results).toEqual(Array.from({ length: 100 }, () => READY));
});

test('A database that lacks a migration of this version is not ready', async () => {
  const migrations = ['001_roles_and_helpers.sql', '29990101000000'];
  expect(await readReadiness({}, { migrations })()).toEqual({ ...READY, migrations: '1 not applied' });
});

test('A database that does not respond in time is reported, and no further queries are sent until it responds', async () => {
  const { promise, resolve } = Promise.withResolvers<{ rows: never[]; rowCount: number }>();
  let queryCount = 0;
  const query = () => {
    queryCount++;
    return promise;
  };
  const silentDatabase = { ...recordDatabase(database).recorded, query } as Database;
  const checkReadiness = readReadiness({}, { database: silentDatabase, migrations: [] });
  const timedOut = { ...READY, database: 'no response within 2 seconds', migrations: 'not known' };
  expect(await checkReadiness()).toEqual(timedOut);
  expect(await checkReadiness()).toEqual(timedOut);
  expect(queryCount).toBe(1);
  resolve({ rows: [], rowCount: 0 });
});

test('A data folder that is not writable is reported', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  expect(await readReadiness({ DATA_DIR: join(file, 'data') })()).toEqual({
    ...READY,
    files: 'DATA_DIR is not writable',
  });
});

test('An object store is ready if it accepts the keys, and the error messages of the store are not passed on', async () => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG', region: 'eu-north-1' };
  const s3 = await startS3Server(credentials);
  const environment = {
    S3_ENDPOINT: s3.url,
    S3_BUCKET: 'our-files',
    S3_REGION: credentials.region,
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  expect(await readReadiness(environment)()).toEqual(READY);
  expect(await readReadiness({ ...environment, S3_SECRET_ACCESS_KEY: 'another' })()).toEqual({
    ...READY,
    files: 'the object store rejects requests',
  });
  const checkReadiness = readReadiness(environment);
  await s3.close();
  expect(await checkReadiness()).toEqual({ ...READY, files: 'the object store cannot be reached' });
});

test('A Supabase project that cannot be reached is not ready', async () => {
  const project = { SUPABASE_URL: 'http://127.0.0.1:1', SUPABASE_PUBLISHABLE_KEY: 'key' };
  expect(await createProjectReadiness(parseConfig(project), '/rest/v1/')()).toEqual({ project: 'cannot be reached' });
});

test('An email counts as waiting once it is due, and its age increases during retries', async () => {
  const queueMail = (recipient: string) => enqueueMail(database, recipient, 'newsletter_welcome', { Email: recipient });
  await queueMail('later@example.com');
  await database.query(`update private.mail_queue set next_attempt_at = now() + interval '1 day'`);
  expect(await readQueueMetrics(database)).toEqual({
    mails: 0,
    failedMails: 0,
    oldestMailSeconds: 0,
    deletedFiles: 0,
  });
  await queueMail('failed@example.com');
  // The email failed three times within seven minutes and is due in one minute, so it has waited for six.
  await database.query(
    `update private.mail_queue set attempts = 3, next_attempt_at = now() + interval '1 minute'
     where recipient = 'failed@example.com'`,
  );
  await queueMail('given-up@example.com');
  await database.query(
    `update private.mail_queue set attempts = 1, failed_at = now(), next_attempt_at = 'infinity'
     where recipient = 'given-up@example.com'`,
  );
  const { mails, failedMails, oldestMailSeconds } = await readQueueMetrics(database);
  expect([mails, failedMails]).toEqual([1, 1]);
  expect(oldestMailSeconds).toBeGreaterThanOrEqual(360);
  expect(oldestMailSeconds).toBeLessThan(420);
});
