import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(css|html|js|json|svg|txt|webmanifest)$/;

/** Vite plugin: writes .br and .gz files for all browser assets, at maximum quality. */
export function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    // Invalidates the stamp of scripts/build.mjs, even for builds started without it.
    renderStart: ({ dir = '' }) => rm(join(dirname(dir), 'built-from'), { force: true }),
    async writeBundle({ dir = '' }) {
      const names = await readdir(dir, { recursive: true });
      await Promise.all(names.filter((name) => COMPRESSIBLE.test(name)).map((name) => compressFile(join(dir, name))));
    },
  };
}

async function compressFile(file: string): Promise<void> {
  const [body, compressed] = await Promise.all([readFile(file), readFile(`${file}.br`).catch(() => null)]);
  // Preload lists can change without a new hash in the file name, so compare the content.
  if (compressed && body.equals(await promisify(brotliDecompress)(compressed))) return;
  await Promise.all([
    promisify(brotliCompress)(body).then((compressed) => writeFile(`${file}.br`, compressed)),
    promisify(gzip)(body, { level: 9 }).then((compressed) => writeFile(`${file}.gz`, compressed)),
  ]);
}
