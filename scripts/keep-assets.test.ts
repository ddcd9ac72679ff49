import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBuilder } from 'vite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepAssets } from './keep-assets.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'keep-assets-'));
});
afterEach(() => rm(root, { recursive: true }));

/** Builds a page whose script contains `word`. Returns the words of all scripts in the output. */
async function build(word: string): Promise<string[]> {
  await writeFile(join(root, 'index.html'), '<script type="module" src="./main.js"></script>');
  await writeFile(join(root, 'main.js'), `document.title = '${word}';`);
  const builder = await createBuilder({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [keepAssets()],
    build: { outDir: 'dist/client' },
  });
  await builder.buildApp();
  const folder = join(root, 'dist/client/assets');
  const scripts = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')));
  return scripts.map((script) => /title\s*=\s*["'`](\w+)/.exec(script)?.[1] ?? script).sort();
}

test('Only the assets of the two previous builds are kept', async () => {
  expect(await build('a')).toEqual(['a']);
  expect(await build('b')).toEqual(['a', 'b']);
  await writeFile(join(root, 'dist/client/assets/of-no-build.js'), '');
  await writeFile(join(root, 'dist/client/old.txt'), '');
  expect(await build('c')).toEqual(['a', 'b', 'c']);
  expect(await readdir(join(root, 'dist/client'))).toEqual(['assets', 'index.html']);
  expect(await build('d')).toEqual(['b', 'c', 'd']);
});

test('Public files are compressed in each build and deleted when they are removed from the public folder', async () => {
  const outputFolder = join(root, 'dist/client');
  await mkdir(join(root, 'public'));
  await writeFile(join(root, 'public/favicon.svg'), '<svg/>');
  await build('a');
  await writeFile(join(outputFolder, 'favicon.svg.br'), '');
  await build('b');
  expect(await readdir(outputFolder)).toEqual(['assets', 'favicon.svg', 'index.html']);
  await rm(join(root, 'public/favicon.svg'));
  await build('c');
  expect(await readdir(outputFolder)).toEqual(['assets', 'index.html']);
});

test('An identical build does not remove older assets', async () => {
  await build('a');
  await build('b');
  await build('c');
  expect(await build('c')).toEqual(['a', 'b', 'c']);
  expect(await build('c')).toEqual(['a', 'b', 'c']);
});
