/** Copies the source tree, so that tests can follow the recipes in docs/extending.md in it. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { findDifference } from '../../scripts/migrations.ts';
import { openEmptyDatabase } from './test-database.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A line that a recipe adds after another one. */
export type Edit = [file: string, before: string, added: string];

export interface RecipeCopy {
  folder: string;
  /** Runs a script of the copy with the current Node.js. @throws Error with its output if its exit code is not 0 */
  run(script: string, ...parameters: string[]): Promise<void>;
  /** Adds a line after another one. @throws Error unless that line occurs once */
  add(edit: Edit): Promise<void>;
  /** Creates a migration like `npm run new-migration`. @returns the path of the migration */
  writeMigration(): Promise<string>;
  /** Returns the sorted paths of files that were added to the copy or changed. */
  changedFiles(): Promise<string[]>;
  /** Type-checks the folders and checks module boundaries. @throws Error with the compiler errors or forbidden imports */
  check(folders: readonly string[]): Promise<void>;
  remove(): Promise<void>;
}

/** Copies the given files and folders of the repository, and then the contents of `addedFolders`. */
export async function copySources(names: readonly string[], ...addedFolders: string[]): Promise<RecipeCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-recipe-'));
  // Another test may pack the package at the same time, which creates a folder of that name.
  const filter = (source: string) => basename(source) !== 'dist';
  for (const name of names) await cp(join(ROOT, name), join(folder, name), { recursive: true, filter });
  await linkPackages(folder);
  for (const source of addedFolders) await cp(source, folder, { recursive: true });

  async function run(script: string, ...parameters: string[]): Promise<void> {
    // Vitest sets NODE_ENV to `test`, which would produce a development build.
    const options = { cwd: folder, env: { ...process.env, NODE_ENV: 'production' } };
    const result = promisify(execFile)(process.execPath, [script, ...parameters], options);
    await result.catch(({ stdout, stderr }: Record<'stdout' | 'stderr', string>) => {
      throw new Error(`${script} failed:\n${stdout}${stderr}`);
    });
  }

  return {
    folder,
    run,
    async add([file, before, line]) {
      const path = join(folder, file);
      const parts = (await readFile(path, 'utf8')).split(before);
      if (parts.length !== 2)
        throw new Error(`${file} contains this line ${parts.length - 1} times instead of once: ${before}`);
      await writeFile(path, parts.join(before + line));
    },
    async writeMigration() {
      const [declaredDatabase, migrated] = [await openEmptyDatabase(), await openEmptyDatabase()];
      const path = 'supabase/migrations/20991231000000_follow_recipe.sql';
      await writeFile(join(folder, path), await findDifference(join(folder, 'supabase'), declaredDatabase, migrated));
      await declaredDatabase.close();
      await migrated.close();
      return path;
    },
    async changedFiles() {
      const paths: string[] = [];
      for (const name of names.filter((entry) => !entry.includes('.'))) {
        for (const file of await readdir(join(folder, name), { recursive: true, withFileTypes: true })) {
          if (!file.isFile()) continue;
          const path = relative(folder, join(file.parentPath, file.name));
          const original = await readFile(join(ROOT, path)).catch(() => null);
          if (!original?.equals(await readFile(join(folder, path)))) paths.push(path);
        }
      }
      return paths.sort();
    },
    async check(folders) {
      const config = { extends: './tsconfig.json', include: folders, exclude: ['**/*.test.*'] };
      await writeFile(join(folder, 'tsconfig.copy.json'), JSON.stringify(config));
      // Parallel checkers each compute most types again, which doubles the CPU time.
      await run('node_modules/typescript/bin/tsc', '--project', 'tsconfig.copy.json', '--singleThreaded');
      await run('scripts/check-boundaries.ts');
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** Links all installed packages into the copy. The backend's link points to the copy's own backend. */
async function linkPackages(folder: string): Promise<void> {
  const packages = join(folder, 'node_modules');
  await mkdir(join(packages, '@signalfjord'), { recursive: true });
  await symlink(join(folder, 'packages/backend'), join(packages, '@signalfjord/backend'));
  const names = (await readdir(join(ROOT, 'node_modules'))).filter((name) => name !== '@signalfjord');
  await Promise.all(names.map((name) => symlink(join(ROOT, 'node_modules', name), join(packages, name))));
}
