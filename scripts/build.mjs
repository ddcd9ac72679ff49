/** `npm run build`: installs what is missing, and builds the site into dist/ unless it was built from the very same sources. */
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
  console.log('Building the site ...');
  // A build that fails leaves files that belong to no sources.
  rmSync(STAMP, { force: true });
  const built = spawnSync(nodePath(), ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (built.status !== 0) process.exit(built.status ?? 1);
  // The build may write the generated route tree, so the hash is taken again.
  writeFileSync(STAMP, hashOf(SOURCES));
} else if (process.env['npm_lifecycle_event'] === 'build') {
  console.log('The site is built from these sources already.');
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
