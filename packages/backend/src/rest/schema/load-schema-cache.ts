import type { Database } from '../../database/database.ts';
import {
  buildRelationships,
  type ComputedRelationship,
  type ForeignKey,
  listSides,
  type Origins,
  type Relation,
  resolveKeys,
} from './relationships.ts';
import type { Column, Parameter, Qualified, RestFunction, SchemaCache, Table } from './schema-cache.ts';
import { type View, viewOrigins } from './view-origins.ts';

/** Views in these schemas are also resolved, like those in PostgREST's extra search path. */
const EXTRA_SEARCH_PATH = ['public', 'extensions'];

/** Loads the cache of the schema `public`. */
export async function loadSchemaCache(database: Database): Promise<SchemaCache> {
  const cache = (await loadSchemaCaches(database, ['public'])).get('public');
  if (!cache) throw new Error('The schema public could not be read');
  return cache;
}

/** Rows of the catalog queries. */
type Catalog = [
  unknown,
  TableRow,
  RestFunction & Qualified,
  Relation,
  View,
  PrimaryKey,
  ForeignKey,
  ComputedRelationship,
  Qualified,
];

/** Reads the exposed schemas from the catalog, in one transaction. @returns a cache for each, by name */
export async function loadSchemaCaches(
  database: Database,
  schemas: readonly string[],
): Promise<ReadonlyMap<string, SchemaCache>> {
  const [, tables, functions, relations, views, primaryKeys, foreignKeys, computedRelationships, computed] =
    await database.batch<Catalog>([
      // With an empty search path, Postgres formats types with their schema.
      { text: `select set_config('search_path', '', true)` },
      { text: SELECT_TABLES, values: [schemas] },
      { text: SELECT_FUNCTIONS, values: [schemas] },
      { text: SELECT_RELATIONS },
      { text: SELECT_VIEWS, values: [[...schemas, ...EXTRA_SEARCH_PATH]] },
      { text: SELECT_PRIMARY_KEYS },
      { text: SELECT_FOREIGN_KEYS },
      { text: SELECT_COMPUTED_RELATIONSHIPS, values: [schemas] },
      { text: SELECT_COMPUTED, values: [schemas] },
    ]);
  const origins: Origins = {
    relations: new Map(relations.rows.map((row) => [row.id, { ...row, primaryKey: [] }])),
    views: viewOrigins(views.rows),
  };
  const originsWithKeys = {
    relations: withPrimaryKeys(origins, primaryKeys.rows),
    views: origins.views,
  };
  const relationshipSources = {
    keys: resolveKeys(foreignKeys.rows, originsWithKeys),
    functions: computedRelationships.rows,
  };
  const buildCache = (name: string): SchemaCache => ({
    name,
    tables: buildTables(
      tables.rows.filter(({ schema }) => schema === name),
      originsWithKeys.relations,
    ),
    relationships: buildRelationships(name, schemas, relationshipSources, originsWithKeys.relations),
    functions: groupFunctions(functions.rows.filter(({ schema }) => schema === name)),
    computed: new Set(computed.rows.filter(({ schema }) => schema === name).map((row) => row.name)),
  });
  return new Map(schemas.map((name) => [name, buildCache(name)]));
}

interface TableRow extends Omit<Table, 'columns' | 'primaryKey'> {
  id: string;
  columns: Omit<Column, 'indexedLanguages'>[];
  /** Indexed expressions for full-text search, as SQL. */
  searchIndexes: string[];
}

interface PrimaryKey {
  table: string;
  columns: string[];
}

/** Gives each view the primary keys of the tables whose key columns it selects. */
function withPrimaryKeys(origins: Origins, primaryKeys: readonly PrimaryKey[]): Map<string, Relation> {
  const relations = new Map(origins.relations);
  for (const { table, columns } of primaryKeys) {
    const relationIds = new Set<string>();
    for (const side of listSides(table, columns, origins)) {
      const relation = relations.get(side.relation.id);
      // If a view selects a column twice, use the first.
      if (!relation || relationIds.has(relation.id)) continue;
      relationIds.add(relation.id);
      relations.set(relation.id, { ...relation, primaryKey: [...relation.primaryKey, ...side.columns] });
    }
  }
  return relations;
}

