import type { Database } from '../../packages/backend/src/database/database.ts';
import { openCopy } from '../../packages/backend/tests/support/test-database.ts';

export { openEmptyDatabase } from '../../packages/backend/tests/support/test-database.ts';

/** Template database with all migrations of the site and without rows. */
export const MIGRATED = 'template_signalfjord';

/** Opens a fresh copy of the migrated database. */
export function openTestDatabase(): Promise<Database> {
  return openCopy(MIGRATED);
}
