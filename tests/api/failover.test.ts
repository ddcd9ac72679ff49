/** Failover from a Postgres server to its standby. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import type { Backend } from '../../packages/backend/src/create-backend.ts';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import {
  type NativePostgres,
  type Standby,
  startNativePostgres,
} from '../../packages/backend/tests/support/native-postgres.ts';
import { examine } from '../../scripts/doctor/database.ts';
import { createSiteBackend } from '../../server/site-backend.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

let primary: NativePostgres;
let standby: Standby;
let folder: string;

beforeAll(async () => {
  [primary, folder] = await Promise.all([startNativePostgres(), mkdtemp(join(tmpdir(), 'signalfjord-test-'))]);
  standby = await primary.startStandby();
});

afterAll(async () => {
  await standby.stop();
  await primary.stop();
  await rm(folder, { recursive: true });
});

function startInstance(DATABASE_URL: string) {
  const config = parseConfig({ DATABASE_URL, DATA_DIR: folder, RATE_LIMITS: 'off' });
  return createSiteBackend(config, { log: pino({ level: 'silent' }) });
}

async function request(instance: Backend, path: string, options: RequestInit = {}) {
  const headers = { apikey: instance.keys.secretKey, 'content-type': 'application/json', prefer: 'return=minimal' };
  const response = await instance.fetch(new Request(`http://localhost/rest/v1/${path}`, { headers, ...options }));
  const { message = '' } = (await response.json().catch(() => ({}))) as { message?: string };
  return { status: response.status, message };
}

const readStatus = async (instance: Backend) => (await request(instance, 'posts?select=slug&limit=1')).status;
const writeSetting = (instance: Backend, setting_key: string) =>
  request(instance, 'site_settings', { method: 'POST', body: JSON.stringify({ setting_key, setting_value: 1 }) });

async function waitForReplication(): Promise<void> {
  const [first, second] = [openPostgresDatabase(primary.url, 1), openPostgresDatabase(standby.url, 1)];
  const { rows } = await first.query<{ at: string }>('select pg_current_wal_lsn()::text as at');
  await expect
    .poll(async () => {
      const { rows: progress } = await second.query<{ is_there: boolean }>(
        'select pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there',
        [rows[0]?.at],
      );
      return progress[0]?.is_there;
    })
    .toBe(true);
  await Promise.all([first.close(), second.close()]);
}

test('On a standby, an instance can read, rejects changes with 503 and is not ready, and it later returns to the primary', async () => {
  const proxy = await startTcpProxy(primary.url);
  const instance = await startInstance(proxy.url);
  expect(await writeSetting(instance, 'before')).toMatchObject({ status: 201 });
  await waitForReplication();

  await proxy.disconnect();
  proxy.redirectTo(standby.url);
  await proxy.restore();
  await expect.poll(() => readStatus(instance)).toBe(200);
  const response = await writeSetting(instance, 'meanwhile');
  expect(response).toEqual({ status: 503, message: expect.stringContaining('is read-only right now') });
  await expect
    .poll(async () => (await instance.readiness())['database'])
    .toBe('read-only (a standby, or set to read-only)');

  // The name resolves to the primary again, and existing connections stay open.
  proxy.redirectTo(primary.url);
  await expect.poll(async () => (await writeSetting(instance, 'after')).status).toBe(201);
  await expect.poll(async () => (await instance.readiness())['database']).toBe('ok');
  await instance.close();
  await proxy.disconnect();
});

test('`doctor` reports a standby and a read-only server', async () => {
  const listErrors = async (url: string) => {
    const database = openPostgresDatabase(url, 1);
    const findings = await examine(database, 'The database', { DATABASE_URL: url });
    await database.close();
    return findings.filter(({ subject }) => subject === 'Writes').map(({ message }) => message);
  };
  expect(await listErrors(primary.url)).toEqual([]);
  expect(await listErrors(standby.url)).toEqual([expect.stringContaining('The database is a standby: promote it')]);
  const admin = openPostgresDatabase(primary.url, 1);
  await admin.query('alter database postgres set default_transaction_read_only = on');
  expect(await listErrors(primary.url)).toEqual([expect.stringContaining('The database is read-only')]);
  await admin.query('alter database postgres reset default_transaction_read_only');
  await admin.close();
});

test('After the standby is promoted, a running instance uses it, and all saved data is present', async () => {
  const proxy = await startTcpProxy(primary.url);
  const instance = await startInstance(proxy.url);
  expect(await writeSetting(instance, 'first')).toMatchObject({ status: 201 });
  await waitForReplication();
  await primary.halt();
  proxy.redirectTo(standby.url);
  const admin = openPostgresDatabase(standby.url, 1);
  await admin.query('select pg_promote()');
  await admin.close();
  await expect.poll(async () => (await writeSetting(instance, 'second')).status).toBe(201);
  const { rows } = await instance.database.query(
    `select setting_key from public.site_settings where setting_key in ('first', 'second') order by 1`,
  );
  expect(rows).toEqual([{ setting_key: 'first' }, { setting_key: 'second' }]);
  await instance.close();
  await proxy.disconnect();
});