function buildTables(rows: readonly TableRow[], relations: ReadonlyMap<string, Relation>): Map<string, Table> {
  return new Map(
    rows.map(({ id, columns, searchIndexes, ...table }) => [
      table.name,
      {
        ...table,
        columns: new Map(
          columns.map((column) => [
            column.name,
            { ...column, indexedLanguages: listSearchLanguages(column.name, searchIndexes) },
          ]),
        ),
        primaryKey: relations.get(id)?.primaryKey ?? [],
      },
    ]),
  );
}

/**
 * Returns the text search configurations of indexed expressions on the column, such as
 * `to_tsvector('english'::regconfig, title)`.
 */
function listSearchLanguages(column: string, searchIndexes: readonly string[]): string[] {
  return searchIndexes.flatMap((expression) => {
    const { configuration, operand } = DOCUMENT.exec(expression)?.groups ?? {};
    const isColumn = operand !== undefined && unquote(operand.replace(/^\((.+)\)::text$/, '$1')) === column;
    return isColumn && configuration !== undefined ? [configuration] : [];
  });
}

const DOCUMENT = /^to_tsvector\('(?<configuration>\w+)'::regconfig, (?<operand>.+)\)$/;

function unquote(identifier: string): string {
  return identifier.startsWith('"') ? identifier.slice(1, -1).replaceAll('""', '"') : identifier;
}

function groupFunctions(rows: readonly RestFunction[]): Map<string, RestFunction[]> {
  const byName = new Map<string, RestFunction[]>();
  for (const row of rows) byName.set(row.name, [...(byName.get(row.name) ?? []), row]);
  for (const overloads of byName.values()) overloads.sort(compareParameters);
  return byName;
}

/** Orders overloads as PostgREST does: by number of parameters, then by their names and types. */
function compareParameters({ parameters: a }: RestFunction, { parameters: b }: RestFunction): number {
  const text = ({ name, type }: Parameter) => `${name}\0${type}`;
  const [left, right] = [a.map(text).join('\0'), b.map(text).join('\0')];
  return a.length - b.length || (left < right ? -1 : left > right ? 1 : 0);
}

/**
 * Query for tables and views. Search indexes of tables with row-level security are ignored, because Postgres checks the
 * policies before the search and then parses the text of each visible row.
 */
const SELECT_TABLES = `
  select c.oid::text as id, n.nspname as schema, c.relname as name,
    c.relkind in ('v', 'm') as "isView",
    pg_relation_is_updatable(c.oid, true) & 8 = 8 as "isInsertable",
    pg_relation_is_updatable(c.oid, true) & 4 = 4 as "isUpdatable",
    coalesce((
      select json_agg(json_build_object(
        'name', a.attname,
        'type', format_type(a.atttypid, a.atttypmod),
        'baseType', format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null),
        'defaultSql', case when a.attidentity = 'd'
            then format('nextval(%L)', pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname))
            else pg_get_expr(d.adbin, d.adrelid) end,
        'nullable', not (a.attnotnull or (t.typtype = 'd' and t.typnotnull)),
        'isGenerated', a.attgenerated <> '' or a.attidentity = 'a',
        'isDocument', c.relkind <> 'v' and coalesce(nullif(t.typbasetype, 0), t.oid) = 'tsvector'::regtype,
        'enumValues', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
      ) order by a.attnum)
      from pg_attribute a
      join pg_type t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ), '[]') as columns,
    coalesce((
      select json_agg(pg_get_indexdef(i.indexrelid, place, false))
      from pg_index i
      join pg_class ic on ic.oid = i.indexrelid
      join pg_am m on m.oid = ic.relam and m.amname in ('gin', 'gist')
      cross join generate_series(1, i.indnkeyatts) as place
      where i.indrelid = c.oid and i.indexprs is not null and i.indpred is null and i.indisvalid
        and not c.relrowsecurity
    ), '[]') as "searchIndexes"
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
  order by c.relname`;

/** Relationships may use foreign keys of schemas that are not exposed, so all except the system schemas are read. */
const NOT_SYSTEM = `n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)'`;

const SELECT_RELATIONS = `
  select c.oid::text as id, n.nspname as schema, c.relname as name, c.relkind in ('v', 'm') as "isView",
    coalesce((
      select json_object_agg(a.attnum, a.attname)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ), '{}') as columns
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'v', 'm', 'f', 'p') and ${NOT_SYSTEM}`;

const SELECT_VIEWS = `
  select c.oid::text as id, r.ev_action::text as tree,
    (select json_object_agg(a.attnum, a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0) as columns
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
  where c.relkind in ('v', 'm') and n.nspname = any($1)
  order by n.nspname, c.relname`;

