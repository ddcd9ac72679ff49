import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readResults } from './test-results.mjs';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-results-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function resultsOf(report: unknown) {
  const file = join(folder, `${crypto.randomUUID()}.json`);
  await writeFile(file, JSON.stringify(report));
  return readResults(file);
}

test("vitest's report is counted, and a file that could not be loaded counts as failed", async () => {
  const file = (name: string, status: string, tests: Record<string, string>) => ({
    name: join(process.cwd(), name),
    status,
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
  });
  const testResults = [
    file('a.test.ts', 'failed', { 'It holds': 'passed', 'It does not': 'failed', 'It may': 'skipped' }),
    file('b.test.ts', 'failed', {}),
    file('c.test.ts', 'passed', { 'It holds, too': 'passed' }),
  ];
  expect(await resultsOf({ testResults })).toEqual({
    passed: 2,
    failed: ['a.test.ts > It does not', 'b.test.ts'],
    skipped: 1,
  });
});

test("Playwright's report is counted through nested suites, and a test that passed at a second try has failed", async () => {
  const spec = (title: string, status: string) => ({ title, tests: [{ status }] });
  const suites = [
    {
      title: 'a.spec.ts',
      specs: [spec('It holds', 'expected'), spec('It wavers', 'flaky')],
      suites: [{ title: 'on a phone', specs: [spec('It does not', 'unexpected'), spec('It may', 'skipped')] }],
    },
  ];
  expect(await resultsOf({ suites })).toEqual({
    passed: 1,
    failed: ['a.spec.ts > It wavers', 'a.spec.ts > on a phone > It does not'],
    skipped: 1,
  });
});

test('A run that ended before it wrote a report has no results', () => {
  expect(readResults(join(folder, 'missing.json'))).toEqual({ passed: 0, failed: [], skipped: 0 });
});
