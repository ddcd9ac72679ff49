/** `npm run check`: runs all static checks in parallel and prints the output of failed checks. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { install, nodePath } from './install.mjs';

install({ forTests: true });

const NODE = nodePath();
/**
 * Each compiler worker parses shared types again: four need 25 s of CPU time, one needs 17 s. The other checks need
 * cores too.
 */
const CHECKERS = String(Math.ceil(availableParallelism() / 2));
/** Tests contain foreign and misspelt words on purpose. */
const SPELL_CHECKED_FILES = [
  '{app,packages/backend/src,server,scripts,supabase,docs}/**/*.{ts,tsx,mjs,sql,md,css}',
  '*.md',
];
const CHECKS = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '--noEmit', '--checkers', CHECKERS, '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/tsc.json'],
  ['knip'],
  [NODE, 'scripts/check-boundaries.ts'],
  [NODE, 'scripts/check-licences.ts'],
  [NODE, 'scripts/check-english.ts'],
  ['cspell', '--no-progress', '--no-summary', ...SPELL_CHECKED_FILES],
  [NODE, 'scripts/check-sizes.ts'],
  [NODE, 'scripts/check-text-nodes.ts'],
  [NODE, 'scripts/migrations.ts', 'check'],
];

/** @param {readonly string[]} command @returns {Promise<boolean>} true if the check passed */
function passes([program = '', ...parameters]) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
    /** @type {Buffer[]} */
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => output.push(text));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) process.stderr.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

const results = await Promise.all(CHECKS.map(passes));
process.exit(results.every(Boolean) ? 0 : 1);
