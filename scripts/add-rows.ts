import type { Database, Transaction } from '@signalfjord/backend';
import { type ArchiveTable, listTables, quote, tableSql } from '@signalfjord/backend/commands';

/** Values that most check constraints accept, by the prefix of the column type. */
const VALUES: readonly [type: RegExp, value: string][] = [
  [/\[\]$/, `'{}'`],
  [/^uuid/, 'gen_random_uuid()'],
  [/^(text|character|name|citext)/, `'kept'`],
  [/^(bigint|integer|smallint|numeric|real|double)/, '1'],
  [/^boolean/, 'true'],
  [/^timestamp/, `'2026-11-22 12:00:00.123456+00'`],
  [/^date/, `'2026-11-22'`],
  [/^time/, `'12:00'`],
  [/^interval/, `'1 day'`],
  [/^jsonb?$/, `'{"kept": true}'`],
  [/^bytea/, `'\\x00ff'`],
  [/^inet/, `'192.0.2.1'`],
  [/^tstzrange/, `'[2026-11-22 12:00+00,2026-11-22 12:30+00)'`],
  [/^tsvector/, `'kept:1A'`],
];

/** Values of columns with stricter constraints, by table and column. The first match wins. */
const COLUMN_VALUES: readonly [column: RegExp, value: string][] = [
  [/\.(ends_at|last_day|expires_at)$/, `'2026-11-22 14:00+00'`],
  [
    /(_url|_uri|\.discovery_url|booking_calendars\.address|custom_oauth_providers\.issuer)$/,
    `'https://example.com/kept'`,
  ],
  [/hash$/, `repeat('a0', 32)`],
  [/\.phone$/, `'+47 90000000'`],
  [/\.must_name$/, `'{kept}'`],
  [/page_content\.content_type$/, `'json'`],
  [/(bookings\.cancelled_by|release_changes\.base)$/, 'null'],
];

/** Adds a row to each empty table. @returns the tables that are still empty */
export async function addRows(database: Database): Promise<string[]> {
  const tables = await database.transaction((tx) => listTables(tx, false));
  let empty: ArchiveTable[] = [];
  for (const table of tables) {
    const { rows } = await database.query<{ has_rows: boolean }>(
      `select exists (select from ${tableSql(table)}) as has_rows`,
    );
    if (!rows[0]?.has_rows) empty.push(table);
  }
  // Repeat until no row can be added, because a row may reference a row of a later table.
  for (let previousCount = -1; previousCount !== empty.length; ) {
    previousCount = empty.length;
    const remaining: ArchiveTable[] = [];
    for (const table of empty) {
      const isAdded = await database
        .transaction((tx) => addRow(tx, table))
        .then(
          () => true,
          () => false,
        );
      if (!isAdded) remaining.push(table);
    }
    empty = remaining;
  }
  return empty.map(({ schema, name }) => `${schema}.${name}`);
}

async function addRow(tx: Transaction, table: ArchiveTable): Promise<void> {
  await tx.query('set local session_replication_role = replica');
  const allowedValues = await firstAllowedValues(tx, table);
  const references = await foreignKeyTargets(tx, table);
  const assignments: [column: string, value: string][] = [];
  for (const { name, type } of table.columns) {
    const reference = references.get(name);
    const value =
      (reference ? `(select ${reference})` : undefined) ??
      COLUMN_VALUES.find(([column]) => column.test(`${table.name}.${name}`))?.[1] ??
      allowedValues.get(name) ??
      VALUES.find(([kind]) => kind.test(type))?.[1] ??
      `(select (enum_range(null::${type}))[1])`;
    assignments.push([quote(name), value]);
  }
  const columns = assignments.map(([column]) => column).join(', ');
  const values = assignments.map(([, value]) => value).join(', ');
  await tx.query(`insert into ${tableSql(table)} (${columns}) overriding system value values (${values})`);
  if (references.size === 0) return;
  for (const [column, reference] of references) {
    const { rows } = await tx.query<{ is_found: boolean }>(`select (select ${reference}) is not null as is_found`);
    if (!rows[0]?.is_found) throw new Error(`${column} references a table without rows`);
  }
}

/** Returns the first allowed value of each column with a fixed set of values. */
async function firstAllowedValues(tx: Transaction, table: ArchiveTable): Promise<Map<string, string>> {
  const { rows } = await tx.query<{ rule: string }>(
    `select pg_get_constraintdef(oid) as rule from pg_constraint where contype = 'c' and conrelid = $1::regclass`,
    [tableSql(table)],
  );
  const matches = rows.map(({ rule }) => /\(\(?"?(\w+)"?\)?(?:::text)? = ANY \(+ARRAY\[('[^']*')/.exec(rule));
  return new Map(matches.flatMap((match) => (match?.[1] && match[2] ? [[match[1], match[2]] as const] : [])));
}

/**
 * Returns the referenced column of each foreign key column. If a column belongs to two keys, the key with more columns wins.
 */
async function foreignKeyTargets(tx: Transaction, table: ArchiveTable): Promise<Map<string, string>> {
  const { rows } = await tx.query<{ column: string; source: string }>(
    `select a.attname as column, format('%I from %s limit 1', f.attname, confrelid::regclass) as source
     from pg_constraint cross join generate_subscripts(conkey, 1) as at
       join pg_attribute a on a.attrelid = conrelid and a.attnum = conkey[at]
       join pg_attribute f on f.attrelid = confrelid and f.attnum = confkey[at]
     where contype = 'f' and conrelid = $1::regclass and confrelid <> conrelid
     order by cardinality(conkey)`,
    [tableSql(table)],
  );
  return new Map(rows.map(({ column, source }) => [column, source]));
}
