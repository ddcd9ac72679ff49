import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { expect, onTestFinished, test } from 'vitest';
import { openPgliteDatabase } from '../../backend/database/pglite-database.ts';
import { type BackupStore, openBackupStore } from '../../backend/point-in-time/backup-store.ts';
import { restoreMoment } from '../../backend/point-in-time/restore-moment.ts';
import { runCommand } from '../support/command.ts';
import { noisyPicture } from '../support/resumable-upload.ts';
import { startS3Server } from '../support/s3-server.ts';
import { newDataFolder, removeFolder, type SiteProcess, startSite } from '../support/site.ts';

/** Moments that are brought back beside the end; many for a drill. */
const MOMENTS = Number(process.env['MOMENTS'] ?? 1);

/** Each starts several servers, one after the other. */
const PATIENT = { timeout: 300_000 };

interface Written {
  key: string;
  sent: number;
  acknowledged: number;
}

test(
  'After kill -9 any moment comes back, and nothing of what was acknowledged until then is missing',
  PATIENT,
  async () => {
    const { folder, secretKey } = await newDataFolder('off');
    onTestFinished(() => removeFolder(folder));
    const { url, store } = await newBackupFolder();
    const written: Written[] = [];
    for (let round = 0; round < Math.ceil(MOMENTS / 2); round++) {
      const site = await startUntilTheEnd(folder, { BACKUP_URL: url });
      await whenCopied(store);
      await writeUntil(site, secretKey, written, `round-${round}`, 40 + Math.random() * 60);
      site.process.kill('SIGKILL');
      await site.stop();
    }
    const last = await startUntilTheEnd(folder, { BACKUP_URL: url });
    await last.stop();
    const [first] = written;
    const begun = await firstMoment(store);
    const ended = Date.now();
    const moments = Array.from({ length: MOMENTS }, () => begun + Math.random() * (ended - begun));
    for (const moment of [...moments, ended]) {
      const { at, keys } = await bringBack(store, new Date(moment));
      expect(at).toBeLessThanOrEqual(moment);
      expect(written.filter(({ key, acknowledged }) => acknowledged < at && !keys.has(key))).toEqual([]);
      expect(written.filter(({ key, sent }) => sent > moment && keys.has(key))).toEqual([]);
      if (moment === ended) expect(keys.size).toBeGreaterThanOrEqual(written.length);
    }
    expect(first).toBeDefined();
  },
);

test(
  'From a bucket the database and its files come back where nothing is left, and the site runs on them',
  PATIENT,
  async () => {
    const { folder, secretKey } = await newDataFolder('off');
    const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'se/cret', region: 'eu-north-1' };
    const s3 = await startS3Server(credentials);
    onTestFinished(() => s3.close());
    const { host } = new URL(s3.url);
    const BACKUP_URL = `http://${credentials.accessKeyId}:${encodeURIComponent(credentials.secretAccessKey)}@${host}/backups/site?region=eu-north-1`;
    const site = await startUntilTheEnd(folder, { BACKUP_URL });
    await whenCopied(openBackupStore(BACKUP_URL));
    const service = createClient(site.url, secretKey);
    const picture = await noisyPicture(40, 30);
    const stored = await service.storage.from('content-media').upload('a.png', picture, { contentType: 'image/png' });
    expect(stored.error).toBeNull();
    const addressOf = (url: string) => `${url}/storage/v1/object/public/content-media/a.png`;
    const bytes = await (await fetch(addressOf(site.url))).bytes();
    // The store refuses for a while, which is told once and made up for.
    s3.failNext = 503;
    await service.from('site_settings').insert({ setting_key: 'kept', setting_value: 'yes' }).throwOnError();
    await expect.poll(() => site.output(), { timeout: 60_000 }).toContain('can be kept at BACKUP_URL again');
    await site.stop();
    await removeFolder(folder);

    const found = await mkdtemp(join(tmpdir(), 'signalfjord-site-'));
    onTestFinished(() => removeFolder(found));
    const restored = await runRestore({ DATA_DIR: found, BACKUP_URL }, new Date().toISOString());
    expect(restored.output).toContain('Files that were missing and are there again: 1.');
    const again = await startUntilTheEnd(found, { BACKUP_URL });
    const { data } = await createClient(again.url, secretKey)
      .from('site_settings')
      .select('setting_value')
      .eq('setting_key', 'kept');
    expect(data).toEqual([{ setting_value: 'yes' }]);
    expect(await (await fetch(addressOf(again.url))).bytes()).toEqual(bytes);
  },
);

