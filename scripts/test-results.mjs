/** Reads the JSON results of the test runners. Runs on the host's Node, like scripts/test.mjs. */
import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * @typedef {{ name: string, status: string, reason: string }} Test `reason` is '' for a passed test.
 * @typedef {{ passed: number, failed: Pick<Test, 'name' | 'reason'>[], skipped: number }} Results
 */

/**
 * Reads the results of vitest (`testResults`) or Playwright (`suites`). Empty if the run ended before writing any.
 * @param {string} file
 * @returns {Results}
 */
export function readResults(file) {
  const results = { passed: 0, failed: /** @type {Results['failed']} */ ([]), skipped: 0 };
  if (!existsSync(file)) return results;
  const report = JSON.parse(readFileSync(file, 'utf8'));
  for (const { name, status, reason } of report.testResults
    ? vitestTests(report)
    : playwrightTests(report.suites ?? [], [])) {
    if (status === 'passed') results.passed += 1;
    else if (status === 'skipped') results.skipped += 1;
    else results.failed.push({ name, reason });
  }
  return results;
}

/**
 * @param {import('vitest/node').JsonTestResults} report
 * @returns {Test[]}
 */
function vitestTests({ testResults }) {
  return testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const path = file.replace(`${process.cwd()}/`, '');
    const tests = assertionResults.map((test) => ({
      name: `${path} > ${test.fullName}`,
      status: ['pending', 'skipped', 'todo', 'disabled'].includes(test.status) ? 'skipped' : test.status,
      reason: firstLines(test.failureMessages?.join('\n')),
    }));
    // A file that could not be loaded, or whose hooks failed, has no failed test, but must count as a failure.
    const hasFailedOutsideTests = status === 'failed' && !tests.some((test) => test.status === 'failed');
    return hasFailedOutsideTests ? [...tests, { name: path, status, reason: firstLines(message) }] : tests;
  });
}

/**
 * @param {import('@playwright/test/reporter').JSONReportSuite[]} suites
 * @param {string[]} parents titles of the enclosing suites
 * @returns {Test[]}
 */
function playwrightTests(suites, parents) {
  return suites.flatMap((suite) => {
    const path = [...parents, suite.title];
    const tests = (suite.specs ?? []).flatMap(({ title, tests }) =>
      tests.map(({ status, results }) => ({
        name: [...path, title].join(' > '),
        // Playwright reports a passed test as `expected`.
        status: status === 'expected' ? 'passed' : status,
        reason: firstLines(results.flatMap(({ errors }) => errors.map(({ message }) => message)).join('\n')),
      })),
    );
    return [...tests, ...playwrightTests(suite.suites ?? [], path)];
  });
}

/** Returns the first lines of an error without colours and library frames. @param {string} message */
function firstLines(message = '') {
  const lines = stripVTControlCharacters(message).split('\n');
  const relevant = lines.filter((line) => line.trim() && !/^ +at .*(node_modules|node:)/.test(line));
  return relevant.slice(0, 12).join('\n').slice(0, 2000);
}
