import type { Relationship, Table } from './schema-cache.ts';

export interface ForeignKey {
  name: string;
  table: string;
  foreignTable: string;
  /** [own column, foreign column] */
  columns: [string, string][];
  /** A unique key on exactly these columns makes it one-to-one. */
  isUnique: boolean;
}

/** Every relationship that the foreign keys allow, by the table it starts from. */
export function buildRelationships(
  tables: ReadonlyMap<string, Table>,
  foreignKeys: readonly ForeignKey[],
): Map<string, Relationship[]> {
  const byTable = new Map<string, Relationship[]>();
  const add = (relationship: Relationship) => {
    const known = byTable.get(relationship.table);
    if (known) known.push(relationship);
    else byTable.set(relationship.table, [relationship]);
  };
  for (const key of foreignKeys) {
    add(outward(key));
    add(inward(key));
  }
  for (const { first, second } of junctions(tables, foreignKeys)) {
    add({
      table: first.foreignTable,
      foreignTable: second.foreignTable,
      cardinality: 'many-to-many',
      constraint: first.name,
      columns: first.columns.map(([own, foreign]) => [foreign, own]),
      junction: { table: first.table, secondConstraint: second.name, columns: second.columns },
      ownsKey: false,
      isSelf: first.foreignTable === second.foreignTable,
    });
  }
  return byTable;
}

function outward(key: ForeignKey): Relationship {
  return {
    table: key.table,
    foreignTable: key.foreignTable,
    cardinality: key.isUnique ? 'one-to-one' : 'many-to-one',
    constraint: key.name,
    columns: key.columns,
    junction: null,
    ownsKey: true,
    isSelf: key.table === key.foreignTable,
  };
}

function inward(key: ForeignKey): Relationship {
  return {
    table: key.foreignTable,
    foreignTable: key.table,
    cardinality: key.isUnique ? 'one-to-one' : 'one-to-many',
    constraint: key.name,
    columns: key.columns.map(([own, foreign]) => [foreign, own]),
    junction: null,
    ownsKey: false,
    isSelf: key.table === key.foreignTable,
  };
}

/** A join table's primary key holds the columns of both foreign keys. */
function* junctions(
  tables: ReadonlyMap<string, Table>,
  foreignKeys: readonly ForeignKey[],
): Generator<{ first: ForeignKey; second: ForeignKey }> {
  for (const first of foreignKeys) {
    for (const second of foreignKeys) {
      if (first === second || first.table !== second.table) continue;
      const primaryKey = tables.get(first.table)?.primaryKey ?? [];
      const columns = [...first.columns, ...second.columns].map(([own]) => own);
      if (columns.every((column) => primaryKey.includes(column))) yield { first, second };
    }
  }
}