test(
  'The database that is there is kept beside the one that comes back, and the log goes on from it',
  PATIENT,
  async () => {
    const { folder, secretKey } = await newDataFolder('off');
    onTestFinished(() => removeFolder(folder));
    const { url, store } = await newBackupFolder();
    const written: Written[] = [];
    const first = await startUntilTheEnd(folder, { BACKUP_URL: url });
    await whenCopied(store);
    await writeUntil(first, secretKey, written, 'before', 5);
    await whenStored(store, first, secretKey);
    const moment = new Date();
    await writeUntil(first, secretKey, written, 'after', 5);
    const refused = await runRestore({ DATA_DIR: folder, BACKUP_URL: url }, moment.toISOString());
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('is in use by another process') });
    await first.stop();

    const restored = await runRestore({ DATA_DIR: folder, BACKUP_URL: url }, moment.toISOString());
    expect(restored.code).toBe(0);
    const at = /is that of (\S+), the last change/.exec(restored.output)?.[1] ?? '';
    expect(Date.parse(at)).toBeLessThanOrEqual(moment.getTime());
    const [before = ''] = (await readdir(folder)).filter((name) => name.startsWith('postgres-before-'));
    expect([...(await keysIn(join(folder, before)))].filter((key) => key.startsWith('after'))).toHaveLength(5);
    expect([...(await keysIn(join(folder, 'postgres')))].filter((key) => /^(before|after)/.test(key))).toHaveLength(5);

    // From here on it is another history, and both can be brought back.
    const chains = await store.list('');
    const second = await startUntilTheEnd(folder, { BACKUP_URL: url });
    await expect.poll(async () => (await basesOf(store)).length, { timeout: 60_000 }).toBe(basesIn(chains).length + 1);
    await writeUntil(second, secretKey, written, 'second', 5);
    await second.stop();
    const latest = await bringBack(store, new Date());
    expect([...latest.keys].filter((key) => key.startsWith('second'))).toHaveLength(5);
    expect([...latest.keys].filter((key) => key.startsWith('after'))).toEqual([]);
  },
);

test(
  'Where the log was lost while nobody kept it, a new copy is made, and moments of before and after come back, but none of before the first copy',
  PATIENT,
  async () => {
    const { folder, secretKey } = await newDataFolder('off');
    onTestFinished(() => removeFolder(folder));
    const { url, store } = await newBackupFolder();
    const written: Written[] = [];
    const first = await startUntilTheEnd(folder, { BACKUP_URL: url });
    await whenCopied(store);
    await writeUntil(first, secretKey, written, 'kept', 3);
    await first.stop();
    const between = new Date();
    const database = await openPgliteDatabase({ folder: join(folder, 'postgres') });
    await database.script(
      'create table public.filler as select n, repeat(md5(n::text), 40) from generate_series(1, 50000) as n',
    );
    await database.script(
      "insert into public.site_settings (setting_key, setting_value) values ('lost', 'x'); drop table public.filler",
    );
    await database.close();

    const second = await startUntilTheEnd(folder, { BACKUP_URL: url });
    await expect.poll(async () => (await basesOf(store)).length, { timeout: 60_000 }).toBe(2);
    await writeUntil(second, secretKey, written, 'again', 3);
    await second.stop();
    const { keys: before } = await bringBack(store, between);
    expect([...before].filter((key) => /^(kept|lost|again)/.test(key))).toHaveLength(3);
    const { keys: after } = await bringBack(store, new Date());
    expect([...after].filter((key) => /^(kept|lost|again)/.test(key))).toHaveLength(7);

    const { output } = await runRestore({ DATA_DIR: folder, BACKUP_URL: url }, '2026-01-01T00:00Z');
    const earliest = new Date(await firstMoment(store)).toISOString();
    expect(output).toContain(
      `Nothing of 2026-01-01T00:00:00.000Z is kept: the first moment that can be brought back is ${earliest}.`,
    );
  },
);

