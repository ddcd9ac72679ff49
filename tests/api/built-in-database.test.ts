/**
 * The built-in Postgres server. Tests the errors that prevent its start, and the recovery after the server or its
 * parent process is killed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { openDatabase } from '../../packages/backend/src/open-database.ts';
import { accountFor } from '../../packages/backend/src/postgres/account.ts';
import { findBinaries } from '../../packages/backend/src/postgres/binaries.ts';
import { startBuiltInServer } from '../../packages/backend/src/postgres/built-in-server.ts';
import { pathFor } from '../../packages/backend/src/postgres/data-folder.ts';
import { startPostgres } from '../../packages/backend/src/postgres/postgres-process.ts';
import { addressSettings, serverUrl } from '../../packages/backend/src/postgres/server-address.ts';
import { explainStartError } from '../../server/start-error.ts';
import { prepareInterruptedStart, queryFolder } from '../support/site.ts';

const ROOT = join(import.meta.dirname, '../..');

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sf-built-in-'));
  // If this process is root, Postgres runs as another account, which needs access to the folder.
  await chmod(parent, 0o711);
});
afterAll(() => rm(parent, { recursive: true, force: true }));

async function newFolder(name: string): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder, { mode: 0o700 });
  await prepareInterruptedStart(folder);
  return folder;
}

/** Returns the error message that prevents a start, or null if it succeeds. */
async function readStartError(folder: string): Promise<string | null> {
  const config = parseConfig({ DATA_DIR: folder });
  try {
    await (await openDatabase(config)).close();
    return null;
  } catch (error) {
    return (await explainStartError(error, config)) ?? String(error);
  }
}

const listFiles = async (folder: string) => (await readdir(folder, { recursive: true })).toSorted();

/** Overwrites a byte of pg_control, at an offset from the float format marker. */
async function changeControl(folder: string, offset: number, byte: number): Promise<void> {
  const path = join(folder, 'postgres/global/pg_control');
  const control = await readFile(path);
  const floatMarker = Buffer.alloc(8);
  floatMarker.writeDoubleLE(1_234_567);
  control[control.indexOf(floatMarker) + floatMarker.length + offset] = byte;
  await writeFile(path, control);
}

test.each<[string, (folder: string) => Promise<void>, RegExp]>([
  [
    'data of another version of Postgres',
    (folder) => writeFile(join(folder, 'postgres/PG_VERSION'), '17\n'),
    /contains data of Postgres 17, but this version needs Postgres 18\. Run `npm run export`/,
  ],
  [
    'a database of version 0.1',
    (folder) => changeControl(folder, 32, 0),
    /contains a database of version 0\.1, .* Run `npm run export -- site\.zip` with the last 0\.1, then `npm run import -- site\.zip`/,
  ],
  [
    'a truncated pg_control',
    (folder) => writeFile(join(folder, 'postgres/global/pg_control'), Buffer.alloc(16)),
    /is damaged \(pg_control is unreadable\)\. Restore a backup of/,
  ],
  [
    'a pg_control with a wrong checksum',
    (folder) => changeControl(folder, 0, 7),
    /is damaged \([^\n]*(checksum|BLCKSZ|block size)[^\n]*\)\. Restore a backup of/i,
  ],
])('%s prevents the start with an error message and is left unchanged', async (name, damage, message) => {
  const folder = await newFolder(name.replaceAll(' ', '-').slice(0, 20) + name.length);
  await damage(folder);
  const before = await listFiles(folder);
  const error = await readStartError(folder);
  expect(error).toMatch(message);
  expect(error).not.toContain('\n');
  expect(await listFiles(folder)).toEqual(before);
});

test('A database folder that belongs to another user prevents the start for an ordinary user', async () => {
  const folder = await newFolder('owned');
  const { uid } = (await accountFor(folder)) ?? { uid: process.getuid?.() ?? 0 };
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(uid + 1);
  onTestFinished(() => getuid.mockRestore());
  expect(await readStartError(folder)).toMatch(
    /postgres belongs to another user \(uid \d+\)\. Start the server as that user/,
  );
  getuid.mockRestore();
  expect(await readStartError(folder)).toBeNull();
});

test.runIf(process.getuid?.() === 0)(
  'A uid without an account prevents the first start with an error message',
  async () => {
    const folder = join(parent, 'unknown-uid');
    await mkdir(folder, { mode: 0o700 });
    await chown(folder, 54_321, 54_321);
    expect(await readStartError(folder)).toMatch(
      /^Postgres cannot run as uid 54321, which has no account on this system\. /,
    );
    expect(await readdir(folder)).toEqual([]);
  },
);

