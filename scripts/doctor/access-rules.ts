/**
 * Reads the access rules of a database, one line for each policy, privilege, function and bucket. Databases with the
 * same rules have the same lines.
 */
import type { Queryable } from '@signalfjord/backend';

const SCHEMAS = `('public', 'private', 'storage', 'auth', 'backend')`;
const API_ROLES = `('anon', 'authenticated', 'service_role')`;

/** Privileges of the API roles and of PUBLIC. */
const privilegesIn = (acl: string) =>
  `aclexplode(${acl}) as entry left join pg_roles as grantee on grantee.oid = entry.grantee
   where (entry.grantee = 0 or grantee.rolname in ${API_ROLES})`;

const belongsToExtension = (table: string, oid: string) =>
  `exists (select from pg_depend where classid = '${table}'::regclass and objid = ${oid} and deptype = 'e')`;

/** Postgres formats policy expressions differently in each major version. */
const rulesSql = (withExpressions: boolean) => `
  select format('row level security of %I.%I is %s', nspname, relname, case when relrowsecurity then 'on' else 'off' end) as line
  from pg_class join pg_namespace n on n.oid = relnamespace
  where nspname in ${SCHEMAS} and relkind in ('r', 'p') and not ${belongsToExtension('pg_class', 'pg_class.oid')}
  union all
  select format('policy %I on %I.%I: %s %s for %s${withExpressions ? ', using %s, check %s' : ''}', policyname, schemaname, tablename,
    lower(permissive), lower(cmd), array_to_string(array(select unnest(roles) order by 1), ', ')
    ${withExpressions ? `, coalesce(qual, '-'), coalesce(with_check, '-')` : ''})
  from pg_policies where schemaname in ${SCHEMAS}
  union all
  select format('%s may %s %I.%I', coalesce(grantee.rolname, 'everyone'), lower(entry.privilege_type), nspname, relname)
  from pg_class join pg_namespace n on n.oid = relnamespace, ${privilegesIn(`relacl`)}
    and nspname in ${SCHEMAS} and relkind in ('r', 'p', 'v', 'm') and entry.privilege_type <> 'MAINTAIN'
    and not ${belongsToExtension('pg_class', 'pg_class.oid')}
  union all
  select format('%s may %s %I.%I (%I)', coalesce(grantee.rolname, 'everyone'), lower(entry.privilege_type), nspname, relname, attname)
  from pg_attribute join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace, ${privilegesIn(`attacl`)}
    and nspname in ${SCHEMAS} and not attisdropped
  union all
  select format('%s may call %s.%s', coalesce(grantee.rolname, 'everyone'), nspname, called)
  from (select p.*, nspname, proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as called
    from pg_proc p join pg_namespace n on n.oid = pronamespace
    where nspname in ${SCHEMAS} and not ${belongsToExtension('pg_proc', 'p.oid')}) as p,
    ${privilegesIn(`coalesce(proacl, acldefault('f', proowner))`)}
  union all
  select format('function %s.%s(%s) runs as its %s, with %s, and is %s', nspname, proname, pg_get_function_identity_arguments(p.oid),
    case when prosecdef then 'owner' else 'caller' end, coalesce(array_to_string(proconfig, ', '), 'no settings'),
    md5(replace(prosrc, E'\\r', '')))
  from pg_proc p join pg_namespace n on n.oid = pronamespace
  where nspname in ${SCHEMAS} and not ${belongsToExtension('pg_proc', 'p.oid')}
  union all
  select format('trigger %I on %I.%I is %s', tgname, nspname, relname, case tgenabled when 'D' then 'off' else 'on' end)
  from pg_trigger join pg_class c on c.oid = tgrelid join pg_namespace n on n.oid = relnamespace
  where nspname in ${SCHEMAS} and not tgisinternal
  union all
  select format('bucket %I is %s', id, case when public then 'public' else 'private' end) from storage.buckets
  union all
  select format('%s may %s in schema %I', coalesce(grantee.rolname, 'everyone'), lower(entry.privilege_type), nspname)
  from pg_namespace, ${privilegesIn('nspacl')} and nspname in ${SCHEMAS}
  union all
  select format('%I bypasses policies', rolname) from pg_roles where rolname in ('anon', 'authenticated') and (rolbypassrls or rolsuper)
  order by 1`;

export async function readAccessRules(database: Queryable, withExpressions: boolean): Promise<Set<string>> {
  const sql = rulesSql(withExpressions);
  const { rows } = await database.query<{ line: string }>(sql);
  return new Set(rows.map(({ line }) => line));
}
