import { relationshipAmbiguous, relationshipNotFound } from '../rest-errors.ts';
import type { Relationship, SchemaCache } from '../schema/schema-cache.ts';
import { closestName } from './closest-name.ts';

/**
 * Returns the relationship of an embedded resource, by table, constraint or column name. A hint resolves ambiguity.
 * @throws ApiError PGRST200 if no relationship matches, PGRST201 if several match
 */
export function findRelationship(
  schema: SchemaCache,
  origin: string,
  target: string,
  hint: string | null,
): Relationship {
  const candidates = schema.relationships.get(origin) ?? [];
  const matches = candidates.filter((relationship) => isMatch(relationship, target, hint));
  const [first, ...otherMatches] = matches;
  if (!first) throw relationshipNotFound(schema.name, [origin, target], hint, suggestion(schema, origin, target));
  if (otherMatches.length === 0) return first;
  throw relationshipAmbiguous(origin, target, matches.map(describe), matches.map(alternative));
}

function isMatch(relationship: Relationship, target: string, hint: string | null): boolean {
  const { foreignTable, constraint, cardinality, columns, junction, isSelf, foreignIsView, computedBy } = relationship;
  if (computedBy !== null) return target === computedBy;
  const [localColumn, foreignColumn] = junction === null && columns.length === 1 ? (columns[0] ?? []) : [];
  // A self-referencing foreign key is two relationships. The table name selects the children, and the column name the
  // parent.
  if (isSelf && junction === null) {
    if (hint === null) {
      return target === foreignTable
        ? cardinality === 'one-to-many'
        : target === localColumn && cardinality === 'many-to-one';
    }
    return target === foreignTable && cardinality === 'one-to-many' && hint === foreignColumn;
  }
  if (hint === null) {
    if (target === foreignTable) return true;
    return junction === null && !foreignIsView && (target === constraint || target === localColumn);
  }
  if (target !== foreignTable) return false;
  return junction ? hint === junction.table.name : [constraint, localColumn, foreignColumn].includes(hint);
}

function suggestion(schema: SchemaCache, origin: string, target: string): string | null {
  const relationships = schema.relationships.get(origin);
  const name = relationships ? target : origin;
  const names = relationships ? relationships.map(({ foreignTable }) => foreignTable) : schema.relationships.keys();
  const closest = closestName(name, names);
  return closest === null ? null : `Perhaps you meant '${closest}' instead of '${name}'.`;
}

function describe({ table, foreignTable, cardinality, constraint, columns, junction }: Relationship): object {
  const list = (names: readonly (string | undefined)[]) => `(${names.join(', ')})`;
  return {
    cardinality,
    embedding: `${table} with ${foreignTable}`,
    relationship: junction
      ? `${junction.table.name} using ${constraint}${list(columns.map(([, column]) => column))} and ${junction.secondConstraint}${list(junction.columns.map(([column]) => column))}`
      : `${constraint} using ${table}${list(columns.map(([column]) => column))} and ${foreignTable}${list(columns.map(([, column]) => column))}`,
  };
}

function alternative({ foreignTable, constraint, junction }: Relationship): string {
  return `${foreignTable}!${junction ? junction.table.name : constraint}`;
}