test('A path that is too long for a socket prevents the start, and no files are created', async () => {
  const folder = join(parent, 'x'.repeat(90));
  expect(await readStartError(folder)).toMatch(
    /bytes too long for the Unix socket of the database\. Set DATA_DIR to a shorter path\.$/,
  );
  expect(await readdir(parent)).not.toContain('x'.repeat(90));
});

test('An unsupported platform and a missing library each have their own error message', async () => {
  await expect(findBinaries(null, { name: 'freebsd-x64' })).rejects.toThrow(
    'No built-in Postgres server is available for freebsd-x64. Set DATABASE_URL to your own Postgres server.',
  );
  const { postgres } = await findBinaries(null);
  const packageFolder = join(parent, 'package');
  await cp(dirname(postgres), join(packageFolder, 'native/bin'), { recursive: true });
  await expect(findBinaries(null, { packageFolder })).rejects.toThrow(
    /^The built-in Postgres server does not run on this system \(the library lib\S+ is missing\)\. Install lib\S+, or set DATABASE_URL/,
  );
});

test('A Postgres server that is killed restarts by itself with all committed data', async () => {
  const folder = await newFolder('killed');
  const { database, onStatusChange, close } = await openDatabase(parseConfig({ DATA_DIR: folder }));
  const messages: string[] = [];
  onStatusChange?.((message) => messages.push(message));
  const insert = (key: string) => database.query('insert into public.site_settings (setting_key) values ($1)', [key]);
  for (let round = 0; round < 3; round++) {
    await insert(`round-${round}`);
    const pid = Number.parseInt(await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10);
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() =>
        database.query('select 1').then(
          () => 'answered',
          () => 'away',
        ),
      )
      .toBe('answered');
    await expect.poll(() => messages.filter((line) => line.endsWith('is running again.')).length).toBe(round + 1);
  }
  const { rows } = await database.query(`select setting_key from public.site_settings where setting_key ~ '^round-'`);
  expect(rows).toHaveLength(3);
  await close();
});

test('On loopback, as on Windows, a connection requires the password stored in the folder, even after a restart', async () => {
  const folder = join(parent, 'loopback');
  await mkdir(folder, { mode: 0o711 });
  const data = join(folder, 'postgres');
  const options = { dataFolder: folder, folder: data, poolSize: 2, isDurable: false };
  for (const transport of ['loopback', 'socket'] as const) {
    // In the second round the folder already exists, and the server still uses loopback.
    const server = await startBuiltInServer({ ...options, transport });
    expect(server.url).toBe(await serverUrl(data));
    expect(server.url).toMatch(/^postgres:\/\/postgres:[0-9a-f]{48}@127\.0\.0\.1:\d+\/postgres$/);
    const database = openPostgresDatabase(server.url, 1);
    expect((await database.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await database.close();
    const stranger = openPostgresDatabase(server.url.replace(/:[0-9a-f]{48}@/, ':guess@'), 1);
    await expect(stranger.query('select 1')).rejects.toMatchObject({ code: '28P01' });
    await stranger.close();
    expect((await readdir(data)).filter((name) => name.startsWith('.s.PGSQL'))).toEqual([]);
    expect((await stat(join(data, 'superuser-password'))).mode & 0o777).toBe(0o600);
    await server.stop();
  }
  expect(await readdir(folder)).toEqual(['postgres']);
});

test('The next start stops a Postgres server left over from an earlier process', async () => {
  const folder = await newFolder('left');
  const data = join(folder, 'postgres');
  const account = await accountFor(folder);
  const settings = await addressSettings('socket', pathFor(data, account));
  const leftover = await startPostgres(data, { ...(await findBinaries(account)), account, settings });
  expect(await readStartError(folder)).toBeNull();
  expect(await leftover.ended).toBe('exit code 0');
});

test('The Postgres server stops when its parent process ends or is killed', async () => {
  const folder = await newFolder('parent');
  const script = `const { openDatabase } = await import('${ROOT}/packages/backend/src/open-database.ts');
    const { parseConfig } = await import('${ROOT}/packages/backend/src/config.ts');
    await openDatabase(parseConfig({ DATA_DIR: ${JSON.stringify(folder)} })); console.log('open');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const pid = Number.parseInt(await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10);
  expect(process.kill(pid, 0)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const [row] = await queryFolder<{ one: number }>(folder, 'select 1 as one');
  expect(row).toEqual({ one: 1 });
  // An ended process keeps its id until init has reaped it.
  await expect.poll(() => isRunning(pid)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
