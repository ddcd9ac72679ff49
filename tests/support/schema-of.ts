import type { Queryable } from '../../packages/backend/src/database/database.ts';
import { describeSchema } from '../../scripts/schema/describe-schema.ts';

/**
 * Returns the whole schema as sorted lines: tables, columns, constraints, indexes, functions with their bodies,
 * triggers, policies, grants, registries and buckets. Databases with equal lines may only differ in owners.
 */
export async function schemaOf(database: Queryable): Promise<string[]> {
  const objects = await describeSchema(database);
  return objects.map(({ kind, name, definition }) => (kind === 'row' ? name : `${kind} ${name}: ${definition}`)).sort();
}
