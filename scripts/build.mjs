/**
 * `npm run build`: installs what is missing, and builds the site into dist/ unless it was built from the very same
 * sources. With --check-settings, as `npm start` runs it, a wrong setting is told before a build, which takes longer.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

install();
const sources = hashOf(SOURCES);
if (!existsSync('dist/server/server.js') || !existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== sources) {
  if (process.argv.includes('--check-settings')) inherit(nodePath(), ['scripts/check-settings.ts']);
  console.log('Building the site ...');
  // A build that fails leaves files that belong to no sources.
  rmSync(STAMP, { force: true });
  inherit(nodePath(), ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], { NODE_ENV: 'production' });
  // The build may write the generated route tree, so the hash is taken again.
  writeFileSync(STAMP, hashOf(SOURCES));
} else if (process.env['npm_lifecycle_event'] === 'build') {
  console.log('The site is built from these sources already.');
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
