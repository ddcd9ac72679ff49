/**
 * The present schema in order of reading: what all migrations together have made of the schemas `public` and `private`, as
 * a folder for each noun with a file for each table and one for the functions. Nothing runs these files.
 */
import type { Queryable } from '@signalfjord/backend';
import { NOUN_NAMES, nounOf } from './nouns.ts';

const OWN = `nspname in ('public', 'private')`;

/** Grantees of an access list with what they may do, as 'select to anon, authenticated', without the owner. */
const grantsOf = (acl: string, kind: string, owner: string) => `coalesce((
  select json_agg(format('%s to %s', privileges, grantees) order by grantees) from (
    select privileges, string_agg(grantee, ', ' order by grantee) as grantees from (
      select case grantee when 0 then 'public' else grantee::regrole::text end as grantee,
        string_agg(lower(privilege_type), ', ' order by privilege_type) as privileges
      from aclexplode(coalesce(${acl}, acldefault('${kind}', ${owner}))) where grantee <> ${owner} group by grantee
    ) of_grantee group by privileges
  ) of_privileges
), '[]')`;

const TABLES = `
  select nspname as schema, relname as name, relkind::text as kind, relrowsecurity as "hasPolicies",
    case when relkind = 'v' then pg_get_viewdef(c.oid, true) end as definition,
    obj_description(c.oid, 'pg_class') as comment,
    ${grantsOf('relacl', 'r', 'relowner')} as grants,
    coalesce((select json_agg(format('%I %s%s%s%s', attname, format_type(atttypid, atttypmod),
        case when attidentity <> '' then ' generated always as identity' when attgenerated <> ''
          then format(' generated always as (%s) stored', pg_get_expr(adbin, adrelid))
          when adbin is not null then ' default ' || pg_get_expr(adbin, adrelid) else '' end,
        case when attnotnull then ' not null' else '' end,
        case when attacl is not null then '  -- ' || array_to_string(array(select format('%s to %s', lower(privilege_type), grantee::regrole)
          from aclexplode(attacl) where grantee <> relowner order by 1), ', ') else '' end) order by attnum)
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = c.oid and attnum > 0 and not attisdropped), '[]') as columns,
    coalesce((select json_agg(format('constraint %I %s', conname, pg_get_constraintdef(oid, true)) order by contype <> 'p', conname)
      from pg_constraint where conrelid = c.oid and contype in ('p', 'u', 'f', 'c', 'x')), '[]') as constraints,
    coalesce((select json_agg(pg_get_indexdef(indexrelid) order by indexrelid::regclass::text) from pg_index
      where indrelid = c.oid and not exists (select from pg_constraint where conindid = indexrelid)), '[]') as indexes,
    coalesce((select json_agg(json_build_object('name', policyname, 'command', cmd, 'permissive', permissive,
        'roles', array_to_string(roles, ', '), 'using', qual, 'check', with_check) order by cmd, policyname)
      from pg_policies p where p.schemaname = nspname and p.tablename = relname), '[]') as policies,
    coalesce((select json_agg(pg_get_triggerdef(t.oid, true) order by (tgtype & 2) = 0, (tgtype & 1) = 0, tgname)
      from pg_trigger t where tgrelid = c.oid and not tgisinternal), '[]') as triggers
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where ${OWN} and relkind in ('r', 'v')
  order by nspname desc, relname`;

const FUNCTIONS = `
  select nspname as schema, proname as name, pg_get_functiondef(p.oid) as definition,
    ${grantsOf('proacl', 'f', 'proowner')} as grants
  from pg_proc p join pg_namespace n on n.oid = pronamespace
  where ${OWN} and prokind in ('f', 'p')
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
  order by nspname desc, proname, pg_get_function_identity_arguments(p.oid)`;

interface Policy {
  name: string;
  command: string;
  permissive: string;
  roles: string;
  using: string | null;
  check: string | null;
}

interface TableRow {
  schema: string;
  name: string;
  kind: string;
  hasPolicies: boolean;
  definition: string | null;
  comment: string | null;
  grants: string[];
  columns: string[];
  constraints: string[];
  indexes: string[];
  policies: Policy[];
  triggers: string[];
}

interface FunctionRow {
  schema: string;
  name: string;
  definition: string;
  grants: string[];
}

