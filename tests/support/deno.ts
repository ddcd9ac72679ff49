import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = '2.9.6';
const FOLDER = join(import.meta.dirname, '../../node_modules/.deno');

/**
 * Returns the Deno to test with, installed from npm if missing. It is not in package.json, because every site would
 * then download its 90 MB.
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
