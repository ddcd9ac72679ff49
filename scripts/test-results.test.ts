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

test("A file that could not be loaded, or whose hooks failed, counts as failed in vitest's report", async () => {
  const file = (name: string, status: string, tests: Record<string, string>) => ({
    name: join(process.cwd(), name),
    status,
    message: status === 'failed' ? 'It does not load' : '',
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({
      fullName,
      status,
      failureMessages:
        status === 'failed'
          ? ['Error: expected 1 to be 2\n    at file:///node_modules/vitest/a.js:1:1\n    at /site/a.test.ts:3:5']
          : [],
    })),
  });
  const testResults = [
    file('a.test.ts', 'failed', { 'It holds': 'passed', 'It does not': 'failed', 'It may': 'skipped' }),
    file('b.test.ts', 'failed', {}),
    file('c.test.ts', 'passed', { 'It holds, too': 'passed' }),
    file('d.test.ts', 'failed', { 'It waits for a hook': 'skipped' }),
  ];
  expect(await resultsOf({ testResults })).toEqual({
    passed: 2,
    failed: [
      { name: 'a.test.ts > It does not', reason: 'Error: expected 1 to be 2\n    at /site/a.test.ts:3:5' },
      { name: 'b.test.ts', reason: 'It does not load' },
      { name: 'd.test.ts', reason: 'It does not load' },
    ],
    skipped: 2,
  });
});

test("Nested suites of Playwright's report are counted, and a test that passed only on retry counts as failed", async () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    title,
    tests: [{ status, results: messages.map((message) => ({ errors: [{ message }] })) }],
  });
  const suites = [
    {
      title: 'a.spec.ts',
      specs: [spec('It holds', 'expected'), spec('It wavers', 'flaky', '\u001b[31mNot there\u001b[39m', '')],
      suites: [
        {
          title: 'on a phone',
          specs: [spec('It does not', 'unexpected', 'One\n\nTwo', 'Three'), spec('It may', 'skipped')],
        },
      ],
    },
  ];
  expect(await resultsOf({ suites })).toEqual({
    passed: 1,
    failed: [
      { name: 'a.spec.ts > It wavers', reason: 'Not there' },
      { name: 'a.spec.ts > on a phone > It does not', reason: 'One\nTwo\nThree' },
    ],
    skipped: 1,
  });
});

test('A run without a report has no results', () => {
  expect(readResults(join(folder, 'missing.json'))).toEqual({ passed: 0, failed: [], skipped: 0 });
});
