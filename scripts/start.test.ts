import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

let folder: string;

/** Checkout with installed dependencies and a fake build that only records its start. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-start-'));
  for (const name of ['scripts', 'node_modules/vite/bin', 'dist/server']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  for (const name of ['start.mjs', 'build.mjs', 'install.mjs', 'server-process.mjs', 'check-settings.ts']) {
    await cp(join(ROOT, 'scripts', name), join(folder, 'scripts', name));
  }
  await cp(join(ROOT, 'server/options.ts'), join(folder, 'server/options.ts'));
  await writeFile(join(folder, 'node_modules/vite/bin/vite.js'), `console.log('Built'); process.exit(3);`);
  // State after an upgrade: built from older sources.
  await writeFile(join(folder, 'dist/server/server.js'), '');
  await writeFile(join(folder, 'dist/built-from'), 'other sources');
  await mkdir(join(folder, 'node_modules/@signalfjord'));
  await symlink(join(ROOT, 'packages/backend'), join(folder, 'node_modules/@signalfjord/backend'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const lock of ['package-lock.json', 'node_modules/.last-lock']) await writeFile(join(folder, lock), '{}');
});
afterAll(() => rm(folder, { recursive: true }));

function start(environment: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...environment },
  });
  return { status, stdout, stderr };
}

test('An invalid setting is reported before the build', () => {
  expect(start({ PORT: 'banana' })).toEqual({
    status: 1,
    stdout: '',
    stderr: 'PORT is "banana", but must be a port number from 0 to 65535.\n',
  });
});

test('Valid settings start the build', () => {
  expect(start({ PORT: '3000' })).toMatchObject({ status: 3, stdout: 'Building the site ...\nBuilt\n' });
});
