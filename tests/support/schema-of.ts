import type { Queryable } from '../../packages/backend/src/database/database.ts';

/** Schemas that Postgres itself keeps. */
const OWN_SCHEMA = `nspname !~ '^pg_' and nspname <> 'information_schema'`;

/** Condition in SQL that the thing came with an extension. */
const OF_EXTENSION = (catalog: string) =>
  `exists (select from pg_depend where classid = '${catalog}'::regclass and objid = o.oid and deptype = 'e')`;

const GRANTS = (acl: string, owner: string, kind: string) => `(
  select coalesce(string_agg(granted, ', ' order by granted), '') from (
    select distinct case grantee when 0 then 'public' when ${owner} then 'owner' else grantee::regrole::text end || ' ' || privilege_type as granted
    from aclexplode(coalesce(${acl}, acldefault('${kind}', ${owner})))
  ) grants
)`;

const LINES = `
  select 'schema ' || nspname || ': ' || ${GRANTS('nspacl', 'nspowner', 'n')} from pg_namespace o where ${OWN_SCHEMA}
  union all
  select format('%s %I.%I rls=%s forced=%s options=%s: %s%s', relkind, nspname, relname, relrowsecurity, relforcerowsecurity, reloptions,
    ${GRANTS('relacl', 'relowner', 'r')}, case when relkind in ('v', 'm') then e'\\n' || pg_get_viewdef(o.oid) else '' end)
  from pg_class o join pg_namespace n on n.oid = relnamespace
  where ${OWN_SCHEMA} and relkind in ('r', 'p', 'v', 'm', 'S') and not ${OF_EXTENSION('pg_class')}
  union all
  select format('column %I.%I.%I %s not null=%s identity=%s generated=%s default=%s grants=%s', nspname, relname, attname,
    format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid),
    ${GRANTS('attacl', 'relowner', 'c')})
  from pg_attribute a join pg_class o on o.oid = attrelid join pg_namespace n on n.oid = relnamespace
    left join pg_attrdef d on adrelid = attrelid and adnum = attnum
  where ${OWN_SCHEMA} and relkind in ('r', 'p', 'v') and attnum > 0 and not attisdropped and not ${OF_EXTENSION('pg_class')}
  union all
  select format('constraint %s %I %s', conrelid::regclass, conname, pg_get_constraintdef(o.oid))
  from pg_constraint o join pg_namespace n on n.oid = connamespace where ${OWN_SCHEMA} and contype <> 'n'
  union all
  select indexdef from pg_indexes where schemaname !~ '^pg_'
  union all
  select format('function %s by %s: %s', pg_get_functiondef(o.oid),
    case proowner when current_user::regrole then 'owner' else proowner::regrole::text end, ${GRANTS('proacl', 'proowner', 'f')})
  from pg_proc o join pg_namespace n on n.oid = pronamespace
  where ${OWN_SCHEMA} and prokind in ('f', 'p') and not ${OF_EXTENSION('pg_proc')}
  union all
  select pg_get_triggerdef(o.oid) || ' ' || tgenabled::text from pg_trigger o where not tgisinternal
  union all
  select format('policy %I.%I %I %s %s for %s using %s check %s', schemaname, tablename, policyname, permissive, roles, cmd, qual, with_check)
  from pg_policies
  union all
  select format('enum %I.%I: %s', nspname, typname, (select string_agg(enumlabel, ', ' order by enumsortorder) from pg_enum where enumtypid = o.oid))
  from pg_type o join pg_namespace n on n.oid = typnamespace where ${OWN_SCHEMA} and typtype = 'e'
  union all
  select format('default privileges %s %s: %s', defaclnamespace::regnamespace, defaclobjtype,
    (select string_agg(acl, ' ' order by acl) from (select replace(unnest(defaclacl)::text, defaclrole::regrole::text, 'owner') as acl) acls)) from pg_default_acl
  union all
  select format('bucket %s public=%s limit=%s types=%s', id, public, file_size_limit, allowed_mime_types) from storage.buckets
`;

/**
 * Returns the whole schema as sorted lines: tables, columns, constraints, indexes, functions with their bodies,
 * triggers, policies, grants, and the buckets. Two databases are alike when these are equal; their owners do not count.
 */
export async function schemaOf(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ line: string }>(`select line from (${LINES}) lines (line)`);
  return rows.map(({ line }) => line).sort();
}
