import { mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createClient } from '@supabase/supabase-js';
import { expect, onTestFinished, test } from 'vitest';
import { type BackupStore, openBackupStore } from '../../packages/backend/src/point-in-time/backup-store.ts';
import { earliestTime, newestChain, parseSegmentName } from '../../packages/backend/src/point-in-time/chains.ts';
import { restoreToTime } from '../../packages/backend/src/point-in-time/restore-to-time.ts';
import { WAL_SEGMENT_BYTES } from '../../packages/backend/src/postgres/data-folder.ts';
import { runCommand } from '../support/command.ts';
import { createNoisyImage } from '../support/resumable-upload.ts';
import { startS3Server } from '../support/s3-server.ts';
import {
  killWithDatabase,
  newDataFolder,
  queryFolder,
  removeFolder,
  type SiteProcess,
  startSite,
} from '../support/site.ts';

/** Number of random moments to restore in addition to the latest one. Use a higher number for a recovery drill. */
const MOMENT_COUNT = Number(process.env['MOMENTS'] ?? 2);

/** Each test starts several servers one after the other. */
const LONG_TIMEOUT = { timeout: 300_000 + 12_000 * MOMENT_COUNT };

interface RecordedWrite {
  key: string;
  sent: number;
  acknowledged: number;
}

test(
  'After kill -9, any moment can be restored with exactly the rows acknowledged before it',
  LONG_TIMEOUT,
  async () => {
    const { folder, secretKey } = await newDataFolder('off');
    onTestFinished(() => removeFolder(folder));
    const { path, store } = await newBackupFolder();
    const writes: RecordedWrite[] = [];
    for (let round = 0; round < Math.ceil(MOMENT_COUNT / 3); round++) {
      const site = await startUntilTestEnd(folder, { BACKUP_URL: path });
      await waitForBackup(store);
      for (const part of ['a', 'b', 'c']) {
        await writeRows(site, secretKey, writes, `round-${round}-${part}`, 10);
        if (part !== 'c') await finishSegment(folder);
      }
      await killWithDatabase(site);
    }
    const last = await startUntilTestEnd(folder, { BACKUP_URL: path });
    await writeRows(last, secretKey, writes, 'last', 3);
    await last.stop();
    expect((await readdir(path)).filter((name) => name.startsWith('2'))).toHaveLength(1);

    const earliest = await findFirstMoment(store);
    const latest = Date.now();
    const moments = Array.from(
      { length: MOMENT_COUNT },
      () => earliest + Math.floor(Math.random() * (latest - earliest)),
    );
    for (const moment of [earliest, ...moments, latest]) {
      const { at, keys } = await restoreEmpty(store, new Date(moment));
      expect(at).toBeLessThanOrEqual(moment);
      expect(writes.filter(({ key, acknowledged }) => acknowledged < moment && !keys.has(key))).toEqual([]);
      expect(writes.filter(({ key, sent }) => sent > moment && keys.has(key))).toEqual([]);
    }

    const earlyRestore = await runRestore({ DATA_DIR: folder, BACKUP_URL: path }, '2026-01-01T00:00Z');
    expect(earlyRestore.output).toContain(
      `No backup exists for 2026-01-01T00:00:00.000Z. The earliest time that can be restored is ${new Date(earliest).toISOString()}.`,
    );
    const segments = (await store.list('')).filter((name) => name.includes('/log/'));
    const before = await databaseFolders(folder);
    const laterSegment = join(path, segments[2] ?? '');
    const content = await readFile(laterSegment);
    await writeFile(laterSegment, gzipSync(Buffer.alloc(WAL_SEGMENT_BYTES, 'another content')));
    const changedRestore = await runRestore({ DATA_DIR: folder, BACKUP_URL: path }, new Date(latest).toISOString());
    expect(changedRestore).toMatchObject({
      code: 1,
      output: expect.stringContaining('of the write-ahead log at BACKUP_URL is damaged'),
    });
    await writeFile(laterSegment, content);
    const secondSegment = join(path, segments[1] ?? '');
    await truncate(secondSegment, (await stat(secondSegment)).size - 10);
    const truncatedRestore = await runRestore({ DATA_DIR: folder, BACKUP_URL: path }, new Date(latest).toISOString());
    expect(truncatedRestore).toMatchObject({ code: 1, output: expect.stringContaining(`${segments[1]} is damaged`) });
    await rm(secondSegment);
    const missing = await runRestore({ DATA_DIR: folder, BACKUP_URL: path }, new Date(latest).toISOString());
    expect(missing).toMatchObject({ code: 1, output: expect.stringContaining('is missing at BACKUP_URL') });
    expect(await databaseFolders(folder)).toEqual(before);
  },
);

