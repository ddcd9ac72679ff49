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
  const all = schema.relationships.get(origin) ?? [];
  const found = all.filter((relationship) => isMeant(relationship, target, hint));
  const [first, ...others] = found;
  if (!first) throw relationshipNotFound(schema.name, [origin, target], hint, suggestion(schema, origin, target));
  if (others.length === 0) return first;
  throw relationshipAmbiguous(origin, target, found.map(describe), found.map(alternative));
}

function isMeant(relationship: Relationship, target: string, hint: string | null): boolean {
  const { foreignTable, constraint, cardinality, columns, junction, isSelf, foreignIsView, computedBy } = relationship;
  if (computedBy !== null) return target === computedBy;
  const [ownColumn, foreignColumn] = junction === null && columns.length === 1 ? (columns[0] ?? []) : [];
  // A foreign key from a table to itself is two relationships: the table's name means the children, the column's the
  // parent.
  if (isSelf && junction === null) {
    if (hint === null) {
      return target === foreignTable
        ? cardinality === 'one-to-many'
        : target === ownColumn && cardinality === 'many-to-one';
    }
    return target === foreignTable && cardinality === 'one-to-many' && hint === foreignColumn;
  }
  if (hint === null) {
    if (target === foreignTable) return true;
    return junction === null && !foreignIsView && (target === constraint || target === ownColumn);
  }
  if (target !== foreignTable) return false;
  return junction ? hint === junction.table.name : hint === constraint || hint === ownColumn || hint === foreignColumn;
}

function suggestion(schema: SchemaCache, origin: string, target: string): string | null {
  const known = schema.relationships.get(origin);
  const given = known ? target : origin;
  const names = known ? known.map(({ foreignTable }) => foreignTable) : schema.relationships.keys();
  const closest = closestName(given, names);
  return closest === null ? null : `Perhaps you meant '${closest}' instead of '${given}'.`;
}

function describe({ table, foreignTable, cardinality, constraint, columns, junction }: Relationship): object {
  const list = (names: readonly (string | undefined)[]) => `(${names.join(', ')})`;
  return {
    cardinality,
    embedding: `${table} with ${foreignTable}`,
    relationship: junction
      ? `${junction.table.name} using ${constraint}${list(columns.map(([, own]) => own))} and ${junction.secondConstraint}${list(junction.columns.map(([own]) => own))}`
      : `${constraint} using ${table}${list(columns.map(([own]) => own))} and ${foreignTable}${list(columns.map(([, foreign]) => foreign))}`,
  };
}

function alternative({ foreignTable, constraint, junction }: Relationship): string {
  return `${foreignTable}!${junction ? junction.table.name : constraint}`;
}
