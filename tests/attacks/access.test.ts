/**
 * supabase/access.json declares the access of every role. A fresh instance has exactly that access, and the attack
 * leaves no data behind.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { observe, readDeclared } from '../../scripts/attack/access.ts';
import { compareAccess } from '../../scripts/attack/compare.ts';
import { fillWithSamples, type Instance, serveInstance } from '../../scripts/attack/fresh-instance.ts';
import { sender } from '../../scripts/attack/instance.ts';
import { createPeople, ROLES } from '../../scripts/attack/people.ts';
import { withPeople } from '../../scripts/attack/with-people.ts';
import { runCommand } from '../support/command.ts';
import { openTestDatabase } from '../support/test-database.ts';

let database: Database;
let instance: Instance;
beforeAll(async () => {
  database = await openTestDatabase();
  await fillWithSamples(database);
  // The server would send queued mails while the attack runs.
  expect((await database.query('select from private.mail_queue')).rows).toEqual([]);
  instance = await serveInstance(database);
});
afterAll(() => instance.close());

/**
 * Returns a digest of the rows of every table. Excludes three tables that the server may write at any time: the audit
 * log of accounts, the checks of the assistant and the times of jobs. Rows of deleted applications are excluded,
 * because Supabase Auth does not delete them.
 */
async function digestTables(): Promise<Record<string, string>> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema in ('public', 'private', 'auth', 'storage', 'backend')
       and table_name not in ('audit_log_entries', 'assistant_checks', 'jobs') order by 1`,
  );
  const digests = tables.map(async ({ name }) => {
    const sql = `select coalesce(md5(string_agg(one::text, '' order by one::text)), '') as digest from ${name} as one
      where ${name === 'auth.oauth_clients' ? 'deleted_at is null' : true}`;
    return [name, (await database.query<{ digest: string }>(sql)).rows[0]?.digest ?? ''] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}

// The attack sends about six thousand requests, which takes minutes on a busy machine.
test('A fresh instance has exactly the declared access, and the attack leaves no data behind', async () => {
  const { secretKey } = instance;
  const declaredAccess = await readDeclared();
  const before = await digestTables();
  const observedAccess = await withPeople(instance, (send, callers) =>
    observe({ send, secretKey, callers, declared: declaredAccess }),
  );
  expect(compareAccess(declaredAccess, observedAccess)).toEqual([]);
  expect(await digestTables()).toEqual(before);
});

test('A failed attack, or the next attack after a killed one, leaves no data behind', async () => {
  const before = await digestTables();
  const failing = withPeople(instance, async (send, callers) => {
    expect(callers.map(({ role }) => role)).toEqual([...ROLES]);
    const staleCallers = await createPeople(send, instance.secretKey);
    await send(staleCallers.at(-1)?.token ?? null, 'POST', '/storage/v1/object/media-originals/attack-left.png', {
      body: new Uint8Array(1),
      headers: { 'content-type': 'image/png' },
    });
    throw new Error('The instance disconnected');
  });
  await expect(failing).rejects.toThrow('The instance disconnected');
  expect(await digestTables()).toEqual(before);
});

/** Runs the command as a user does. */
function attack(environment: Record<string, string>, ...options: string[]) {
  return runCommand(['scripts/attack.ts', ...options], environment);
}

const KEYS = { SUPABASE_URL: 'http://127.0.0.1:1', SUPABASE_PUBLISHABLE_KEY: 'p', SUPABASE_SECRET_KEY: 's' };

test.each([
  ['no keys', {}, [], 'SUPABASE_URL is not set.'],
  ['an invalid address', { ...KEYS, SUPABASE_URL: 'example' }, [], 'SUPABASE_URL must be an http or https address'],
  ['an unknown option', KEYS, ['--force'], 'Usage:'],
  ['an unreachable address', KEYS, [], 'The instance cannot be reached: '],
])('The command reports %s in one sentence', async (_title, environment, options, message) => {
  const { code, stderr } = await attack(environment, ...options);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

test('The command rejects an instance with accounts unless --live is set', async () => {
  const account = { email: 'ada@example.com', password: 'Password-1', email_confirm: true };
  await sender(instance)(instance.secretKey, 'POST', '/auth/v1/admin/users', { body: account });
  const { code, stderr } = await attack({
    SUPABASE_URL: instance.url,
    SUPABASE_PUBLISHABLE_KEY: instance.publishableKey,
    SUPABASE_SECRET_KEY: instance.secretKey,
  });
  expect(code).toBe(1);
  // The other account is a sample row.
  expect(stderr).toContain(`This instance has 2 accounts that are not admins.`);
});

test('If the sample rows are rejected, the error names their file and the process exits', async () => {
  const module = JSON.stringify(new URL('../../scripts/attack/fresh-instance.ts', import.meta.url));
  const script = `import(${module}).then(({ startFreshInstance }) => startFreshInstance('no-such-rows.sql'))`;
  const { code, stderr } = await runCommand(['--eval', script], {});
  expect(code).toBe(1);
  expect(stderr).toContain('no-such-rows.sql failed: ');
});
