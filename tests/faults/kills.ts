import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import {
  killDatabase,
  killWithDatabase,
  newDataFolder,
  removeFolder,
  type SiteProcess,
  startSite,
} from '../support/site.ts';
import { assertTrue } from './checks.ts';

const KILL_FUNCTIONS: readonly ((site: SiteProcess) => Promise<void>)[] = [
  (site) => site.stop('SIGKILL'),
  killDatabase,
  killWithDatabase,
];

/** Maximum time in milliseconds until a site accepts writes again after its database server was killed. */
const RECOVERY_MS = 15_000;

/**
 * Kills in turn the site, its database server or both while rows, accounts and files are written. All acknowledged data
 * must remain.
 */
export async function killWhileWriting({ kills }: { kills: number }): Promise<string> {
  const { folder, secretKey } = await newDataFolder('off');
  try {
    const acknowledged = { rows: [] as string[], accounts: [] as string[], files: [] as string[] };
    const createServiceClient = (url: string) => createClient(url, secretKey, { auth: { persistSession: false } });
    const count = () => acknowledged.rows.length + acknowledged.accounts.length + acknowledged.files.length;
    for (let round = 0; round < kills; round++) {
      const site = await startSite(folder);
      const client = createServiceClient(site.url);
      if (round === 0) await client.storage.createBucket('faults');
      const kill = KILL_FUNCTIONS[round % KILL_FUNCTIONS.length] ?? killWithDatabase;
      let pendingKill: Promise<void> | undefined;
      const killAtCount = count() + 10 + Math.random() * 40;
      const writeUntilKilled = async (write: (name: string) => Promise<string | null>, names: string[]) => {
        for (let n = 0; count() < killAtCount; n++) {
          const entry = await write(`${round}-${n}`).catch(() => null);
          if (entry === null) break;
          names.push(entry);
        }
        pendingKill ??= kill(site);
      };
      await Promise.all([
        writeUntilKilled(async (name) => {
          const row = { setting_key: `fault-${name}`, setting_value: name };
          return (await client.from('site_settings').insert(row).retry(false)).error ? null : row.setting_key;
        }, acknowledged.rows),
        writeUntilKilled(async (name) => {
          const { data } = await client.auth.admin.createUser({ email: `${name}@example.com`, email_confirm: true });
          return data.user?.id ?? null;
        }, acknowledged.accounts),
        writeUntilKilled(async (name) => {
          const { data } = await client.storage.from('faults').upload(`${name}.txt`, `The file ${name}`);
          return data?.path ?? null;
        }, acknowledged.files),
      ]);
      await pendingKill;
      if (kill === killDatabase) await writeAfterRecovery(client, `again-${round}`, acknowledged.rows);
      await site.stop();
    }
    const lastSite = await startSite(folder);
    const client = createServiceClient(lastSite.url);
    for (const key of acknowledged.rows) {
      const { data } = await client.from('site_settings').select('setting_key').eq('setting_key', key);
      assertTrue(data?.length === 1, `the row ${key} exists`);
    }
    for (const id of acknowledged.accounts) {
      assertTrue((await client.auth.admin.getUserById(id)).data.user?.id === id, `the account ${id} exists`);
    }
    for (const path of acknowledged.files) {
      const text = await (await client.storage.from('faults').download(path)).data?.text();
      assertTrue(text === `The file ${path.replace('.txt', '')}`, `the file ${path} is complete`);
    }
    await lastSite.stop();
    assertTrue(
      acknowledged.files.length > 0 && acknowledged.accounts.length > 0 && acknowledged.rows.length > 0,
      'at least one row, account and file was written',
    );
    return `${kills} kills; ${acknowledged.rows.length} rows, ${acknowledged.accounts.length} accounts and ${acknowledged.files.length} files were acknowledged, and none is missing`;
  } finally {
    await removeFolder(folder);
  }
}

/** Writes a row once the database server is available again. */
async function writeAfterRecovery(client: SupabaseClient, key: string, names: string[]): Promise<void> {
  const end = performance.now() + RECOVERY_MS;
  for (;;) {
    const row = { setting_key: `fault-${key}`, setting_value: key };
    const { error } = await client.from('site_settings').upsert(row, { onConflict: 'setting_key' }).retry(false);
    if (!error) {
      names.push(row.setting_key);
      return;
    }
    assertTrue(performance.now() < end, `writes are accepted again within ${RECOVERY_MS / 1000} s: ${error.message}`);
    await wait(100);
  }
}
