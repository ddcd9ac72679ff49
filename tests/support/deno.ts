import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = '2.9.6';
const FOLDER = join(import.meta.dirname, '../../node_modules/.deno');

/**
 * Returns the Deno to test with, from npm; installed when it is missing. It is not in package.json, because everybody
 * who starts the site would then load its 90 MB.
 */
export function requireDeno(): string {
  const path = join(FOLDER, VERSION, 'node_modules/.bin/deno');
  if (existsSync(path)) return path;
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...options, '--prefix', join(FOLDER, VERSION), `deno@${VERSION}`], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`Deno ${VERSION} could not be installed from npm.`);
  return path;
}
