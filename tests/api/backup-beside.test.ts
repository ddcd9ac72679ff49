/** Copies of a database that runs. The commands that read them are tried by moving.test.ts. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../backend/database/database.ts';
import { openPgliteDatabase, type PgliteDatabase } from '../../backend/database/pglite-database.ts';
import { openSnapshot } from '../../backend/point-in-time/snapshot.ts';
import { newDataFolder, removeFolder } from '../support/site.ts';

/** Each opens several databases, one after the other. */
const PATIENT = { timeout: 300_000 };

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
  const copies = await Promise.all([1, 2].map(() => openSnapshot(database, folder)));
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

/** Lists the setting that a test made. */
async function keysIn(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ setting_key: string }>(
    "select setting_key from public.site_settings where setting_key = 'later'",
  );
  return rows.map(({ setting_key }) => setting_key);
}
