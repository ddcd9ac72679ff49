import type { Database } from '../../database/database.ts';
import { buildRelationships, type ForeignKey } from './relationships.ts';
import type { Column, RestFunction, SchemaCache, Table } from './schema-cache.ts';

/** Reads the schema `public` from the catalog, in one transaction. */
export async function loadSchemaCache(database: Database): Promise<SchemaCache> {
  const [tables, foreignKeys, functions] = await database.batch([
    { text: SELECT_TABLES },
    { text: SELECT_FOREIGN_KEYS },
    { text: SELECT_FUNCTIONS },
  ]);
  const tableMap = new Map<string, Table>();
  for (const row of (tables?.rows ?? []) as unknown as TableRow[]) {
    tableMap.set(row.name, { ...row, columns: new Map(row.columns.map((column) => [column.name, column])) });
  }
  const functionMap = new Map<string, RestFunction[]>();
  for (const row of (functions?.rows ?? []) as unknown as RestFunction[]) {
    functionMap.set(row.name, [...(functionMap.get(row.name) ?? []), row]);
  }
  return {
    tables: tableMap,
    relationships: buildRelationships(tableMap, (foreignKeys?.rows ?? []) as unknown as ForeignKey[]),
    functions: functionMap,
  };
}

interface TableRow extends Omit<Table, 'columns'> {
  columns: Column[];
}

const SELECT_TABLES = `
  select c.relname as name,
    c.relkind in ('v', 'm') as "isView",
    pg_relation_is_updatable(c.oid, true) & 8 = 8 as "isInsertable",
    pg_relation_is_updatable(c.oid, true) & 4 = 4 as "isUpdatable",
    coalesce((
      select json_agg(a.attname order by array_position(k.conkey, a.attnum))
      from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
      where k.conrelid = c.oid and k.contype = 'p'
    ), '[]') as "primaryKey",
    coalesce((
      select json_agg(json_build_object(
        'name', a.attname,
        'type', format_type(a.atttypid, a.atttypmod),
        'baseType', format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null),
        'defaultSql', case when a.attidentity = 'd'
            then format('nextval(%L)', pg_get_serial_sequence(format('%I.%I', 'public', c.relname), a.attname))
            else pg_get_expr(d.adbin, d.adrelid) end,
        'nullable', not (a.attnotnull or (t.typtype = 'd' and t.typnotnull)),
        'isGenerated', a.attgenerated <> '' or a.attidentity = 'a',
        
        'enumValues', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
      ) order by a.attnum)
      from pg_attribute a
      join pg_type t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ), '[]') as columns
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
  order by c.relname`;

const SELECT_FOREIGN_KEYS = `
  select k.conname as name, c.relname as "table", f.relname as "foreignTable",
    (
      select json_agg(json_build_array(a.attname, b.attname) order by p.position)
      from unnest(k.conkey, k.confkey) with ordinality as p (own, other, position)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.own
      join pg_attribute b on b.attrelid = k.confrelid and b.attnum = p.other
    ) as columns,
    exists (
      select from pg_index i
      where i.indrelid = k.conrelid and i.indisunique and i.indpred is null and i.indexprs is null
        and i.indkey::int2[] <@ k.conkey and k.conkey <@ i.indkey::int2[]
    ) as "isUnique"
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_class f on f.oid = k.confrelid
  where k.contype = 'f' and k.conparentid = 0
    and c.relnamespace = 'public'::regnamespace and f.relnamespace = 'public'::regnamespace
  order by c.relname, k.conname`;

/** A function with table or out parameters returns rows, even of one column. Trigger functions cannot be called. */
const SELECT_FUNCTIONS = `
  select p.proname as name,
    p.provolatile = 'v' as "isVolatile",
    p.proretset as "returnsSet",
    case when p.prorettype = 'void'::regtype then 'void'
      when t.typtype = 'c' or p.prorettype = 'record'::regtype
        or coalesce(p.proargmodes::text[] && '{t,b,o}', false) then 'row'
      else 'scalar' end as returns,
    format_type(p.prorettype, null) as "returnType",
    (select c.relname from pg_class c
      where c.oid = t.typrelid and c.relnamespace = 'public'::regnamespace and c.relkind <> 'c') as "returnTable",
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
  join pg_type t on t.oid = p.prorettype
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
  order by p.proname, p.oid`;
