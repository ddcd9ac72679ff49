/** Reads what the test runners wrote about their runs, as JSON. Runs on the Node of the host, like scripts/test.mjs. */
import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{ passed: number, failed: string[], skipped: number }} Results `failed` holds the names.
 */

/**
 * Reads the results of a run of vitest (`testResults`) or Playwright (`suites`); none when the run ended before it
 * wrote any.
 * @param {string} file
 * @returns {Results}
 */
export function readResults(file) {
  const results = { passed: 0, failed: /** @type {string[]} */ ([]), skipped: 0 };
  if (!existsSync(file)) return results;
  const report = JSON.parse(readFileSync(file, 'utf8'));
  for (const { name, status } of report.testResults ? vitestTests(report) : playwrightTests(report.suites ?? [], [])) {
    if (status === 'passed') results.passed += 1;
    else if (status === 'skipped') results.skipped += 1;
    else results.failed.push(name);
  }
  return results;
}

/**
 * @param {import('vitest/node').JsonTestResults} report
 * @returns {{ name: string, status: string }[]}
 */
function vitestTests({ testResults }) {
  return testResults.flatMap(({ name: file, status, assertionResults }) => {
    const path = file.replace(`${process.cwd()}/`, '');
    // A file that could not be loaded has no tests, and must not count as none.
    if (status === 'failed' && assertionResults.length === 0) return [{ name: path, status }];
    return assertionResults.map((test) => ({
      name: `${path} > ${test.fullName}`,
      status: ['pending', 'skipped', 'todo', 'disabled'].includes(test.status) ? 'skipped' : test.status,
    }));
  });
}

/**
 * @param {import('@playwright/test/reporter').JSONReportSuite[]} suites
 * @param {string[]} parents titles of the suites around them
 * @returns {{ name: string, status: string }[]}
 */
function playwrightTests(suites, parents) {
  return suites.flatMap((suite) => {
    const path = [...parents, suite.title];
    const own = (suite.specs ?? []).flatMap(({ title, tests }) =>
      tests.map(({ status }) => ({
        name: [...path, title].join(' > '),
        // `expected` is Playwright's word for a test that ended as it should.
        status: status === 'expected' ? 'passed' : status,
      })),
    );
    return [...own, ...playwrightTests(suite.suites ?? [], path)];
  });
}
