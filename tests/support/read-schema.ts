import type { Queryable } from '../../packages/backend/src/database/database.ts';
import { describeSchema } from '../../scripts/schema/describe-schema.ts';

/**
 * Returns every object of the schema as a sorted list of lines, including function bodies, grants, registries and
 * buckets. Databases with equal lists can differ only in owners.
 */
export async function readSchema(database: Queryable): Promise<string[]> {
  const objects = await describeSchema(database);
  return objects.map(({ kind, name, definition }) => (kind === 'row' ? name : `${kind} ${name}: ${definition}`)).sort();
}