test(
  'A moment includes the changes of a segment that began before the previous one was archived',
  LONG_TIMEOUT,
  async () => {
    const { folder, secretKey } = await newDataFolder('off');
    onTestFinished(() => removeFolder(folder));
    const { path, store } = await newBackupFolder();
    const site = await startUntilTestEnd(folder, { BACKUP_URL: path });
    await waitForBackup(store);
    await writeRows(site, secretKey, [], 'early', 2);
    await finishSegment(folder);
    await writeRows(site, secretKey, [], 'late', 2);
    const moment = Date.now() + 1;
    await site.stop();
    for (const name of await store.list('')) {
      const isEarly = (parseSegmentName(name)?.at.getTime() ?? Number.NaN) <= moment;
      if (isEarly) await rename(join(path, name), join(path, name.replace(/\d+\.gz$/, `${moment + 1}.gz`)));
    }
    expect(testKeys((await restoreEmpty(store, new Date(moment))).keys)).toEqual([
      'early-0',
      'early-1',
      'late-0',
      'late-1',
    ]);
  },
);

test('From a bucket, the database and its files are restored into an empty folder', LONG_TIMEOUT, async () => {
  const { folder, secretKey } = await newDataFolder('off');
  onTestFinished(() => removeFolder(folder));
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'se/cret', region: 'eu-north-1' };
  const s3 = await startS3Server(credentials);
  onTestFinished(() => s3.close());
  const { host } = new URL(s3.url);
  const BACKUP_URL = `http://${credentials.accessKeyId}:${encodeURIComponent(credentials.secretAccessKey)}@${host}/backups/site?region=eu-north-1`;
  const site = await startUntilTestEnd(folder, { BACKUP_URL });
  await waitForBackup(openBackupStore(BACKUP_URL));
  const service = createClient(site.url, secretKey);
  const picture = await createNoisyImage(40, 30);
  const upload = await service.storage.from('content-media').upload('a.png', picture, { contentType: 'image/png' });
  expect(upload.error).toBeNull();
  const pictureUrl = (url: string) => `${url}/storage/v1/object/public/content-media/a.png`;
  const bytes = await (await fetch(pictureUrl(site.url))).bytes();
  // The store fails once. The site logs the failure and retries.
  s3.failNext = 503;
  await service.from('site_settings').insert({ setting_key: 'kept', setting_value: 'yes' }).throwOnError();
  await finishSegment(folder);
  await expect.poll(() => site.output()).toContain('Backups to BACKUP_URL work again (saving the log)');
  expect(site.output().match(/The backup to BACKUP_URL failed \(saving the log/g)).toHaveLength(1);
  await site.stop();
  await removeFolder(folder);

  const empty = await mkdtemp(join(tmpdir(), 'signalfjord-site-'));
  onTestFinished(() => removeFolder(empty));
  const restore = await runRestore({ DATA_DIR: empty, BACKUP_URL }, new Date().toISOString());
  expect(restore.output).toContain('Missing files restored: 1.');
  const restoredSite = await startUntilTestEnd(empty, { BACKUP_URL });
  const { data } = await createClient(restoredSite.url, secretKey)
    .from('site_settings')
    .select('setting_value')
    .eq('setting_key', 'kept');
  expect(data).toEqual([{ setting_value: 'yes' }]);
  expect(await (await fetch(pictureUrl(restoredSite.url))).bytes()).toEqual(bytes);
});

test(
  'A restored database starts a new backup chain, and so does a database whose log has a gap',
  LONG_TIMEOUT,
  async () => {
    const { folder, secretKey } = await newDataFolder('off');
    onTestFinished(() => removeFolder(folder));
    const { path, store } = await newBackupFolder();
    const writes: RecordedWrite[] = [];
    const first = await startUntilTestEnd(folder, { BACKUP_URL: path });
    await waitForBackup(store);
    await writeRows(first, secretKey, writes, 'before', 3);
    const moment = new Date();
    await expect.poll(() => Date.now()).toBeGreaterThan(moment.getTime());
    await writeRows(first, secretKey, writes, 'after', 3);
    const restoreInUse = await runRestore({ DATA_DIR: folder, BACKUP_URL: path }, moment.toISOString());
    expect(restoreInUse).toMatchObject({ code: 1, output: expect.stringContaining('is in use by another process') });
    await first.stop();

    const restore = await runRestore({ DATA_DIR: folder, BACKUP_URL: path }, moment.toISOString());
    expect(restore).toMatchObject({ code: 0, output: expect.stringContaining('The previous database is in') });
    expect((await databaseFolders(folder)).filter((name) => name.startsWith('postgres-before-'))).toHaveLength(1);
    expect(testKeys(await readKeys(folder))).toEqual(['before-0', 'before-1', 'before-2']);

    const second = await startUntilTestEnd(folder, { BACKUP_URL: path });
    await expect.poll(() => countBases(store)).toBe(2);
    await writeRows(second, secretKey, writes, 'second', 2);
    await second.stop();
    const between = new Date();
    // Without BACKUP_URL, Postgres archives nothing.
    await queryFolder(folder, `insert into public.site_settings (setting_key, setting_value) values ('lost-0', 'x')`);
    await finishSegment(folder);
    const thirdSite = await startUntilTestEnd(folder, { BACKUP_URL: path });
    await writeRows(thirdSite, secretKey, writes, 'third', 2);
    await finishSegment(folder);
    await expect.poll(() => countBases(store)).toBe(3);
    await thirdSite.stop();

    const keysWithoutGap = ['before-0', 'before-1', 'before-2', 'second-0', 'second-1'];
    expect(testKeys((await restoreEmpty(store, between)).keys)).toEqual(keysWithoutGap);
    const allKeys = [...keysWithoutGap, 'lost-0', 'third-0', 'third-1'].sort();
    expect(testKeys((await restoreEmpty(store, new Date())).keys)).toEqual(allKeys);
    const oldMoment = new Date(writes.find(({ key }) => key === 'second-0')?.sent ?? 0);
    expect(testKeys((await restoreEmpty(store, oldMoment)).keys)).toEqual(['before-0', 'before-1', 'before-2']);
  },
);

