/**
 * `npm test`: runs all checks and tests, fastest first. Every stage runs and is reported, even after a failure. Only
 * the browser tests need the build.
 *
 * `npm test -- --changed` runs the check and the tests affected by uncommitted changes, or by changes since a commit
 * (`--changed=main`).
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCodeOf, install, nodePath } from './install.mjs';
import { readResults } from './test-results.mjs';

/** Peak memory of the tests, mostly databases, plus a third. */
const MEMORY_BYTES = 6e9;

const MIGRATION_TESTS = ['tests/policies', 'tests/attacks/access.test.ts', 'tests/api/database-types.test.ts'];

install({ forTests: true });
const folder = mkdtempSync(join(memoryFolder() ?? tmpdir(), 'signalfjord-test-run-'));
// Postgres runs under another account if this process is root.
chmodSync(folder, 0o711);
process.env['TMPDIR'] = folder;
const startedAt = Date.now();

const changedOption = process.argv.find((argument) => /^--changed(=|$)/.test(argument));
const stages = changedOption ? testChanged(changedOption) : testAll();
rmSync(folder, { recursive: true });
report();

function testAll() {
  const build = stage('Build', () => exitCodeOf(nodePath(), ['scripts/build.mjs']));
  return [
    build,
    stage('Check', () => exitCodeOf('npm', ['run', '--silent', 'check'])),
    stage('Unit and API', (json) => vitest(json)),
    build.hasFailed
      ? { name: 'Browser', outcome: 'not run, because the build failed', hasFailed: true, ...readResults('') }
      : stage('Browser', (json) =>
          exitCodeOf('playwright', ['test', '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: json }),
        ),
  ];
}

/** @param {string} option in vitest's format */
function testChanged(option) {
  const stages = [
    stage('Check', () => exitCodeOf('npm', ['run', '--silent', 'check'])),
    stage('Unit and API tests of changed files', (json) => vitest(json, [option, '--passWithNoTests'])),
  ];
  // Modules do not import migrations, so affected tests cannot be found.
  if (hasChangedSql(option.split('=')[1] ?? 'HEAD')) {
    stages.push(stage('Policies and schema', (json) => vitest(json, MIGRATION_TESTS)));
  }
  return stages;
}

/** @param {string} commit to compare the working tree with */
function hasChangedSql(commit) {
  const changedFiles = [
    ['diff', '--name-only', commit],
    ['ls-files', '--others', '--exclude-standard'],
  ].map((options) => execFileSync('git', options, { encoding: 'utf8' }));
  return /\.sql$/m.test(changedFiles.join('\n'));
}

/**
 * Runs one stage. `work` returns an exit code and may write test results to the given JSON file.
 * @param {string} name
 * @param {(json: string) => number} work
 */
function stage(name, work) {
  console.log(`\n=== ${name}`);
  const start = Date.now();
  const json = join(folder, `${name}.json`);
  const hasFailed = work(json) !== 0;
  return {
    name,
    outcome: `${hasFailed ? 'FAILED' : 'passed'} after ${duration(start)}`,
    hasFailed,
    ...readResults(json),
  };
}

/** @param {string} json @param {string[]} options */
function vitest(json, options = []) {
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${json}`];
  return exitCodeOf('vitest', ['run', ...reports, ...options]);
}

/** Creates a temporary folder in memory for databases with thousands of short-lived files, if there is enough room. */
function memoryFolder() {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return undefined;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > MEMORY_BYTES ? memory : undefined;
}

/** Prints the result of every stage and the total count of tests. */
function report() {
  console.log(`\n=== All stages, ${duration(startedAt)}`);
  for (const { name, outcome, passed, failed, skipped } of stages) {
    const counts = passed + failed.length + skipped > 0 ? `, ${countLine(passed, failed.length, skipped)}` : '';
    console.log(`${name}: ${outcome}${counts}`);
    for (const { name, reason } of failed) console.log(`  failed: ${name}\n${reason.replaceAll(/^/gm, '    ')}`);
  }
  // A failed stage without a failed test, such as the build, counts as one failure.
  const failedCount = stages.reduce((sum, result) => sum + Math.max(result.failed.length, result.hasFailed ? 1 : 0), 0);
  const passedCount = stages.reduce((sum, result) => sum + result.passed, 0);
  const skipped = stages.reduce((sum, result) => sum + result.skipped, 0);
  console.log(`\n${countLine(passedCount, failedCount, skipped)}`);
  process.exitCode = stages.some((result) => result.hasFailed) ? 1 : 0;
}

/** @param {number} passed @param {number} failed @param {number} skipped */
function countLine(passed, failed, skipped) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Formats the elapsed time in minutes and seconds. @param {number} start in milliseconds */
function duration(start) {
  const seconds = Math.round((Date.now() - start) / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
