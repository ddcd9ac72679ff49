import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** Writes down that it was called, and makes what a build makes, unless a file says that it fails. */
const VITE = `
  import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
  appendFileSync('calls', 'built ');
  mkdirSync('dist/server', { recursive: true });
  writeFileSync('dist/server/server.js', '');
  if (existsSync('fail')) process.exit(3);
`;

let folder: string;

beforeEach(async () => {
  folder = await newVersion('first');
});
afterEach(() => rm(folder, { recursive: true }));

/** Makes a checkout of the project with those sources, everything installed. */
async function newVersion(source: string): Promise<string> {
  const version = await mkdtemp(join(tmpdir(), 'signalfjord-build-'));
  for (const name of ['scripts', 'app', 'node_modules/vite/bin']) await mkdir(join(version, name), { recursive: true });
  for (const name of ['build.mjs', 'install.mjs'])
    await cp(join(import.meta.dirname, name), join(version, 'scripts', name));
  await writeFile(join(version, 'app/page.ts'), source);
  await writeFile(join(version, 'node_modules/vite/bin/vite.js'), VITE);
  await writeFile(join(version, 'package.json'), '{"type":"module"}');
  for (const lock of ['package-lock.json', 'node_modules/.last-lock']) await writeFile(join(version, lock), '{}');
  return version;
}

/** Returns the exit code of `npm run build` there, and the number of builds there so far. */
async function build(): Promise<[code: number | null, builds: number]> {
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  const calls = await readFile(join(folder, 'calls'), 'utf8').catch(() => '');
  return [status, calls.split(' ').length - 1];
}

test('The same sources are built once', async () => {
  expect(await build()).toEqual([0, 1]);
  expect(await build()).toEqual([0, 1]);
  await writeFile(join(folder, 'app/page.ts'), 'second');
  expect(await build()).toEqual([0, 2]);
});

test('The dist of another version, copied for open tabs, does not pass for that of these sources', async () => {
  await build();
  const former = folder;
  folder = await newVersion('second');
  await cp(join(former, 'dist'), join(folder, 'dist'), { recursive: true });
  await rm(former, { recursive: true });
  expect(await build()).toEqual([0, 1]);
});

test('What a build that failed has left is built anew, also from the sources of before', async () => {
  await build();
  await writeFile(join(folder, 'app/page.ts'), 'second');
  await writeFile(join(folder, 'fail'), '');
  expect(await build()).toEqual([3, 2]);
  await rm(join(folder, 'fail'));
  await writeFile(join(folder, 'app/page.ts'), 'first');
  expect(await build()).toEqual([0, 3]);
});
