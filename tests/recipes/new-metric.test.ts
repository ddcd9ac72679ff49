/** Adds a metric in a copy of the sources. tests/recipes/new-parts.test.ts follows the whole recipe. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copySources, type RecipeCopy } from '../support/recipe-copy.ts';
import { METRIC_EDITS, metricEdit } from './metric-edits.ts';

let copy: RecipeCopy;
beforeAll(async () => {
  copy = await copySources(['app', 'packages', 'scripts', 'supabase', 'package.json', 'tsconfig.json']);
  await copy.add(metricEdit(true));
});
afterAll(() => copy.remove());

test('The compiler reports every file that a metric with a goal must change', async () => {
  const output = await copy.check(['app', 'supabase/functions']).then(
    () => '',
    ({ message }: Error) => message,
  );
  const reportedFiles = new Set([...output.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file = '']) => file));
  const usesGoals = [
    'app/clients/client-document.ts',
    'app/clients/figures/client-progress.tsx',
    'app/clients/figures/figure-weeks.tsx',
    'app/portal/client-dashboard/client-report.tsx',
  ];
  expect(reportedFiles).toEqual(new Set([...usesGoals, ...METRIC_EDITS.map(([file]) => file)]));
});
