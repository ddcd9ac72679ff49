/**
 * `npm run build`: installs what is missing, and builds the site unless it was built from the very same sources. The
 * folder dist/ is replaced as a whole when all of the build is there. With --check-settings, as `npm start` runs it, a wrong
 * setting is told before a build, which takes longer.
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
/** Folder in which a build is made: one that is interrupted leaves the site as it was, and no mixture of two builds. */
const NEXT = 'dist.next';
const FORMER = 'dist.former';

install();
// Somebody ended a build between its last two steps.
if (!existsSync('dist') && existsSync(FORMER)) renameSync(FORMER, 'dist');
const sources = hashOf(SOURCES);
if (!existsSync('dist/server/server.js') || !existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== sources) {
  if (process.argv.includes('--check-settings')) inherit(nodePath(), ['scripts/check-settings.ts']);
  console.log('Building the site ...');
  for (const folder of [NEXT, FORMER]) rmSync(folder, { recursive: true, force: true });
  // The build keeps the assets of those before it, for tabs that are open.
  if (existsSync('dist')) cpSync('dist', NEXT, { recursive: true, preserveTimestamps: true });
  const vite = ['node_modules/vite/bin/vite.js', 'build', '--outDir', NEXT, '--logLevel', 'warn'];
  inherit(nodePath(), vite, { NODE_ENV: 'production' });
  // The build may write the generated route tree, so the hash is taken again.
  writeFileSync(`${NEXT}/built-from`, hashOf(SOURCES));
  if (existsSync('dist')) renameSync('dist', FORMER);
  renameSync(NEXT, 'dist');
  rmSync(FORMER, { recursive: true, force: true });
} else if (process.env['npm_lifecycle_event'] === 'build') {
  console.log('The site is already built from these sources.');
}

/**
 * Runs a command that says itself what is wrong, and ends this process with its code when it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} environment added to that of this process
 */
function inherit(command, args, environment = {}) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
  if (status !== 0) process.exit(status ?? 1);
}

/** @param {string[]} paths */
function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesIn)) hash.update(`${path}\n`).update(readFileSync(path));
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} */
function filesIn(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}
