import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'vite';

/** Number of builds before this one that keep their assets. */
const EARLIER_BUILDS = 2;

/**
 * Adds a part to the build: tabs that were open before a deployment go on loading the parts of their own build, so the
 * assets of the two builds before stay. Which they are, newest first, is in the file `assets-of-builds.json` beside the
 * output.
 */
export function keepAssets(): Plugin {
  const recordBeside = (dir: string) => join(dirname(dir), 'assets-of-builds.json');
  let builds: string[][] = [];
  return {
    name: 'keep-assets',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    configEnvironment: (name) => (name === 'client' ? { build: { emptyOutDir: false } } : undefined),
    /** Empties the folder in place of Vite, except for what stays. Vite has copied the public files by now. */
    async renderStart({ dir = '' }) {
      builds = JSON.parse(await readFile(recordBeside(dir), 'utf8').catch(() => '[]'));
      const { publicDir } = this.environment.config;
      const kept = new Set(builds.flat());
      const names = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
      const files = names
        .filter((entry) => entry.isFile())
        .map((entry) => relative(dir, join(entry.parentPath, entry.name)));
      const gone = files.filter(
        (file) => !kept.has(file.replace(/\.(br|gz)$/, '')) && !existsSync(join(publicDir, file)),
      );
      await Promise.all(gone.map((file) => rm(join(dir, file))));
    },
    async writeBundle({ dir = '' }, bundle) {
      const assets = Object.keys(bundle)
        .filter((file) => file.startsWith('assets/'))
        .sort();
      // A repeated build must not push out an earlier one.
      const earlier = builds.filter((build) => build.join() !== assets.join());
      const kept = [assets, ...earlier].slice(0, 1 + EARLIER_BUILDS);
      const gone = earlier.flat().filter((file) => !kept.flat().includes(file));
      const files = gone.flatMap((file) => [file, `${file}.br`, `${file}.gz`]);
      await Promise.all(files.map((file) => rm(join(dir, file), { force: true })));
      await writeFile(recordBeside(dir), JSON.stringify(kept));
    },
  };
}
