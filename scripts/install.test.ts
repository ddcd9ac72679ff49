import { spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
/** Folder with a fake `npm` that records its arguments. */
let bin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-install-'));
  bin = join(folder, 'bin');
  for (const name of ['bin', 'scripts', 'own-home', 'npm-home/.npm'])
    await mkdir(join(folder, name), { recursive: true });
  await copyFile(join(import.meta.dirname, 'install.mjs'), join(folder, 'scripts/install.mjs'));
  await writeFile(join(folder, 'package-lock.json'), '{}');
  await program(
    'npm',
    'mkdir -p node_modules/zod; touch node_modules/zod/index.js node_modules/zod/index.js.map; case "$*" in *include=dev*) mkdir -p node_modules/vitest;; esac; echo "$*" >> calls; echo "$npm_config_cache" > cache; [ ! -e fail ] || exit 3',
  );
});
afterAll(() => rm(folder, { recursive: true }));

async function program(name: string, script: string): Promise<string> {
  const file = join(bin, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

function run(code: string, environment: Record<string, string> = {}) {
  const script = `import { install, nodePath } from './scripts/install.mjs'; ${code}`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: join(folder, 'own-home'), ...environment },
  });
}

const chosenNode = (environment: Record<string, string>) => run('console.log(nodePath())', environment).stdout.trim();
const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');

test('The Node of npm is used if it is new enough, otherwise the current Node', async () => {
  const newer = await program('newer', 'echo v26.1.0');
  const oldestSupported = await program('just-enough', 'echo v24.2.0');
  expect(chosenNode({ npm_node_execpath: newer })).toBe(newer);
  expect(chosenNode({ npm_node_execpath: oldestSupported })).toBe(oldestSupported);
  for (const version of ['v24.1.9', 'v20.20.2', '', 'nonsense']) {
    expect(chosenNode({ npm_node_execpath: await program('older', `echo ${version}`) })).toBe(process.execPath);
  }
  expect(chosenNode({ npm_node_execpath: join(bin, 'missing') })).toBe(process.execPath);
});

test('Dependencies are installed once for each lock file', async () => {
  expect(run('install()').status).toBe(0);
  expect(run('install()').status).toBe(0);
  expect(await calls()).toEqual([expect.stringMatching(/^ci --omit=dev --include=optional /)]);
  await writeFile(join(folder, 'package-lock.json'), '{"changed":true}');
  await writeFile(join(folder, 'fail'), '');
  const result = run('install()');
  expect([result.status, result.stderr]).toEqual([3, expect.stringContaining('`npm ci')]);
  await rm(join(folder, 'fail'));
  expect(run('install()').status).toBe(0);
  expect(await calls()).toHaveLength(3);
});

test('Development dependencies are installed only for tests and then kept', async () => {
  await rm(join(folder, 'calls'));
  for (let time = 0; time < 2; time++) expect(run('install({ forTests: true })').status).toBe(0);
  expect(run('install()').status).toBe(0);
  expect(await calls()).toEqual([expect.stringMatching(/^ci --include=dev /)]);
  await writeFile(join(folder, 'package-lock.json'), '{"changed":"again"}');
  expect(run('install()').status).toBe(0);
  expect(await calls()).toEqual([expect.any(String), expect.stringMatching(/^ci --include=dev /)]);
});

test('A production install removes the source maps of packages', async () => {
  const installed = async (code: string) => {
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ code }));
    expect(run(code).status).toBe(0);
    return (await readdir(join(folder, 'node_modules/zod'))).sort();
  };
  await rm(join(folder, 'node_modules'), { recursive: true });
  expect(await installed('install()')).toEqual(['index.js']);
  expect(await installed('install({ forTests: true })')).toEqual(['index.js', 'index.js.map']);
});

test('npm gets a temporary cache folder if the home folder is not writable', async () => {
  const cacheWith = async (environment: Record<string, string>) => {
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(environment));
    expect(run('install()', environment).status).toBe(0);
    return (await readFile(join(folder, 'cache'), 'utf8')).trim();
  };
  expect(await cacheWith({})).toBe('');
  expect(await cacheWith({ HOME: join(folder, 'npm-home') })).toBe('');
  const temporaryCache = await cacheWith({ HOME: '/nonexistent', TMPDIR: folder });
  expect(temporaryCache).toMatch(/signalfjord-npm-\w+$/);
  await expect(readFile(temporaryCache)).rejects.toMatchObject({ code: 'ENOENT' });
});
