import { createClient } from '@supabase/supabase-js';
import { newDataFolder, removeFolder, startSite } from '../support/site.ts';
import { must } from './asking.ts';

/** Kills the process again and again while rows, accounts and files are written; what was acknowledged must be there. */
export async function killWhileWriting({ kills }: { kills: number }): Promise<string> {
  const { folder, secretKey } = await newDataFolder('off');
  try {
    const kept = { rows: [] as string[], accounts: [] as string[], files: [] as string[] };
    const clientOf = (url: string) => createClient(url, secretKey, { auth: { persistSession: false } });
    const count = () => kept.rows.length + kept.accounts.length + kept.files.length;
    for (let round = 0; round < kills; round++) {
      const site = await startSite(folder);
      const client = clientOf(site.url);
      if (round === 0) await client.storage.createBucket('faults');
      const killAt = count() + 10 + Math.random() * 40;
      const writeUntilKilled = async (write: (name: string) => Promise<string | null>, into: string[]) => {
        for (let n = 0; count() < killAt; n++) {
          const done = await write(`${round}-${n}`).catch(() => null);
          if (done === null) break;
          into.push(done);
        }
        site.process.kill('SIGKILL');
      };
      await Promise.all([
        writeUntilKilled(async (name) => {
          const row = { setting_key: `fault-${name}`, setting_value: name };
          return (await client.from('site_settings').insert(row).retry(false)).error ? null : row.setting_key;
        }, kept.rows),
        writeUntilKilled(async (name) => {
          const { data } = await client.auth.admin.createUser({ email: `${name}@example.com`, email_confirm: true });
          return data.user?.id ?? null;
        }, kept.accounts),
        writeUntilKilled(async (name) => {
          const { data } = await client.storage.from('faults').upload(`${name}.txt`, `The file ${name}`);
          return data?.path ?? null;
        }, kept.files),
      ]);
      await site.stop();
    }
    const last = await startSite(folder);
    const client = clientOf(last.url);
    for (const key of kept.rows) {
      const { data } = await client.from('site_settings').select('setting_key').eq('setting_key', key);
      must(data?.length === 1, `the row ${key} is there`);
    }
    for (const id of kept.accounts) {
      must((await client.auth.admin.getUserById(id)).data.user?.id === id, `the account ${id} is there`);
    }
    for (const path of kept.files) {
      const text = await (await client.storage.from('faults').download(path)).data?.text();
      must(text === `The file ${path.replace('.txt', '')}`, `the file ${path} is whole`);
    }
    await last.stop();
    must(kept.files.length > 0 && kept.accounts.length > 0 && kept.rows.length > 0, 'each kind was written');
    return `${kills} kills; ${kept.rows.length} rows, ${kept.accounts.length} accounts and ${kept.files.length} files were acknowledged, none is missing`;
  } finally {
    await removeFolder(folder);
  }
}
