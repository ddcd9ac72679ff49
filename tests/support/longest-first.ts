import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that take much longer than their size tells, by which vitest orders what it has not run yet. One that begins last
 * has a core to itself while the other idles.
 */
const LONG = [
  'faults/faults',
  'attacks/all-lanes',
  'recipes/new-parts',
  'recipes/new-kind',
  'api/campaign-events',
  'api/point-in-time',
  'api/backup-beside',
  'api/rest-fuzz',
  'api/copies',
  'api/failover',
  'api/hosted-project',
  'attacks/access',
  'attacks/access-faults',
  'attacks/rest-deadline',
  'attacks/clients-apart',
  'policies/client-reports',
  'attacks/accounts-unproven',
];

const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.includes(`/tests/${name}.test.`));

/** Begins with the long tests, and goes on as vitest would. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
