/**
 * `npm run build`: installs dependencies if needed and builds the site unless it was already built from the same
 * sources. dist/ is replaced atomically. With --check-settings, as in `npm start`, settings are validated before the
 * slower build.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, nodePath } from './install.mjs';

const SOURCES = [
  'app',
  'supabase/functions',
  'public',
  'vite.config.ts',
  'package-lock.json',
  'tsconfig.json',
  'scripts',
];
const STAMP = 'dist/built-from';
/** Output folder of the running build, so that an interrupted build does not affect the site. */
const NEXT = 'dist.next';
const PREVIOUS = 'dist.former';

install();
// An earlier build was interrupted between the two renames.
if (!existsSync('dist') && existsSync(PREVIOUS)) renameSync(PREVIOUS, 'dist');
const sources = hashFiles(SOURCES);
if (!existsSync('dist/server/server.js') || !existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== sources) {
  if (process.argv.includes('--check-settings')) runOrExit(nodePath(), ['scripts/check-settings.ts']);
  console.log('Building the site ...');
  for (const folder of [NEXT, PREVIOUS]) rmSync(folder, { recursive: true, force: true });
  // Assets of earlier builds are kept for open tabs.
  if (existsSync('dist')) cpSync('dist', NEXT, { recursive: true, preserveTimestamps: true });
  const vite = ['node_modules/vite/bin/vite.js', 'build', '--outDir', NEXT, '--logLevel', 'warn'];
  runOrExit(nodePath(), vite, { NODE_ENV: 'production' });
  // The build may update the generated route tree, so compute the hash again.
  writeFileSync(`${NEXT}/built-from`, hashFiles(SOURCES));
  if (existsSync('dist')) renameSync('dist', PREVIOUS);
  renameSync(NEXT, 'dist');
  rmSync(PREVIOUS, { recursive: true, force: true });
} else if (process.env['npm_lifecycle_event'] === 'build') {
  console.log('The site is already built from these sources.');
}

/**
 * Runs a command with inherited output, and exits with its code if it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} environment variables added to those of this process
 */
function runOrExit(command, args, environment = {}) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
  if (status !== 0) process.exit(status ?? 1);
}

/** @param {string[]} paths */
function hashFiles(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(listFiles)) hash.update(`${path}\n`).update(readFileSync(path));
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} */
function listFiles(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}