test.each([
  ['no place', {}, '2026-11-23T18:30', 'Set BACKUP_URL to the place that the server keeps its log in.'],
  ['no time', { BACKUP_URL: '/nothing' }, 'yesterday', '--at is "yesterday", but must be a time such as'],
  ['an empty place', { BACKUP_URL: '/nothing' }, '2026-11-23T18:30', 'BACKUP_URL holds no copy of a database.'],
  [
    'a server of its own',
    { BACKUP_URL: '/nothing', DATABASE_URL: 'postgres://site@127.0.0.1/site' },
    '2026-11-23T18:30',
    'BACKUP_URL is for the built-in database',
  ],
])('With %s nothing is brought back, and a sentence says why', async (_, environment, at, sentence) => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-site-'));
  onTestFinished(() => removeFolder(folder));
  const { code, output } = await runRestore({ DATA_DIR: folder, ...environment }, at);
  expect(output).toContain(sentence);
  expect(code).toBe(1);
});

async function startUntilTheEnd(folder: string, environment: Record<string, string>): Promise<SiteProcess> {
  const site = await startSite(folder, environment);
  onTestFinished(() => site.stop());
  return site;
}

async function newBackupFolder(): Promise<{ url: string; store: BackupStore }> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { url: folder, store: openBackupStore(`file://${folder}`) };
}

function basesIn(names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith('/base.json'));
}

async function basesOf(store: BackupStore): Promise<string[]> {
  return basesIn(await store.list(''));
}

/** Waits until a moment can be brought back. */
async function whenCopied(store: BackupStore): Promise<void> {
  const isCopied = async () =>
    (await basesOf(store)).length > 0 && (await store.list('')).some((name) => name.includes('/log/'));
  await expect.poll(isCopied, { timeout: 60_000 }).toBe(true);
}

/** Waits until what was written before is stored: the log is stored again only after something was written. */
async function whenStored(store: BackupStore, site: SiteProcess, secretKey: string): Promise<void> {
  const begun = Date.now();
  let round = 0;
  const isStored = async () => {
    await writeUntil(site, secretKey, [], `touch-${round++}`, 1);
    return Math.max(...(await store.list('')).map(timeOfPiece)) > begun;
  };
  await expect.poll(isStored, { timeout: 60_000 }).toBe(true);
}

function timeOfPiece(name: string): number {
  return Number(/-(\d+)\.gz$/.exec(name)?.[1] ?? 0);
}

async function firstMoment(store: BackupStore): Promise<number> {
  return Math.min(...(await store.list('')).map(timeOfPiece).filter((time) => time > 0));
}

async function writeUntil(
  { url }: SiteProcess,
  secretKey: string,
  written: Written[],
  name: string,
  count: number,
): Promise<void> {
  const service = createClient(url, secretKey);
  for (let n = 0; n < count; n++) {
    const key = `${name}-${n}`;
    const sent = Date.now();
    await service.from('site_settings').insert({ setting_key: key, setting_value: 'x' }).throwOnError();
    written.push({ key, sent, acknowledged: Date.now() });
  }
}

/** Brings a moment back where nothing is. @returns up to when, and the keys of the settings then */
async function bringBack(store: BackupStore, moment: Date): Promise<{ at: number; keys: Set<string> }> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'signalfjord-site-'));
  try {
    const { at } = await restoreMoment(store, { dataFolder, bytes: null }, moment);
    return { at: at.getTime(), keys: await keysIn(join(dataFolder, 'postgres')) };
  } finally {
    await removeFolder(dataFolder);
  }
}

async function keysIn(folder: string): Promise<Set<string>> {
  const database = await openPgliteDatabase({ folder });
  const { rows } = await database.query<{ setting_key: string }>('select setting_key from public.site_settings');
  await database.close();
  return new Set(rows.map(({ setting_key }) => setting_key));
}

async function runRestore(environment: Record<string, string>, at: string) {
  const { code, stdout, stderr } = await runCommand(['scripts/import.ts', '--replace', '--at', at], environment);
  return { code, output: stdout + stderr };
}
