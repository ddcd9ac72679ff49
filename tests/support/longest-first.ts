import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that take much longer than their size tells, by which vitest orders what it has not run yet. One that begins last
 * has a core to itself while the other idles.
 */
const LONG = [
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
  // It measures how long a visitor waits, so that nothing should be built beside it.
  'attacks/all-lanes',
  'api/campaign-events',
  'policies/client-reports',
  'api/failover',
  'api/hosted-project',
  'attacks/access-faults',
  'attacks/rest-deadline',
  'attacks/clients-apart',
  'attacks/access',
  'attacks/accounts-unproven',
];

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((name) => moduleId.includes(`/tests/${name}.test.`));
  return place < 0 ? LONG.length : place;
}

/** Begins with the long tests in their order, and goes on as vitest would. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