/** Writes the files by their paths in supabase/schema, the list of them (README.md) included. */
export async function schemaFiles(database: Queryable): Promise<Map<string, string>> {
  const { rows: tables } = await database.query<TableRow>(TABLES);
  const { rows: functions } = await database.query<FunctionRow>(FUNCTIONS);
  const { rows: kinds } = await database.query<{ name: string }>(
    'select table_name as name from private.content_kinds',
  );
  const isOf =
    (noun: string) =>
    ({ name }: { name: string }) =>
      (kinds.some((kind) => kind.name === name) ? 'content' : nounOf(name)) === noun;
  const files = new Map<string, string>();
  const chapters: string[] = [];
  for (const noun of NOUN_NAMES) {
    const ownTables = tables.filter(isOf(noun));
    const ownFunctions = functions.filter(isOf(noun));
    for (const table of ownTables) files.set(pathOf(noun, table), tableText(table));
    if (ownFunctions.length > 0) files.set(`${noun}/functions.sql`, ownFunctions.map(functionText).join('\n'));
    chapters.push(chapterOf(noun, ownTables, ownFunctions));
  }
  return files.set('README.md', readme(chapters));
}

function pathOf(noun: string, { schema, name }: TableRow): string {
  return `${noun}/${schema === 'public' ? '' : `${schema}.`}${name}.sql`;
}

function tableText(table: TableRow): string {
  const { schema, name, kind, definition, columns, constraints, indexes, hasPolicies, policies, triggers, grants } =
    table;
  const named = `${schema}.${name}`;
  const parts = [
    kind === 'v'
      ? `create view ${named} as\n${definition}`
      : `create table ${named} (\n${withCommas([...columns, ...constraints]).join('\n')}\n);`,
    ...statements(indexes),
    ...statements(grants.map((grant) => `grant ${grant.replace(' to ', ` on ${named} to `)}`)),
    hasPolicies ? `alter table ${named} enable row level security;` : '-- Without row level security.',
    ...policies.map((policy) => policyText(named, policy)),
    triggers.length > 0 ? `-- Triggers, in the order in which they fire.\n${statements(triggers).join('\n')}` : '',
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** Lines of a list; a comment at the end of one stays behind its comma. */
function withCommas(lines: readonly string[]): string[] {
  return lines.map((line, index) => {
    const [text = '', comment] = line.split('  -- ');
    return `  ${text}${index < lines.length - 1 ? ',' : ''}${comment ? `  -- ${comment}` : ''}`;
  });
}

function statements(lines: readonly string[]): string[] {
  return lines.map((line) => `${line};`);
}

function policyText(table: string, { name, command, permissive, roles, using, check }: Policy): string {
  const kind = permissive === 'PERMISSIVE' ? '' : ' as restrictive';
  return [
    `create policy "${name}" on ${table}${kind} for ${command.toLowerCase()} to ${roles}`,
    ...(using === null ? [] : [`  using (${using})`]),
    ...(check === null ? [] : [`  with check (${check})`]),
  ]
    .join('\n')
    .concat(';');
}

function functionText({ definition, grants }: FunctionRow): string {
  const who =
    grants.length > 0 ? grants.map((grant) => grant.replace('execute to ', '')).join(', ') : 'nobody but its owner';
  return `-- Called by ${who}.\n${definition.trimEnd()};\n`;
}

function chapterOf(noun: string, tables: readonly TableRow[], functions: readonly FunctionRow[]): string {
  const rows = tables.map((table) => {
    const { columns, policies, triggers } = table;
    const path = pathOf(noun, table);
    return `| [${path.slice(noun.length + 1, -4)}](${path}) | ${columns.length} | ${policies.length} | ${triggers.length} |`;
  });
  const table =
    rows.length > 0 ? `\n| table | columns | policies | triggers |\n|---|---|---|---|\n${rows.join('\n')}\n` : '';
  const list = functions.length > 0 ? `\n[${functions.length} functions](${noun}/functions.sql)\n` : '';
  return `## ${noun}\n${table}${list}`;
}

function readme(chapters: readonly string[]): string {
  return `# The present schema

What all migrations together have made of the schemas \`public\` (the API) and \`private\` (its helpers): a folder for each
noun, in the order in which they build on each other, a file for each table with its policies and triggers. \`npm run types\`
writes it, a test holds it true, nothing runs it. Why something is as it is stands in the migration that made it: search
\`supabase/migrations\` for its name, the last match made it.

${chapters.join('\n')}`;
}
