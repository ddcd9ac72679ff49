import type { Qualified, Relationship } from './schema-cache.ts';
import { columnKey } from './view-origins.ts';

export interface ForeignKey {
  name: string;
  /** Tables by pg_class.oid, columns by number. */
  table: string;
  foreignTable: string;
  columns: readonly string[];
  foreignColumns: readonly string[];
  /** A primary or unique key on exactly these columns makes it one-to-one. */
  isUnique: boolean;
}

/** A table or view, with the data that relationships need. */
export interface Relation extends Qualified {
  id: string;
  isView: boolean;
  /** Names by number. */
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
  /** Source columns of each view, by columnKey. */
  views: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
}

/** A relation with all columns of one side of a foreign key, and their names there. */
interface Side {
  relation: Relation;
  columns: readonly string[];
}

interface Key {
  name: string;
  own: Side;
  foreign: Side;
  isUnique: boolean;
}

/**
 * Returns all relationships between tables and views of `schema`, by their source. A foreign key also relates views
 * that select its columns, on either side. A computed relationship replaces the relationships to the table that has its
 * name.
 */
export function buildRelationships(
  schema: string,
  exposed: readonly string[],
  { keys, functions }: { keys: readonly Key[]; functions: readonly ComputedRelationship[] },
  relations: ReadonlyMap<string, Relation>,
): Map<string, Relationship[]> {
  const byTable = new Map<string, Relationship[]>();
  const add = (relationship: Relationship) => {
    const known = byTable.get(relationship.table);
    if (known) known.push(relationship);
    else byTable.set(relationship.table, [relationship]);
  };
  const isWithin = ({ own, foreign }: Pick<Key, 'own' | 'foreign'>) =>
    own.relation.schema === schema && foreign.relation.schema === schema;
  for (const key of keys.filter(isWithin)) {
    add(outward(key));
    add(inward(key));
  }
  for (const { first, second } of junctions(keys.filter(({ own }) => exposed.includes(own.relation.schema)))) {
    if (isWithin({ own: first.foreign, foreign: second.foreign })) add(across(first, second));
  }
  for (const relationship of functions) {
    const table = relations.get(relationship.table);
    const foreign = relations.get(relationship.foreignTable);
    if (relationship.schema !== schema || table?.schema !== schema || foreign?.schema !== schema) continue;
    const others = (byTable.get(table.name) ?? []).filter(
      ({ foreignTable, computedBy }) => computedBy !== null || foreignTable !== relationship.name,
    );
    byTable.set(table.name, others);
    add(computed(relationship, table, foreign));
  }
  for (const relationships of byTable.values()) relationships.sort(inOrder);
  return byTable;
}

/** Yields the keys between tables, and between their views. */
export function keysOf(foreignKeys: readonly ForeignKey[], origins: Origins): Key[] {
  return foreignKeys.flatMap((key) => {
    const owns = sidesOf(key.table, key.columns, origins);
    const foreigns = sidesOf(key.foreignTable, key.foreignColumns, origins);
    return owns.flatMap((own) => foreigns.map((foreign) => ({ name: key.name, own, foreign, isUnique: key.isUnique })));
  });
}

/**
 * Lists the table itself, and every view that selects all of these columns. A view that selects a column twice is
 * listed twice.
 */
export function sidesOf(table: string, columns: readonly string[], { relations, views }: Origins): Side[] {
  const sides: Side[] = [];
  const relation = relations.get(table);
  if (relation) sides.push({ relation, columns: columns.map((column) => relation.columns[column] ?? '') });
  for (const [id, shown] of views) {
    const view = relations.get(id);
    const names = columns.map((column) => shown.get(columnKey(table, column)) ?? []);
    if (view) sides.push(...combinations(names).map((combination) => ({ relation: view, columns: combination })));
  }
  return sides;
}

function combinations(choices: readonly (readonly string[])[]): string[][] {
  return choices.reduce<string[][]>(
    (made, names) => made.flatMap((before) => names.map((name) => [...before, name])),
    [[]],
  );
}

function outward({ name, own, foreign, isUnique }: Key): Relationship {
  return {
    ...betweenTables(own, foreign),
    cardinality: isUnique ? 'one-to-one' : 'many-to-one',
    constraint: name,
    columns: pairs(own.columns, foreign.columns),
    ownsKey: true,
  };
}

function inward({ name, own, foreign, isUnique }: Key): Relationship {
  return {
    ...betweenTables(foreign, own),
    cardinality: isUnique ? 'one-to-one' : 'one-to-many',
    constraint: name,
    columns: pairs(foreign.columns, own.columns),
  };
}

/** Returns the relationship across a join table: from the target of one of its foreign keys to that of another. */
function across(first: Key, second: Key): Relationship {
  const { schema, name } = first.own.relation;
  return {
    ...betweenTables(first.foreign, second.foreign),
    cardinality: 'many-to-many',
    constraint: first.name,
    columns: pairs(first.foreign.columns, first.own.columns),
    junction: {
      table: { schema, name },
      secondConstraint: second.name,
      columns: pairs(second.own.columns, second.foreign.columns),
    },
  };
}

function computed({ name, isToOne }: ComputedRelationship, table: Relation, foreign: Relation): Relationship {
  return {
    ...betweenTables({ relation: table }, { relation: foreign }),
    cardinality: isToOne ? 'many-to-one' : 'one-to-many',
    constraint: '',
    columns: [],
    computedBy: name,
  };
}

function betweenTables(own: Pick<Side, 'relation'>, foreign: Pick<Side, 'relation'>) {
  return {
    table: own.relation.name,
    foreignTable: foreign.relation.name,
    junction: null,
    ownsKey: false,
    isSelf: own.relation.id === foreign.relation.id,
    foreignIsView: foreign.relation.isView,
    computedBy: null,
  };
}

function pairs(own: readonly string[], other: readonly string[]): [string, string][] {
  return own.map((column, index) => [column, other[index] ?? '']);
}

/**
 * Yields join tables: the primary key contains the columns of both foreign keys, and neither foreign key is unique by
 * itself.
 */
function* junctions(keys: readonly Key[]): Generator<{ first: Key; second: Key }> {
  const candidates = keys.filter(
    ({ own, isUnique }) => !isUnique && own.columns.every((column) => own.relation.primaryKey.includes(column)),
  );
  for (const first of candidates) {
    for (const second of candidates) {
      if (first.own.relation.id === second.own.relation.id && first.name !== second.name) yield { first, second };
    }
  }
}

const CARDINALITIES = ['one-to-many', 'many-to-one', 'one-to-one', 'many-to-many'];

/** Compares by the order in which PostgREST lists ambiguous candidates. */
function inOrder(a: Relationship, b: Relationship): number {
  const rank = ({ foreignTable, isSelf, cardinality, constraint, junction }: Relationship) =>
    [foreignTable, isSelf ? 1 : 0, CARDINALITIES.indexOf(cardinality), junction?.table.name, constraint].join('\0');
  return rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0;
}
