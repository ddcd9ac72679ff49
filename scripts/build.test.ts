import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** Fake Vite: records the call and writes build output. Crashes halfway if the file `crash` exists. */
const VITE = `
  import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  const folder = process.argv[process.argv.indexOf('--outDir') + 1];
  appendFileSync('calls', 'built ');
  for (const part of ['client', 'server']) mkdirSync(folder + '/' + part, { recursive: true });
  writeFileSync(folder + '/client/page.js', readFileSync('app/page.ts'));
  if (existsSync('crash')) process.kill(process.pid, 'SIGKILL');
  writeFileSync(folder + '/server/server.js', readFileSync('app/page.ts'));
`;

let folder: string;

beforeEach(async () => {
  folder = await createCheckout('first');
});
afterEach(() => rm(folder, { recursive: true }));

/** Creates a checkout with the given sources and installed dependencies. */
async function createCheckout(source: string): Promise<string> {
  const checkout = await mkdtemp(join(tmpdir(), 'signalfjord-build-'));
  for (const name of ['scripts', 'app', 'node_modules/vite/bin'])
    await mkdir(join(checkout, name), { recursive: true });
  for (const name of ['build.mjs', 'install.mjs'])
    await cp(join(import.meta.dirname, name), join(checkout, 'scripts', name));
  await writeFile(join(checkout, 'app/page.ts'), source);
  await writeFile(join(checkout, 'node_modules/vite/bin/vite.js'), VITE);
  await writeFile(join(checkout, 'package.json'), '{"type":"module"}');
  for (const lock of ['package-lock.json', 'node_modules/.last-lock']) await writeFile(join(checkout, lock), '{}');
  return checkout;
}

/** Runs `npm run build`. @returns the exit code and the number of builds so far */
async function build(): Promise<[code: number | null, builds: number]> {
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  const calls = await readFile(join(folder, 'calls'), 'utf8').catch(() => '');
  return [status, calls.split(' ').length - 1];
}

test('Unchanged sources are not built again', async () => {
  expect(await build()).toEqual([0, 1]);
  expect(await build()).toEqual([0, 1]);
  await writeFile(join(folder, 'app/page.ts'), 'second');
  expect(await build()).toEqual([0, 2]);
});

test('A dist folder copied from another version is rebuilt', async () => {
  await build();
  const previousFolder = folder;
  folder = await createCheckout('second');
  await cp(join(previousFolder, 'dist'), join(folder, 'dist'), { recursive: true });
  await rm(previousFolder, { recursive: true });
  expect(await build()).toEqual([0, 1]);
});

/** Returns the sources that the pages and the server were built from. */
function readSources(): Promise<string[]> {
  return Promise.all(
    ['client/page.js', 'server/server.js'].map((file) => readFile(join(folder, 'dist', file), 'utf8')),
  );
}

test('An interrupted build keeps the previous build, and the next build removes its leftover files', async () => {
  await build();
  await writeFile(join(folder, 'app/page.ts'), 'second');
  await writeFile(join(folder, 'crash'), '');
  expect(await build()).toEqual([1, 2]);
  expect(await readSources()).toEqual(['first', 'first']);
  await rm(join(folder, 'crash'));
  expect(await build()).toEqual([0, 3]);
  expect(await readSources()).toEqual(['second', 'second']);
  expect((await readdir(folder)).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
});

test('The previous build is restored if a build was interrupted between the two renames', async () => {
  await build();
  await rename(join(folder, 'dist'), join(folder, 'dist.former'));
  expect(await build()).toEqual([0, 1]);
  expect(await readSources()).toEqual(['first', 'first']);
});
