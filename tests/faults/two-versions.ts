import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@supabase/supabase-js';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { startNativePostgres } from '../../packages/backend/tests/support/native-postgres.ts';
import { removeFolder, type SiteProcess, startSite } from '../support/site.ts';
import { assertTrue, fetchStatus, waitUntil, writeSetting } from './checks.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/**
 * Runs this version and an older one side by side on one Postgres database, as in a rolling upgrade. The older version
 * starts first. On another database the newer version starts first, as after a rollback. The older version is the
 * commit in OLDER (default: the commit before the newest migration), built in a separate folder.
 */
export async function runTwoVersions(): Promise<string> {
  const older = process.env['OLDER'] ?? (await findCommitBeforeNewestMigration());
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-faults-'));
  const olderFolder = join(folder, 'older');
  await run('git', ['worktree', 'add', '--detach', olderFolder, older], { cwd: ROOT });
  const postgres = await startNativePostgres();
  const allInstances: SiteProcess[] = [];
  try {
    await run(process.execPath, ['scripts/build.mjs'], { cwd: olderFolder, maxBuffer: 1e8 });
    for (const order of [
      [olderFolder, ROOT],
      [ROOT, olderFolder],
    ] as const) {
      const DATABASE_URL = await createDatabase(postgres.url, `order_${allInstances.length}`);
      const environment = { DATABASE_URL, ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'Right-password-1' };
      const instances: SiteProcess[] = [];
      for (const root of order)
        instances.push(await startSite(join(folder, `data-${allInstances.length}`), environment, { root }));
      allInstances.push(...instances);
      const secretKey = await readSecretKey(DATABASE_URL);
      for (const [index, instance] of instances.entries()) {
        await exerciseInstance(instance, index === 0 ? (instances[1] ?? instance) : (instances[0] ?? instance), {
          secretKey,
          name: `by-${index}`,
        });
      }
      for (const instance of instances) {
        await instance.stop();
        assertTrue(instance.process.exitCode === 0, 'each instance stops cleanly');
      }
    }
    return `${older.slice(0, 8)} and this version, in both orders: pages, tables, sign-ins, saves and chats worked in each, and each received the other's changes`;
  } finally {
    await Promise.all(allInstances.map((instance) => instance.stop('SIGKILL')));
    await postgres.stop();
    await run('git', ['worktree', 'remove', '--force', olderFolder], { cwd: ROOT });
    await removeFolder(folder);
  }
}

/** Performs the actions of visitors and editors in one instance, and checks the results in the other. */
async function exerciseInstance(
  instance: SiteProcess,
  other: SiteProcess,
  { secretKey, name }: { secretKey: string; name: string },
): Promise<void> {
  for (const path of ['/', '/about', '/news', '/auth'])
    assertTrue((await fetchStatus(instance.url + path)) === 200, `${path} is shown`);
  const admin = createClient(instance.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
  const signIn = await admin.auth.signInWithPassword({ email: 'admin@example.com', password: 'Right-password-1' });
  assertTrue(signIn.error === null, `an admin signs in: ${signIn.error?.message}`);
  const response = await admin.from('posts').insert({ title: `Written ${name}`, slug: name, status: 'published' });
  assertTrue(response.error === null, `an admin saves a post: ${response.error?.message}`);
  const isShown = async () => (await (await fetch(`${other.url}/news`)).text()).includes(`Written ${name}`);
  await waitUntil(isShown, 'the other instance shows the post');
  assertTrue((await writeSetting(instance, secretKey, name)) === 201, 'a setting is saved');
  const chat = await fetch(`${instance.url}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'What do you do?' }] }),
  });
  assertTrue(chat.status === 200 && (await chat.text()).includes('data:'), 'the chat replies');
}

async function findCommitBeforeNewestMigration(): Promise<string> {
  const args = ['log', '-1', '--diff-filter=A', '--format=%H', '--', 'supabase/migrations'];
  const { stdout } = await run('git', args, { cwd: ROOT });
  const { stdout: parent } = await run('git', ['rev-parse', `${stdout.trim()}^`], { cwd: ROOT });
  return parent.trim();
}

async function createDatabase(url: string, name: string): Promise<string> {
  const admin = openPostgresDatabase(url, 1);
  await admin.script(`create database ${name}`);
  await admin.close();
  return url.replace(/\w+$/, name);
}

async function readSecretKey(url: string): Promise<string> {
  const database = openPostgresDatabase(url, 1);
  const { rows } = await database.query<{ value: string }>(
    `select value from backend.secrets where name = 'secret_key'`,
  );
  await database.close();
  return rows[0]?.value ?? '';
}
