/** The published package: packed, unpacked in an empty folder, and started by the example. */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PACKAGE = join(import.meta.dirname, '..');
/** node_modules of the repository, so that no registry is needed. */
const INSTALLED = join(dirname(createRequire(import.meta.url).resolve('zod/package.json')), '..');
const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-packed-'));
  // If this process runs as root, Postgres uses another account, which must be able to enter the folder.
  await chmod(folder, 0o711);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('The example runs in an empty folder, and can use the types of the package', async () => {
  await run(process.execPath, [join(PACKAGE, 'scripts/pack.ts'), '--pack-destination', folder], {
    env: { ...process.env, PATH: `${join(INSTALLED, '.bin')}:${process.env['PATH']}` },
  });
  const [tarball = ''] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  const packageFolder = join(folder, 'node_modules/@signalfjord/backend');
  await mkdir(packageFolder, { recursive: true });
  await run('tar', ['-xzf', join(folder, tarball), '-C', packageFolder, '--strip-components=1']);
  for (const name of await readdir(INSTALLED)) {
    if (name !== '@signalfjord') await symlink(join(INSTALLED, name), join(folder, 'node_modules', name));
  }
  await cp(join(PACKAGE, 'example'), folder, { recursive: true });

  const example = run(process.execPath, ['index.js'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), PORT: '0' },
  });
  let output = '';
  example.child.stdout?.on('data', (chunk: string) => {
    output += chunk;
    if (output.includes(']\n')) example.child.kill('SIGTERM');
  });
  expect(await example).toMatchObject({ stdout: expect.stringContaining(`[ { id: 1, text: 'Hello' } ]`), stderr: '' });

  const options = ['--noEmit', '--strict', '--skipLibCheck', '--allowJs', '--checkJs', '--types', 'node'];
  const modules = ['--module', 'nodenext', '--target', 'es2024'];
  await run(join(INSTALLED, '.bin/tsc'), [...options, ...modules, '--ignoreConfig', 'index.js'], { cwd: folder });
});
