/** The server as a process. Tests how it starts, fails to start, is killed and stops. */
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { runCommand } from '../support/command.ts';
import { type FakeUpstream, pauseAfter, startFakeUpstream } from '../support/fake-upstream.ts';
import {
  newDataFolder,
  prepareInterruptedStart,
  queryFolder,
  readSecretKey,
  removeFolder,
  type SiteProcess,
  startSite,
} from '../support/site.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map(removeFolder)));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-process-'));
  folders.push(folder);
  return folder;
}

async function initialisedFolder(): Promise<string> {
  const { folder } = await newDataFolder('off');
  folders.push(folder);
  return folder;
}

async function occupyPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { other: server, port: address !== null && typeof address === 'object' ? address.port : 0 };
}

async function freePort(): Promise<number> {
  const { other: server, port } = await occupyPort();
  await promisify(server.close).call(server);
  return port;
}

/** Starts a server that fails to start. Returns its exit code and its log messages. */
async function failStart(environment: Record<string, string>): Promise<{ code: number | null; messages: string[] }> {
  const settings = { NODE_ENV: 'production', PORT: '0', ...environment };
  const { code, stdout, stderr } = await runCommand(['server/main.ts'], settings);
  return { code, messages: parseMessages(`${stdout}\n${stderr}`) };
}

