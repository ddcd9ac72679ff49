/**
 * What `npm start`, `npm run dev` and `npm test` have in common. They are run by the Node of the host (20 or newer),
 * perhaps before anything is installed, so this needs no package; what they start runs on the Node of node_modules.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));

const LOCK = 'package-lock.json';
/** A copy of the lock file that node_modules was installed from. */
const INSTALLED = 'node_modules/.last-lock';

/** Node 24, once installed. */
export const NODE = join(process.cwd(), 'node_modules/node/bin/node');

/** Runs `npm ci` unless node_modules is what the lock file says. Ends the process when that fails. */
export function install() {
  if (existsSync(NODE) && existsSync(INSTALLED) && readFileSync(INSTALLED).equals(readFileSync(LOCK))) return;
  console.log('Installing dependencies ...');
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']);
  copyFileSync(LOCK, INSTALLED);
}

/**
 * Runs a command to its end, and ends this process with its code when it fails.
 * @param {string} command
 * @param {string[]} args
 */
export function run(command, args) {
  const code = exitCodeOf(command, args);
  if (code !== 0) process.exit(code);
}

/**
 * Runs a command to its end and returns its exit code; one that could not be started or was killed counts as 1. Says
 * how it failed.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} environment added to that of this process
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
