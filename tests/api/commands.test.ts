/** The command-line commands, run as a user would run them. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { lockFolder } from '../../packages/backend/src/database/folder-lock.ts';
import { enqueueMail } from '../../packages/backend/src/mail/mail-queue.ts';
import { nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { listAdmins, setPassword } from '../../server/first-admin.ts';
import { createSiteBackend } from '../../server/site-backend.ts';
import { type CommandResult, runCommand } from '../support/command.ts';
import { openFolder, prepareInterruptedStart } from '../support/site.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let folder: string;
beforeAll(async () => {
  site = await startTestBackend();
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-commands-'));
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

function run(
  target: string | { data: string; input: string },
  script: string,
  ...args: string[]
): Promise<CommandResult> {
  const { data, input } = typeof target === 'string' ? { data: target, input: '' } : target;
  return runCommand([`scripts/${script}.ts`, ...args], { DATA_DIR: data }, input);
}

const signIn = (email: string, password: string) => site.visitor.auth.signInWithPassword({ email, password });

test('Without a database, commands report an error and create no files', async () => {
  const missing = join(folder, 'missing');
  expect(await run(missing, 'admin', 'list')).toEqual({
    code: 1,
    stdout: '',
    stderr: `No database found in ${missing}. Set DATA_DIR to the server's folder, or start the server once.`,
  });
  await expect(stat(missing)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('Commands only open the database and do not send queued emails', async () => {
  const data = join(folder, 'stopped');
  await mkdir(data);
  await prepareInterruptedStart(data);
  const before = await openFolder(data);
  await enqueueMail(before.database, 'waiting@example.com', 'recovery', { Email: 'waiting@example.com' });
  await before.close();

  expect(await run(data, 'admin', 'add', 'Ada@example.com')).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^ada@example\.com is now an admin\. The password is \w{16} \(shown only once\)\.$/),
    stderr: `The database in ${data}:`,
  });
  expect(await readdir(data)).toEqual(['postgres']);

  const after = await openFolder(data);
  expect(await listAdmins(after.database)).toMatchObject([{ email: 'ada@example.com' }]);
  expect((await after.database.query('select recipient from private.mail_queue')).rows).toEqual([
    { recipient: 'waiting@example.com' },
  ]);
  await after.database.script('drop schema supabase_migrations cascade');
  await after.close();
  expect(await run(data, 'keys', 'list')).toEqual({
    code: 1,
    stdout: '',
    stderr: `The database in ${data} does not contain a site yet. Start the server with it once.`,
  });
});

test('If another command has locked the folder, a command fails with one message and exit code 1', async () => {
  const data = join(folder, 'held');
  await mkdir(join(data, 'postgres'), { recursive: true });
  const release = await lockFolder(data);
  expect(await run(data, 'admin', 'list')).toEqual({
    code: 1,
    stdout: '',
    stderr: `The database in ${data} is in use by a starting server or another command. Try again.`,
  });
  await release();
});

test('While the server runs, commands work through it, and other users of the machine cannot', async () => {
  const data = join(folder, 'running');
  await mkdir(data);
  await prepareInterruptedStart(data);
  const config = parseConfig({ DATA_DIR: data, RATE_LIMITS: 'off' });
  const backend = await createSiteBackend(config, { log: pino({ level: 'silent' }) });
  const signIn = async (password = '') => {
    const body = JSON.stringify({ email: 'ada@example.com', password });
    const url = 'http://localhost/auth/v1/token?grant_type=password';
    return (await backend.fetch(new Request(url, { method: 'POST', body }))).status;
  };

  const addResult = await run(data, 'admin', 'add', 'ada@example.com');
  expect(addResult).toMatchObject({
    code: 0,
    stderr: `The database in ${data}:`,
  });
  expect(await signIn(/password is (\w{16})/.exec(addResult.stdout)?.[1])).toBe(200);
  expect((await run(data, 'admin', 'list')).stdout).toMatch(/^ada@example\.com \(since \d{4}-\d\d-\d\d\)$/);
  // The folder is private because it contains the database socket.
  expect(((await stat(join(data, 'postgres'))).mode & 0o777).toString(8)).toBe('700');

  expect((await run(data, 'admin', 'reset-factors', 'Ada@example.com')).stdout).toBe(
    'Ada@example.com had 0 second factors. They and all passkeys were removed, and the account was signed out everywhere. It can sign in with its password.',
  );
  const setPasswordWith = (input: string, ...options: string[]) =>
    run({ data, input }, 'admin', 'password', 'ada@example.com', ...options);
  expect(await setPasswordWith('short\n', '--stdin')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Password should be at least 8 characters.'),
  });
  expect((await setPasswordWith('Given-password-1\n', '--stdin')).stdout).toBe(
    'ada@example.com has the password from standard input and is signed out everywhere.',
  );
  expect(await signIn('Given-password-1')).toBe(200);
  const generatedPassword = /has the password (\w{16}) \(shown only once\)/.exec(
    (await setPasswordWith('')).stdout,
  )?.[1];
  expect(await signIn(generatedPassword)).toBe(200);

  const secretKey = backend.keys.secretKey;
  expect((await run(data, 'keys', 'api')).stdout).toBe(
    `SUPABASE_PUBLISHABLE_KEY=sb_publishable_signalfjord\nSUPABASE_SECRET_KEY=${secretKey}`,
  );
  const kid = backend.keys.current.kid;
  const rotated = /^(\S+) is now the signing key, in every instance of the server\.$/.exec(
    (await run(data, 'keys', 'rotate')).stdout,
  );
  await expect.poll(() => backend.keys.current.kid).toBe(rotated?.[1]);
  expect((await run(data, 'keys', 'revoke', kid)).stdout).toBe(
    `Tokens signed with ${kid} are now invalid, in every instance of the server.`,
  );
  await expect.poll(() => [...backend.keys.verifying.keys()]).toEqual([rotated?.[1]]);
  for (const command of ['reset-factors', 'password']) {
    expect(await run(data, 'admin', command, 'nobody@example.com')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No account found for nobody@example.com.'),
    });
  }
  await backend.close();
});

test('A new password signs in, and the old password, sessions and emailed links become invalid', async () => {
  const { database } = site.backend;
  const email = 'linus@example.com';
  await site.visitor.auth.signUp({ email, password: 'Old-password-1' });
  const token = (await signIn(email, 'Old-password-1')).data.session?.access_token;
  expect((await site.visitor.auth.getUser(token)).error).toBeNull();
  await site.visitor.auth.resetPasswordForEmail(email);
  const tokenHash = /token=(\w+)/.exec((await nextMail(site.dataFolder, email, 1)).link)?.[1] ?? '';

  const generatedPassword = await setPassword(database, 'Linus@example.com', null);
  expect(generatedPassword).toMatch(/^\w{16}$/);
  expect((await signIn(email, 'Old-password-1')).error?.code).toBe('invalid_credentials');
  expect((await site.visitor.auth.getUser(token)).error?.name).toBe('AuthSessionMissingError');
  expect((await site.visitor.auth.verifyOtp({ token_hash: tokenHash, type: 'recovery' })).error?.code).toBe(
    'otp_expired',
  );
  expect((await signIn(email, generatedPassword ?? '')).error).toBeNull();

  expect(await setPassword(database, email, 'Given-password-1')).toBeNull();
  expect((await signIn(email, 'Given-password-1')).error).toBeNull();
  expect(await setPassword(database, 'nobody@example.com', null)).toBeUndefined();
});

test.each([
  [['admin'], 'Usage:'],
  [['admin', 'add', 'unknown'], 'unknown is not a valid email address.'],
  [['admin', 'password', 'ada@example.com', 'Given-password-1'], 'Usage:'],
  [['keys', 'revoke'], 'Usage:'],
] as const)('%j is rejected with %s', async ([script, ...args], message) => {
  const { code, stderr } = await run(join(folder, 'none'), script, ...args);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});