/** Parses each line as JSON. An invalid line fails the test. */
function parseMessages(output: string): string[] {
  const lines = output.split('\n').filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

test('An invalid setting prevents the start with one message and exit code 1', async () => {
  expect(await failStart({ DATA_DIR: await newFolder(), PREVIEW_GATE: 'maybe' })).toEqual({
    code: 1,
    messages: ['PREVIEW_GATE is "maybe", but must be on or off.'],
  });
});

test("Only the first start writes the admin's password, to a private file and not to the log", async () => {
  const folder = await newFolder();
  const firstStart = await startSite(folder, { STARTER_CONTENT: 'off' });
  await firstStart.stop();
  const file = join(folder, 'first-admin-password.txt');
  expect(parseMessages(firstStart.output())).toContain(
    `The first admin is admin@example.com with the password in ${file}; delete that file after the first sign-in.`,
  );
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
  const [email, password = ''] = (await readFile(file, 'utf8')).trim().split('\n');
  expect(password).toHaveLength(16);
  expect(firstStart.output()).not.toContain(password);
  const site = await startSite(folder);
  expect(site.output()).not.toContain('The first admin');
  const signedIn = await fetch(`${site.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    body: JSON.stringify({ email, password }),
  });
  expect(signedIn.status).toBe(200);
  await site.stop();
});

test('If the port is in use, the server exits with one message and code 1, and it starts when the port is free', async () => {
  const { other: server, port } = await occupyPort();
  const folder = await initialisedFolder();

  expect(await failStart({ DATA_DIR: folder, PORT: String(port) })).toEqual({
    code: 1,
    messages: [`Port ${port} on 127.0.0.1 is already in use. Stop the other program or set PORT to another port.`],
  });
  await promisify(server.close).call(server);
  const site = await startSite(folder, { PORT: String(port) });
  expect(site.url).toBe(`http://127.0.0.1:${port}`);
  await site.stop();
});

/** Disables shared ports, as on macOS and Windows (ENOTSUP) or an old Linux (ENOPROTOOPT). */
const DISABLE_SHARED_PORTS = `
const { TCP, constants } = process.binding('tcp_wrap');
const { bind } = TCP.prototype;
TCP.prototype.bind = function (address, port, flags = 0) {
  const isShared = (flags & constants.UV_TCP_REUSEPORT) !== 0;
  return isShared ? process.binding('uv')[process.env.WITHOUT_SHARING] : bind.call(this, address, port, flags);
};
`;

/** Counts the sockets that listen on a port of 127.0.0.1. */
async function countSockets(url: string): Promise<number> {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n');
  return lines.filter((line) => line.includes(` 0100007F:${port} 00000000:0000 0A `)).length;
}

test.each([
  ['shares ports', {}, 64],
  ['cannot share ports', { WITHOUT_SHARING: 'UV_ENOTSUP' }, 1],
  ['does not support port sharing', { WITHOUT_SHARING: 'UV_ENOPROTOOPT' }, 1],
])(
  'On a system that %s, all requests are answered, and a second server on the port fails with a message',
  async (_label, variables, sockets) => {
    const shim = join(await newFolder(), 'not-shared.mjs');
    await writeFile(shim, DISABLE_SHARED_PORTS);
    const environment = Object.keys(variables).length > 0 ? { ...variables, NODE_OPTIONS: `--import=${shim}` } : {};
    const site = await startSite(await initialisedFolder(), environment);
    expect(await countSockets(site.url)).toBe(sockets);
    const responses = await Promise.all(Array.from({ length: 100 }, () => fetch(`${site.url}/robots.txt`)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const { port } = new URL(site.url);
    expect(await failStart({ DATA_DIR: await initialisedFolder(), PORT: port, ...environment })).toEqual({
      code: 1,
      messages: [expect.stringContaining(`Port ${port}`)],
    });
    await site.stop();
    expect(site.process.exitCode).toBe(0);
  },
);

/** Sends SIGTERM to the process as soon as it has logged that it is listening. */
const SIGTERM_AFTER_START = `
import fs from 'node:fs';
for (const name of ['write', 'writeSync']) {
  const write = fs[name];
  fs[name] = (file, text, ...rest) => {
    const result = write(file, text, ...rest);
    if (typeof text === 'string' && text.includes('Signalfjord is running at')) process.kill(process.pid, 'SIGTERM');
    return result;
  };
}
`;

test('A signal right after the listening message stops the server gracefully', async () => {
  const shim = join(await newFolder(), 'sigterm-after-start.mjs');
  await writeFile(shim, SIGTERM_AFTER_START);
  const site = await startSite(await initialisedFolder(), { NODE_OPTIONS: `--import=${shim}` });
  await site.stop();
  expect([site.process.exitCode, site.process.signalCode]).toEqual([0, null]);
});

test('A folder that is not writable prevents the start with one message and exit code 1', async () => {
  const file = join(await newFolder(), 'a-file');
  await writeFile(file, '');
  const folder = join(file, 'data');
  expect(await failStart({ DATA_DIR: folder })).toEqual({
    code: 1,
    messages: [`The folder ${folder} is not writable (ENOTDIR). Make it writable or set DATA_DIR to another folder.`],
  });
});

test('A damaged database prevents the start with a message and remedy, and is not changed', async () => {
  const cases: ((folder: string) => Promise<void>)[] = [
    (folder) => writeFile(join(folder, 'global/pg_control'), Buffer.alloc(8192)),
    (folder) => rm(join(folder, 'PG_VERSION')),
  ];
  for (const damage of cases) {
    const folder = await initialisedFolder();
    const database = join(folder, 'postgres');
    await damage(database);
    const before = (await readdir(database)).toSorted();
    const { code, messages } = await failStart({ DATA_DIR: folder });
    expect(code).toBe(1);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(
      /^The database in \S+\/postgres is damaged \([^\n]+\)\. Restore a backup of \S+ and start again\.$/,
    );
    expect((await readdir(database)).toSorted()).toEqual(before);
  }
});

test('The admin account exists before the first response', async () => {
  const port = await freePort();
  const account = { email: 'first@example.com', password: 'Admin-password-1' };
  const folder = await newFolder();
  await prepareInterruptedStart(folder);
  const start = startSite(folder, {
    STARTER_CONTENT: 'off',
    PORT: String(port),
    ADMIN_EMAIL: account.email,
    ADMIN_PASSWORD: account.password,
  });
  const signIn = () =>
    fetch(`http://127.0.0.1:${port}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      body: JSON.stringify(account),
    });
  // Connections are refused until the port is open, so retry until the first response.
  const first = await vi.waitFor(signIn, { interval: 10, timeout: 120_000 });
  expect(first.status).toBe(200);
  await (await start).stop();
});

test('An unreachable database server prevents the start with one message that hides the password', async () => {
  const { code, messages } = await failStart({
    DATA_DIR: await newFolder(),
    DATABASE_URL: 'postgres://someone:geheim@127.0.0.1:1/db',
  });
  expect(code).toBe(1);
  expect(messages).toEqual(['The database of DATABASE_URL cannot be used (connect ECONNREFUSED 127.0.0.1:1).']);
});

/** Starts a reply of the assistant that stops halfway until `finish` is called. */
async function startReply(site: SiteProcess, upstream: FakeUpstream) {
  const secondHalf = Promise.withResolvers<void>();
  upstream.behave(pauseAfter(['The first half'], secondHalf.promise, ' and the second.'));
  const reply = await fetch(`${site.url}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${PUBLISHABLE_KEY}` },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect(reply.status).toBe(200);
  return { reply, finish: secondHalf.resolve };
}

test('The database folder is private to one process, and requests in progress finish before a stop', async () => {
  const readMode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  const folder = await initialisedFolder();
  const database = join(folder, 'postgres');
  await queryFolder(
    folder,
    `insert into public.site_settings (setting_key, setting_value) values ('count_visits', 'on')`,
  );
  expect(await readMode(database)).toBe('700');
  await chmod(folder, 0o755);
  await chmod(database, 0o755);
  const upstream = await startFakeUpstream();
  const site = await startSite(folder, { AI_BASE_URL: upstream.url, AI_MODEL: 'test-model' });
  expect(await readMode(database)).toBe('700');

  expect(await failStart({ DATA_DIR: folder })).toEqual({
    code: 1,
    messages: [`${folder} is in use by another process. Stop it or set DATA_DIR to another folder.`],
  });
  expect((await fetch(site.url)).status).toBe(200);

  // Ctrl-C, npm and systemd may each forward the signal.
  const { reply, finish } = await startReply(site, upstream);
  site.process.kill('SIGINT');
  await vi.waitFor(() => expect(site.output()).toContain('Stopping'), { timeout: 120_000 });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGTERM'] as const) site.process.kill(signal);
  finish();
  expect(await reply.text()).toMatch(/The first half.*and the second\..*\[DONE\]/s);
  await site.stop();
  expect(site.process.exitCode).toBe(0);
  await upstream.close();

  const second = await startSite(folder);
  expect((await fetch(`${second.url}/rest/v1/posts?limit=1`, { headers: { apikey: PUBLISHABLE_KEY } })).status).toBe(
    200,
  );
  const visitRequest = {
    method: 'POST',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0' },
    body: JSON.stringify({ page: '/', device: 'desktop', seconds: 1 }),
  };
  expect((await fetch(`${second.url}/visits`, visitRequest)).status).toBe(204);
  await second.stop();
  expect(second.process.exitCode).toBe(0);
  const counts = `select count::integer from public.visit_counts where kind = 'page' and name = '/'`;
  expect(await queryFolder(folder, counts)).toEqual([{ count: 1 }]);
});

test('A signal stops the server during a long statement, and the folder can be opened again', async () => {
  const folder = await initialisedFolder();
  const headers = { apikey: await readSecretKey(folder), 'content-type': 'application/json' };
  const first = await startSite(folder);
  const posts = `${first.url}/rest/v1/posts`;
  const post = { title: 'Long', slug: 'long', content: 'a'.repeat(50_001), published_date: '2020-01-01' };
  expect((await fetch(posts, { method: 'POST', headers, body: JSON.stringify(post) })).status).toBe(201);

  // The two halves of an odd number of letters never match, so Postgres tries every split. The secret key has a
  // statement timeout of one minute.
  const slowRequest = fetch(`${posts}?content=match.${encodeURIComponent('^(a+)(a+)\\1\\2$')}`, { headers });
  const outcome = slowRequest.then(
    async (response) => ((await response.json()) as { code: string }).code,
    () => 'cut off',
  );
  const activeStatements = `select from pg_stat_activity where state = 'active' and query like '%posts%' and pid <> pg_backend_pid()`;
  await expect.poll(() => queryFolder(folder, activeStatements)).not.toEqual([]);

  await first.stop('SIGTERM');
  expect(first.process.exitCode).toBe(0);
  // The statement's own timeout would return 57014.
  expect(['57P01', '08006', 'cut off']).toContain(await outcome);
  const second = await startSite(folder);
  expect(await (await fetch(`${second.url}/rest/v1/posts?select=slug`, { headers })).json()).toEqual([
    { slug: 'long' },
  ]);
  await second.stop();
});
