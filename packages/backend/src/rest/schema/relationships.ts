import type { Qualified, Relationship } from './schema-cache.ts';
import { columnKey } from './view-origins.ts';

export interface ForeignKey {
  name: string;
  /** Tables are identified by pg_class.oid, and columns by number. */
  table: string;
  foreignTable: string;
  columns: readonly string[];
  foreignColumns: readonly string[];
  /** True if a primary or unique key has exactly these columns, so that the relationship is one-to-one. */
  isUnique: boolean;
}

/** A table or view, with the data that relationships need. */
export interface Relation extends Qualified {
  id: string;
  isView: boolean;
  /** Column names by number. */
  columns: Readonly<Record<string, string>>;
  primaryKey: readonly string[];
}

/** A function whose only argument is a row of a table and whose result is rows of a table. */
export interface ComputedRelationship extends Qualified {
  table: string;
  foreignTable: string;
  isToOne: boolean;
}

export interface Origins {
  relations: ReadonlyMap<string, Relation>;
  /** Column names of each view, by source column (see `columnKey`). */
  views: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
}

/** One side of a foreign key: a table or view, and the names of the key columns in it. */
interface Side {
  relation: Relation;
  columns: readonly string[];
}

interface Key {
  name: string;
  local: Side;
  foreign: Side;
  isUnique: boolean;
}

/**
 * Returns all relationships between tables and views in `schema`, grouped by source table. A foreign key also relates
 * views that select its columns, on either side. A computed relationship replaces the foreign-key relationships to a
 * table with the same name.
 */
export function buildRelationships(
  schema: string,
  exposed: readonly string[],
  { keys, functions }: { keys: readonly Key[]; functions: readonly ComputedRelationship[] },
  relations: ReadonlyMap<string, Relation>,
): Map<string, Relationship[]> {
  const byTable = new Map<string, Relationship[]>();
  const add = (relationship: Relationship) => {
    const siblings = byTable.get(relationship.table);
    if (siblings) siblings.push(relationship);
    else byTable.set(relationship.table, [relationship]);
  };
  const isWithin = ({ local, foreign }: Pick<Key, 'local' | 'foreign'>) =>
    local.relation.schema === schema && foreign.relation.schema === schema;
  for (const key of keys.filter(isWithin)) {
    add(forwardRelationship(key));
    add(reverseRelationship(key));
  }
  for (const { first, second } of junctions(keys.filter(({ local }) => exposed.includes(local.relation.schema)))) {
    if (isWithin({ local: first.foreign, foreign: second.foreign })) add(junctionRelationship(first, second));
  }
  for (const relationship of functions) {
    const table = relations.get(relationship.table);
    const foreign = relations.get(relationship.foreignTable);
    if (relationship.schema !== schema || table?.schema !== schema || foreign?.schema !== schema) continue;
    const keptRelationships = (byTable.get(table.name) ?? []).filter(
      ({ foreignTable, computedBy }) => computedBy !== null || foreignTable !== relationship.name,
    );
    byTable.set(table.name, keptRelationships);
    add(fromFunction(relationship, table, foreign));
  }
  for (const relationships of byTable.values()) relationships.sort(compareRelationships);
  return byTable;
}

/** Returns the foreign keys between tables, and between views that select the key columns. */
export function resolveKeys(foreignKeys: readonly ForeignKey[], origins: Origins): Key[] {
  return foreignKeys.flatMap(({ name, isUnique, ...key }) => {
    const locals = listSides(key.table, key.columns, origins);
    const foreigns = listSides(key.foreignTable, key.foreignColumns, origins);
    return locals.flatMap((local) => foreigns.map((foreign) => ({ name, local, foreign, isUnique })));
  });
}

/**
 * Lists the table itself, and every view that selects all of these columns. A view that selects a column twice is
 * listed twice.
 */
export function listSides(table: string, columns: readonly string[], { relations, views }: Origins): Side[] {
  const sides: Side[] = [];
  const relation = relations.get(table);
  if (relation) sides.push({ relation, columns: columns.map((column) => relation.columns[column] ?? '') });
  for (const [id, viewColumns] of views) {
    const view = relations.get(id);
    const names = columns.map((column) => viewColumns.get(columnKey(table, column)) ?? []);
    if (view) sides.push(...combinations(names).map((combination) => ({ relation: view, columns: combination })));
  }
  return sides;
}

function combinations(choices: readonly (readonly string[])[]): string[][] {
  return choices.reduce<string[][]>(
    (prefixes, names) => prefixes.flatMap((prefix) => names.map((name) => [...prefix, name])),
    [[]],
  );
}

function forwardRelationship({ name, local, foreign, isUnique }: Key): Relationship {
  return {
    ...betweenTables(local, foreign),
    cardinality: isUnique ? 'one-to-one' : 'many-to-one',
    constraint: name,
    columns: pairs(local.columns, foreign.columns),
    ownsKey: true,
  };
}

function reverseRelationship({ name, local, foreign, isUnique }: Key): Relationship {
  return {
    ...betweenTables(foreign, local),
    cardinality: isUnique ? 'one-to-one' : 'one-to-many',
    constraint: name,
    columns: pairs(foreign.columns, local.columns),
  };
}

/** Returns the relationship across a join table: from the target of one foreign key to the target of another. */
function junctionRelationship(first: Key, second: Key): Relationship {
  const { schema, name } = first.local.relation;
  return {
    ...betweenTables(first.foreign, second.foreign),
    cardinality: 'many-to-many',
    constraint: first.name,
    columns: pairs(first.foreign.columns, first.local.columns),
    junction: {
      table: { schema, name },
      secondConstraint: second.name,
      columns: pairs(second.local.columns, second.foreign.columns),
    },
  };
}

function fromFunction({ name, isToOne }: ComputedRelationship, table: Relation, foreign: Relation): Relationship {
  return {
    ...betweenTables({ relation: table }, { relation: foreign }),
    cardinality: isToOne ? 'many-to-one' : 'one-to-many',
    constraint: '',
    columns: [],
    computedBy: name,
  };
}

function betweenTables(local: Pick<Side, 'relation'>, foreign: Pick<Side, 'relation'>) {
  return {
    table: local.relation.name,
    foreignTable: foreign.relation.name,
    junction: null,
    ownsKey: false,
    isSelf: local.relation.id === foreign.relation.id,
    foreignIsView: foreign.relation.isView,
    computedBy: null,
  };
}

function pairs(local: readonly string[], foreign: readonly string[]): [string, string][] {
  return local.map((column, index) => [column, foreign[index] ?? '']);
}

/**
 * Yields the pairs of foreign keys that make a table a join table. The primary key contains the columns of both foreign
 * keys, and neither foreign key is unique by itself.
 */
function* junctions(keys: readonly Key[]): Generator<{ first: Key; second: Key }> {
  const candidates = keys.filter(
    ({ local, isUnique }) => !isUnique && local.columns.every((column) => local.relation.primaryKey.includes(column)),
  );
  for (const first of candidates) {
    for (const second of candidates) {
      if (first.local.relation.id === second.local.relation.id && first.name !== second.name) yield { first, second };
    }
  }
}

const CARDINALITIES = ['one-to-many', 'many-to-one', 'one-to-one', 'many-to-many'];

/** Compares by the order in which PostgREST lists ambiguous candidates. */
function compareRelationships(a: Relationship, b: Relationship): number {
  const rank = ({ foreignTable, isSelf, cardinality, constraint, junction }: Relationship) =>
    [foreignTable, isSelf ? 1 : 0, CARDINALITIES.indexOf(cardinality), junction?.table.name, constraint].join('\0');
  return rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0;
}
