import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPgliteDatabase } from '../../backend/database/pglite-database.ts';
import { readSecretKey, removeFolder, startSite } from '../support/site.ts';

test('Killing the process at any moment loses no row that was acknowledged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-crash-'));
  onTestFinished(() => removeFolder(folder));
  const newSite = await startSite(folder, { STARTER_CONTENT: 'off' });
  await newSite.stop();
  const secretKey = await readSecretKey(folder);
  const acknowledged: string[] = [];
  for (let round = 0; round < 5; round++) {
    const site = await startSite(folder);
    const killAt = acknowledged.length + 10 + Math.random() * 50;
    const insertUntilKilled = async (writer: number) => {
      for (let n = 0; acknowledged.length < killAt; n++) {
        const key = `crash-${round}-${writer}-${n}`;
        const response = await insertSetting(site.url, secretKey, key).catch(() => null);
        if (response?.status === 201) acknowledged.push(key);
      }
      // The other writers are in the middle of an insert now.
      site.process.kill('SIGKILL');
    };
    await Promise.all([1, 2, 3].map(insertUntilKilled));
    await site.stop();
  }
  const database = await openPgliteDatabase({ folder: join(folder, 'postgres') });
  const { rows } = await database.query<{ setting_key: string }>('select setting_key from public.site_settings');
  await database.close();
  const found = new Set(rows.map((row) => row.setting_key));
  expect(acknowledged.length).toBeGreaterThan(50);
  expect(acknowledged.filter((key) => !found.has(key))).toEqual([]);
});

async function insertSetting(url: string, secretKey: string, key: string): Promise<Response> {
  const response = await fetch(`${url}/rest/v1/site_settings`, {
    method: 'POST',
    headers: { apikey: secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ setting_key: key, setting_value: 'kept' }),
  });
  await response.arrayBuffer();
  return response;
}