const SELECT_PRIMARY_KEYS = `
  select k.conrelid::text as "table", to_json(k.conkey::text[]) as columns
  from pg_constraint k
  join pg_namespace n on n.oid = k.connamespace
  where k.contype = 'p' and ${NOT_SYSTEM}
  order by k.conrelid`;

const SELECT_FOREIGN_KEYS = `
  select k.conname as name, k.conrelid::text as "table", k.confrelid::text as "foreignTable",
    to_json(k.conkey::text[]) as columns, to_json(k.confkey::text[]) as "foreignColumns",
    exists (
      select from pg_constraint u
      where u.conrelid = k.conrelid and u.contype in ('p', 'u') and u.conkey <@ k.conkey and k.conkey <@ u.conkey
    ) as "isUnique"
  from pg_constraint k
  join pg_namespace n on n.oid = k.connamespace
  where k.contype = 'f' and k.conparentid = 0 and ${NOT_SYSTEM}
  order by k.conrelid, k.conname`;

/** A function that returns one row, or is not set-returning, is a to-one relationship. */
const SELECT_COMPUTED_RELATIONSHIPS = `
  select n.nspname as schema, p.proname as name, a.oid::text as "table", r.oid::text as "foreignTable",
    not p.proretset or p.prorows = 1 as "isToOne"
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_class a on a.reltype = p.proargtypes[0] and a.relkind in ('r', 'v', 'm', 'f', 'p')
  join pg_class r on r.reltype = p.prorettype and r.relkind in ('r', 'v', 'm', 'f', 'p')
  where p.pronargs = 1 and p.prokind = 'f' and n.nspname = any($1)
  order by p.proname`;

const SELECT_COMPUTED = `
  select distinct n.nspname as schema, p.proname as name
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_class c on c.reltype = p.proargtypes[0] and c.relkind in ('r', 'v', 'm', 'f', 'p')
  where p.pronargs = 1 and p.proargnames is null and p.prokind = 'f' and n.nspname = any($1)`;

/**
 * A function with TABLE or OUT parameters returns rows, even with a single column. Trigger functions are excluded,
 * because they cannot be called. Functions with unnamed parameters are also excluded, unless they have a single
 * parameter that accepts the whole body.
 */
const SELECT_FUNCTIONS = `
  select n.nspname as schema, p.proname as name,
    p.provolatile = 'v' as "isVolatile",
    p.proretset as "returnsSet",
    case when p.prorettype = 'void'::regtype then 'void'
      when t.typtype = 'c' or p.prorettype = 'record'::regtype
        or coalesce(p.proargmodes::text[] && '{t,b,o}', false) then 'row'
      else 'scalar' end as returns,
    format_type(p.prorettype, null) as "returnType",
    (select c.relname from pg_class c
      where c.oid = t.typrelid and c.relnamespace = p.pronamespace and c.relkind <> 'c') as "returnTable",
    coalesce((
      select json_agg(json_build_object('name', u.name, 'type', format_type(u.type, null)) order by u.place)
      from unnest(p.proallargtypes, p.proargnames, p.proargmodes::text[]) with ordinality as u (type, name, mode, place)
      where u.mode in ('o', 'b', 't')
    ), '[]') as columns,
    coalesce((
      select json_agg(json_build_object(
        'name', coalesce(a.name, ''),
        'type', format_type(a.type, null),
        'isRequired', a.position <= p.pronargs - p.pronargdefaults,
        'isVariadic', a.mode = 'v'
      ) order by a.position)
      from (
        select name, type, mode, row_number() over (order by place) as position
        from unnest(
          coalesce(p.proallargtypes, p.proargtypes::oid[]),
          p.proargnames,
          coalesce(p.proargmodes::text[], array_fill('i'::text, array[p.pronargs::int]))
        ) with ordinality as u (type, name, mode, place)
        where mode in ('i', 'b', 'v')
      ) a
    ), '[]') as parameters
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_type t on t.oid = p.prorettype
  where n.nspname = any($1) and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
    and (p.pronargs = 0 or p.proargnames is not null or p.pronargs = 1 and p.proargtypes[0] in (
      'json'::regtype, 'jsonb'::regtype, 'text'::regtype, 'bytea'::regtype, 'xml'::regtype))
  order by p.proname, p.oid`;
