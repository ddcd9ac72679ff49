import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that take much longer than their file size suggests. Vitest orders new files by size, and a long test that
 * starts last keeps one core busy while the others are idle.
 */
const SLOW_TEST_FILES = [
  'faults/faults',
  'recipes/new-parts',
  'recipes/new-kind',
  'api/server-process',
  'api/moving',
  'api/crash',
  'attacks/pages',
  'attacks/archives',
  'api/rest-fuzz',
  'api/copies',
  // The next file measures response times, so no build should run at the same time.
  'attacks/all-lanes',
  'api/campaign-events',
  'policies/client-reports',
  'api/failover',
  'api/hosted-project',
  'attacks/access-faults',
  'attacks/rest-deadline',
  'attacks/client-isolation',
  'attacks/access',
  'attacks/accounts-unconfirmed',
];

function findOrder({ moduleId }: TestSpecification): number {
  const index = SLOW_TEST_FILES.findIndex((name) => moduleId.includes(`/tests/${name}.test.`));
  return index < 0 ? SLOW_TEST_FILES.length : index;
}

/** Starts with the long tests in this order, and continues in vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => findOrder(a) - findOrder(b));
  }
}