test.each([
  ['no BACKUP_URL', {}, '2026-11-23T18:30', 'Set BACKUP_URL to the location where the server stores its backups.'],
  ['an invalid time', { BACKUP_URL: '/nothing' }, 'yesterday', '--at is "yesterday", but must be a time such as'],
  ['an empty location', { BACKUP_URL: '/nothing' }, '2026-11-23T18:30', 'BACKUP_URL contains no backup of a database.'],
  [
    'an unreachable location',
    { BACKUP_URL: 'http://key:secret@127.0.0.1:1/bucket' },
    '2026-11-23T18:30',
    'BACKUP_URL cannot be read',
  ],
  [
    'another Postgres server',
    { BACKUP_URL: '/nothing', DATABASE_URL: 'postgres://site@127.0.0.1/site' },
    '2026-11-23T18:30',
    'BACKUP_URL works only with the built-in database',
  ],
])('With %s, the restore changes nothing and reports the reason', async (_, environment, moment, message) => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-site-'));
  onTestFinished(() => removeFolder(folder));
  const { code, output } = await runRestore({ DATA_DIR: folder, ...environment }, moment);
  expect(output).toContain(message);
  expect(code).toBe(1);
  expect(await databaseFolders(folder)).toEqual([]);
});

async function startUntilTestEnd(folder: string, environment: Record<string, string>): Promise<SiteProcess> {
  const site = await startSite(folder, environment);
  onTestFinished(() => site.stop());
  return site;
}

async function newBackupFolder(): Promise<{ path: string; store: BackupStore }> {
  const path = await mkdtemp(join(tmpdir(), 'signalfjord-backup-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const store = openBackupStore(`file://${path}`);
  return { path, store };
}

async function countBases(store: BackupStore): Promise<number> {
  return (await store.list('')).filter((name) => name.endsWith('/backup.json')).length;
}

/** Waits until a moment can be restored. */
async function waitForBackup(store: BackupStore): Promise<void> {
  const isBackedUp = async () => {
    const chain = await newestChain(store, new Date());
    return chain !== null && earliestTime(chain) !== null;
  };
  await expect.poll(isBackedUp).toBe(true);
}

/** Ends the current segment of the log, as Postgres does after its timeout. */
async function finishSegment(folder: string): Promise<void> {
  await queryFolder(folder, 'select pg_switch_wal()');
}

/** Returns the first moment that can be restored, in milliseconds since 1970. */
async function findFirstMoment(store: BackupStore): Promise<number> {
  let first = Number.NaN;
  for (let latest = new Date(); ; ) {
    const chain = await newestChain(store, latest);
    if (!chain) return first;
    first = earliestTime(chain)?.getTime() ?? first;
    latest = new Date(chain.startedAt - 1);
  }
}

async function writeRows(
  { url }: SiteProcess,
  secretKey: string,
  writes: RecordedWrite[],
  name: string,
  count: number,
): Promise<void> {
  const service = createClient(url, secretKey);
  for (let n = 0; n < count; n++) {
    const key = `${name}-${n}`;
    const sentAt = Date.now();
    await service.from('site_settings').insert({ setting_key: key, setting_value: 'x' }).throwOnError();
    writes.push({ key, sent: sentAt, acknowledged: Date.now() });
  }
}

/** Restores a moment into an empty folder. @returns the time of its last change, and the keys of its settings */
async function restoreEmpty(store: BackupStore, moment: Date): Promise<{ at: number; keys: Set<string> }> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'signalfjord-site-'));
  try {
    const { at } = await restoreToTime(store, { dataFolder, bytes: null }, moment);
    return { at: at.getTime(), keys: await readKeys(dataFolder) };
  } finally {
    await removeFolder(dataFolder);
  }
}

async function readKeys(dataFolder: string): Promise<Set<string>> {
  const rows = await queryFolder<{ setting_key: string }>(dataFolder, 'select setting_key from public.site_settings');
  return new Set(rows.map(({ setting_key }) => setting_key));
}

/** Returns the sorted keys that a test has written. */
function testKeys(keys: Set<string>): string[] {
  return [...keys].filter((key) => /^[a-z]+-\d$/.test(key)).sort();
}

async function databaseFolders(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^(postgres|restoring)/.test(name));
}

async function runRestore(environment: Record<string, string>, at: string) {
  const { code, stdout, stderr } = await runCommand(['scripts/import.ts', '--replace', '--at', at], environment);
  return { code, output: stdout + stderr };
}
