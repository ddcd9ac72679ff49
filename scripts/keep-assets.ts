import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'vite';

/** Number of earlier builds whose assets are kept. */
const EARLIER_BUILDS = 2;

/**
 * Vite plugin: keeps the assets of the last two builds, so that tabs opened before a deployment can load their chunks.
 * `assets-of-builds.json` next to the output lists them, newest first.
 */
export function keepAssets(): Plugin {
  const recordPath = (dir: string) => join(dirname(dir), 'assets-of-builds.json');
  let builds: string[][] = [];
  return {
    name: 'keep-assets',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    configEnvironment: (name) => (name === 'client' ? { build: { emptyOutDir: false } } : undefined),
    /** Clears the output folder instead of Vite, except for kept assets. Vite has already copied the public files. */
    async renderStart({ dir = '' }) {
      builds = JSON.parse(await readFile(recordPath(dir), 'utf8').catch(() => '[]'));
      const { publicDir } = this.environment.config;
      const keptFiles = new Set(builds.flat());
      const names = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
      const files = names
        .filter((entry) => entry.isFile())
        .map((entry) => relative(dir, join(entry.parentPath, entry.name)));
      const obsoleteFiles = files.filter(
        (file) => !keptFiles.has(file.replace(/\.(br|gz)$/, '')) && !existsSync(join(publicDir, file)),
      );
      await Promise.all(obsoleteFiles.map((file) => rm(join(dir, file))));
    },
    async writeBundle({ dir = '' }, bundle) {
      const assets = Object.keys(bundle)
        .filter((file) => file.startsWith('assets/'))
        .sort();
      // A repeated build must not displace an earlier build.
      const earlierBuilds = builds.filter((build) => build.join() !== assets.join());
      const keptBuilds = [assets, ...earlierBuilds].slice(0, 1 + EARLIER_BUILDS);
      const obsoleteFiles = earlierBuilds.flat().filter((file) => !keptBuilds.flat().includes(file));
      const files = obsoleteFiles.flatMap((file) => [file, `${file}.br`, `${file}.gz`]);
      await Promise.all(files.map((file) => rm(join(dir, file), { force: true })));
      await writeFile(recordPath(dir), JSON.stringify(keptBuilds));
    },
  };
}
