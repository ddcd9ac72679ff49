/** `npm run doctor` finds each fault and reports nothing for a correct installation. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../packages/backend/src/config.ts';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { clockFinding } from '../../scripts/doctor/clock.ts';
import { checkConfiguration } from '../../scripts/doctor/configuration.ts';
import { examine } from '../../scripts/doctor/database.ts';
import type { Finding } from '../../scripts/doctor/finding.ts';
import { checkFolders } from '../../scripts/doctor/folders.ts';
import { checkServices } from '../../scripts/doctor/services.ts';
import { startS3Server } from '../support/s3-server.ts';
import { openTestDatabase } from '../support/test-database.ts';

let database: Database;
let folder: string;
beforeAll(async () => {
  [database, folder] = await Promise.all([openTestDatabase(), mkdtemp(join(tmpdir(), 'signalfjord-doctor-'))]);
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const listErrors = (findings: Finding[]) =>
  findings.filter(({ state }) => state === 'error').map(({ message }) => message);
const listStates = (findings: Finding[]) => findings.map(({ subject, state }) => `${subject} ${state}`);

function checkEnvironment(environment: Record<string, string>) {
  const { config, problems } = readConfig(environment);
  return checkConfiguration(config, problems, environment);
}

test('A valid configuration has no findings, and all invalid variables are reported at once', () => {
  expect(listStates(checkEnvironment({}))).toEqual(['Configuration ok']);
  const production = { SITE_URL: 'https://example.com', PREVIEW_GATE: 'off', SMTP_URL: 'smtp://mail.example.com' };
  expect(listStates(checkEnvironment(production))).toEqual(['Configuration ok']);
  expect(
    listErrors(checkEnvironment({ PORT: 'http', HOST: 'no host', S3_BUCKET: 'files', AUTH_SIGNUP: 'off' })),
  ).toEqual([
    expect.stringContaining('PORT is "http"'),
    expect.stringContaining('HOST is "no host"'),
    expect.stringContaining('S3_ENDPOINT and S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not set'),
    expect.stringContaining('AUTH_SIGNUP is not a variable'),
  ]);
});

test('Settings of earlier versions are reported with their replacement', () => {
  const environment = { AUTH_GOOGLE_CLIENT_ID: 'x', METRICS_HOST: '0.0.0.0', AUTH_ANONYMOUS: 'on' };
  expect(listErrors(checkEnvironment(environment))).toEqual([
    'AUTH_GOOGLE_CLIENT_ID is no longer read. Use AUTH_PROVIDERS.',
    'METRICS_HOST is no longer read. Use METRICS_PORT, such as METRICS_PORT=0.0.0.0:9464.',
    'AUTH_ANONYMOUS is not read from the environment. Set it in server/options.ts.',
  ]);
});

test.each([
  [{ SUPABASE_URL: 'http://a', SUPABASE_PUBLISHABLE_KEY: 'k', DATABASE_URL: 'postgres://b/c' }, 'both set'],
  [{ METRICS_PORT: '3000' }, 'METRICS_PORT is the same as PORT'],
  [{ RATE_LIMITS: 'off' }, 'RATE_LIMITS is off'],
  [{ AUTH_CONFIRM_EMAIL: 'on' }, 'AUTH_CONFIRM_EMAIL is on without SMTP_URL'],
  [{ SITE_URL: 'http://example.com', PREVIEW_GATE: 'off' }, 'SITE_URL is http'],
])('The conflicting or unsafe settings %j are reported', (environment, message) => {
  expect(listErrors(checkEnvironment(environment as Record<string, string>))).toEqual([
    expect.stringContaining(message),
  ]);
});

test('A public site without SITE_URL gets a warning about requests with made-up host names', () => {
  const listWarnings = (environment: Record<string, string>) =>
    checkEnvironment(environment)
      .filter(({ state }) => state === 'warn')
      .map(({ message }) => message);
  expect(listWarnings({ PREVIEW_GATE: 'off' })).toEqual([expect.stringContaining('requests with made-up host names')]);
  expect(listWarnings({ HOST: '0.0.0.0' })).toContainEqual(expect.stringContaining('requests with made-up host names'));
  expect(
    listWarnings({ PREVIEW_GATE: 'off', SITE_URL: 'https://example.com', SMTP_URL: 'smtp://a.example.com' }),
  ).toEqual([]);
});

test('A data folder that others can read is an error, regardless of the files in it', async () => {
  const data = join(folder, 'data');
  await mkdir(join(data, 'postgres'), { recursive: true });
  await writeFile(join(data, 'secret'), '');
  await chmod(join(data, 'postgres'), 0o700);
  await chmod(join(data, 'secret'), 0o644);
  const { config } = readConfig({ DATA_DIR: data });
  await chmod(data, 0o755);
  expect(listErrors(await checkFolders(config))).toEqual([
    expect.stringContaining(`other users of this machine can read ${join(data, 'secret')}`),
  ]);
  await chmod(data, 0o700);
  expect(listStates(await checkFolders(config))[0]).toBe('Folders ok');
  expect(listErrors(await checkFolders({ ...config, DATA_DIR: join(data, 'none') }))).toEqual([
    expect.stringContaining('does not exist'),
  ]);
});

test('A database that matches the migrations has no findings, and each manual change is reported', async () => {
  const findDatabaseErrors = async () =>
    listErrors(await examine(database, 'The database', { DATABASE_URL: undefined }));
  expect(await findDatabaseErrors()).toEqual([]);
  await database.script(`
    alter table public.leads disable row level security;
    create policy "Anyone" on public.site_settings for select to anon using (true);
    grant select (note) on public.leads to anon;
    grant delete on public.posts to anon;
    create function public.open_door() returns integer language sql security definer as 'select 1';
    grant execute on function public.open_door() to public;
    alter function private.is_admin() security invoker;
    update storage.buckets set public = false;
    delete from supabase_migrations.schema_migrations where version = (select max(version) from supabase_migrations.schema_migrations);
    update backend.applied_files set sha256 = 'edited' where name = '002_auth.sql';
  `);
  const faults = await findDatabaseErrors();
  for (const fault of [
    '002_auth.sql was edited',
    'row level security of public.leads is off',
    'policy "Anyone" on public.site_settings: permissive select for anon',
    'anon may select public.leads (note)',
    'anon may delete public.posts',
    'everyone may call public.open_door()',
    'function public.open_door() runs as its owner',
    'function private.is_admin() runs as its caller',
    'missing in the database: bucket "content-media" is public',
  ]) {
    expect(faults.join('\n')).toContain(fault);
  }
});

test('An overdue queued email, a failed email and an overdue release are reported', async () => {
  const findOverdue = async () =>
    (await examine(database, 'The database', { DATABASE_URL: undefined }))
      .filter(({ subject }) => ['Queues', 'Releases'].includes(subject))
      .map(({ state, message }) => `${state} ${message}`);
  expect(await findOverdue()).toEqual(['ok no email or release is overdue.']);
  await database.script(`
    insert into private.mail_queue (recipient, template, variables, next_attempt_at) values
      ('a@example.com', 'release_failed', '{}', now() - interval '20 minutes');
    insert into private.mail_queue (recipient, template, variables, failed_at) values
      ('b@example.com', 'release_failed', '{}', now());
    insert into public.releases (name, publish_at) values ('Spring', now() - interval '5 minutes');
  `);
  expect(await findOverdue()).toEqual([
    'error “Spring” is due but not published. Start the server, which publishes it.',
    expect.stringMatching(/^error 1 email is queued, the oldest for 20 minutes\./),
    expect.stringContaining('warn 1 email could not be sent'),
  ]);
  await database.script('delete from private.mail_queue; delete from public.releases;');
});

test('The mail server, upstream and object store are tested, and each failure is reported', async () => {
  const smtpCommands: string[] = [];
  const smtp = createServer((socket) => {
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      smtpCommands.push(chunk.toString().slice(0, 4));
      socket.write('250 ok\r\n');
    });
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.address() as { port: number };
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG', region: 'eu-north-1' };
  const s3 = await startS3Server(credentials);
  const environment = {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    S3_ENDPOINT: s3.url,
    S3_BUCKET: 'our-files',
    S3_REGION: credentials.region,
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    BACKUP_URL: join(folder, 'no-backup-yet'),
  };
  const passing = await checkServices(readConfig(environment).config, Number.POSITIVE_INFINITY);
  expect(listStates(passing)).toEqual(['Mail ok', 'Object store ok', 'Clock ok', 'Point-in-time recovery warn']);
  const slow = await checkServices(readConfig(environment).config, 0);
  expect(slow.find(({ subject }) => subject === 'Object store')).toMatchObject({
    state: 'warn',
    message: expect.stringMatching(/^writing, reading and deleting a small file in our-files took [\d.]+ s\./),
  });
  expect(s3.objects.size).toBe(0);
  expect(smtpCommands).not.toContain('MAIL');
  smtp.close();

  const unreachable = {
    ...environment,
    SMTP_URL: 'smtp://127.0.0.1:1',
    S3_SECRET_ACCESS_KEY: 'another',
    AI_BASE_URL: 'http://127.0.0.1:1/v1',
    AI_MODEL: 'm',
    BACKUP_URL: `http://key:${encodeURIComponent(credentials.secretAccessKey)}@127.0.0.1:1/bucket`,
  };
  const faults = await checkServices(readConfig(unreachable).config);
  expect(listStates(faults)).toEqual([
    'Mail error',
    'Assistant error',
    'Object store error',
    'Clock ok',
    'Point-in-time recovery error',
  ]);
  expect(JSON.stringify(faults)).not.toContain(credentials.secretAccessKey);
  await s3.close();
});

test('The key and the model of the upstream are tested', async () => {
  const upstream = createHttpServer(({ headers }, response) => {
    const isAuthorized = headers.authorization === 'Bearer right';
    response.writeHead(isAuthorized ? 200 : 401).end(JSON.stringify({ data: [{ id: 'model-a' }] }));
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as { port: number };
  const readState = async (AI_API_KEY: string, AI_MODEL: string) => {
    const environment = { AI_BASE_URL: `http://127.0.0.1:${port}/v1`, AI_API_KEY, AI_MODEL };
    return listStates(await checkServices(readConfig(environment).config))[1];
  };
  expect(await readState('right', 'model-a')).toBe('Assistant ok');
  expect(await readState('right', 'model-b')).toBe('Assistant warn');
  expect(await readState('wrong', 'model-a')).toBe('Assistant error');
  upstream.closeAllConnections();
  upstream.close();
});

test.each([
  [0, 'ok'],
  [-3_000, 'ok'],
  [10_000, 'warn'],
  [-60_000, 'error'],
  [60_000, 'error'],
])('A clock that is off by %d ms is %s', (offset, state) => {
  const now = Date.now();
  expect(clockFinding('the database', new Date(now + offset), now, now).state).toBe(state);
});
