import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createClient } from '@supabase/supabase-js';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../backend/database/database.ts';
import { openPgliteDatabase, type PgliteDatabase } from '../../backend/database/pglite-database.ts';
import { openSnapshot } from '../../backend/point-in-time/snapshot.ts';
import { newDataFolder, removeFolder, startSite } from '../support/site.ts';

/** Each opens several databases, one after the other. */
const PATIENT = { timeout: 300_000 };

const ROOT = join(import.meta.dirname, '../..');

test(
  'A backup beside the running server holds what was written before it, and leaves nothing behind',
  PATIENT,
  async () => {
    const { folder, secretKey } = await newDataFolder('off');
    onTestFinished(() => removeFolder(folder));
    const site = await startSite(folder);
    onTestFinished(() => site.stop());
    const service = createClient(site.url, secretKey);
    await service.from('site_settings').insert({ setting_key: 'before', setting_value: 'x' }).throwOnError();
    const archive = join(folder, 'backup.zip');
    const written = await run('scripts/export.ts', [archive], folder);
    expect(written).toMatchObject({ code: 0, output: expect.stringContaining('backup.zip holds') });
    expect((await readdir(folder)).filter((name) => name.startsWith('snapshot-'))).toEqual([]);
    await service.from('site_settings').insert({ setting_key: 'after', setting_value: 'x' }).throwOnError();

    const other = await mkdtemp(join(tmpdir(), 'signalfjord-site-'));
    onTestFinished(() => removeFolder(other));
    expect(await run('scripts/import.ts', [archive], other)).toMatchObject({ code: 0 });
    const database = await openPgliteDatabase({ folder: join(other, 'postgres') });
    expect(await keysIn(database)).toEqual(['before']);
    await database.close();
  },
);

test('Whoever reads a copy for long holds up nobody, and sees nothing of what comes later', PATIENT, async () => {
  const { database, folder } = await openCopiedDatabase();
  const copy = await openSnapshot(database, folder);
  await copy.database.transaction(async (tx) => {
    await tx.run({ text: 'select 1' });
    await database.query("insert into public.site_settings (setting_key, setting_value) values ('later', 'x')");
  });
  expect(await keysIn(database)).toEqual(['later']);
  expect(await keysIn(copy.database)).toEqual([]);
  await copy.close();
  expect((await readdir(folder)).filter((name) => name.startsWith('snapshot-'))).toEqual([]);
});

test('Two copies at once wait for each other, and one whose command died is taken over', PATIENT, async () => {
  const { database, folder } = await openCopiedDatabase();
  const copies = await Promise.all([1, 2, 3].map(() => openSnapshot(database, folder)));
  for (const copy of copies) {
    expect(await keysIn(copy.database)).toEqual([]);
    await copy.close();
  }
  await database.query("select pg_backup_start('nobody ends it')");
  const copy = await openSnapshot(database, folder);
  expect(await keysIn(copy.database)).toEqual([]);
  await copy.close();
});

async function openCopiedDatabase(): Promise<{ database: PgliteDatabase; folder: string }> {
  const { folder } = await newDataFolder('off');
  const database = await openPgliteDatabase({ folder: join(folder, 'postgres') });
  onTestFinished(async () => {
    await database.close();
    await removeFolder(folder);
  });
  return { database, folder };
}

/** Lists the settings that these tests made. */
async function keysIn(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ setting_key: string }>(
    "select setting_key from public.site_settings where setting_key in ('before', 'after', 'later')",
  );
  return rows.map(({ setting_key }) => setting_key);
}

async function run(script: string, words: string[], dataFolder: string): Promise<{ code: unknown; output: string }> {
  const child = spawn(process.execPath, [script, ...words], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: tmpdir(), DATA_DIR: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const output = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  const [code] = await ended;
  return { code, output };
}
