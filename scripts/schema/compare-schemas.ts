/** Compares two databases and generates the SQL that changes one into the other. */
import { type Database, messageOf } from '@signalfjord/backend';
import { describeSchema, type SchemaObject } from './describe-schema.ts';

interface Change {
  current?: SchemaObject;
  target?: SchemaObject;
}

const ALL_PRIVILEGES = /delete, insert, (?:maintain, )?references, select, trigger, truncate, update/;

/** Lists missing, different and superfluous objects. */
export function listChanges(currentObjects: readonly SchemaObject[], targetObjects: readonly SchemaObject[]): Change[] {
  const key = ({ kind, name }: SchemaObject) => `${kind} ${name}`;
  const currentByKey = new Map(currentObjects.map((object) => [key(object), object]));
  const targetKeys = new Set(targetObjects.map(key));
  const obsoleteObjects = currentObjects.filter((object) => !targetKeys.has(key(object))).reverse();
  const newObjects = targetObjects.filter((object) => currentByKey.get(key(object))?.definition !== object.definition);
  return [
    ...obsoleteObjects.map((current) => ({ current })),
    ...newObjects.map((object) => {
      const current = currentByKey.get(key(object));
      return current ? { current, target: object } : { target: object };
    }),
  ];
}

/**
 * Changes a database to the wanted schema and returns the executed statements. Statements are tried repeatedly until
 * their dependencies exist. A statement that always fails becomes a comment.
 * @param sources SQL of the schema files, from which statements are copied with their formatting
 */
export async function writeMigration(
  database: Database,
  targetObjects: readonly SchemaObject[],
  sources: string,
): Promise<string> {
  const statements: string[] = [];
  for (;;) {
    const failedStatements: string[] = [];
    const before = statements.length;
    for (const change of listChanges(await describeSchema(database), targetObjects)) {
      const sql = generateStatement(change, targetObjects, sources);
      if (!sql || statements.includes(sql)) continue;
      if (sql.startsWith('--')) {
        failedStatements.push(sql);
        continue;
      }
      try {
        await database.script(sql);
        statements.push(sql);
        // Triggers of registry tables create more objects.
        if (change.target?.kind === 'row') break;
      } catch (error) {
        failedStatements.push(`-- by hand: ${messageOf(error)}\n${sql.replace(/^/gm, '-- ')}`);
      }
    }
    if (statements.length === before)
      return [...statements, ...new Set(failedStatements)].map((sql) => `${sql}\n`).join('\n');
  }
}

/** Returns the statement for a change, or null if another statement covers it. */
function generateStatement(
  { current, target }: Change,
  targetObjects: readonly SchemaObject[],
  sources: string,
): string | null {
  if (!target) return current ? generateDrop(current, targetObjects) : null;
  if (!current) return generateCreate(target, targetObjects, sources);
  if (target.kind === 'column') return alterColumn(current, target);
  if (target.kind === 'function' && current.fixed === target.fixed) return replaceFunction(target, sources);
  if (target.kind === 'comment') return `${target.definition};`;
  const [drop, create] = [generateDrop(current, targetObjects), generateCreate(target, targetObjects, sources)];
  return drop && create && !drop.startsWith('--') ? `${drop}\n${create}` : formatManualChange(target);
}

function formatManualChange({ kind, name, definition }: SchemaObject): string {
  return `-- by hand: ${kind} ${name}${definition.includes('\n') ? '' : `: ${definition}`}`;
}

function generateDrop(object: SchemaObject, all: readonly SchemaObject[]): string | null {
  const { kind, name, table, definition } = object;
  // Dropped with their table.
  if (table && kind !== 'row' && !all.some((other) => other.kind === 'table' && other.name === table)) return null;
  switch (kind) {
    case 'function':
    case 'view':
    case 'index':
    case 'trigger':
    case 'policy':
      return `drop ${kind} ${name};`;
    case 'constraint':
      return `alter table ${table} drop constraint ${name.slice(0, -` of ${table}`.length)};`;
    case 'column':
      return `alter table ${table} drop column ${name.slice(table.length + 1)};`;
    case 'row security':
      return `alter table ${name} disable row level security;`;
    case 'grant': {
      const [, target] = / on (?:table|function) (.*) to \S+$/.exec(definition) ?? [];
      if (target && !all.some((other) => other.name === target)) return null;
      return `${definition.replace(/^grant/, 'revoke').replace(/ to (\S+)$/, ' from $1')};`;
    }
    case 'comment':
      return `${definition.replace(/ is (?:'|E')[\s\S]*$/, ' is null')};`;
    default:
      return `-- by hand: drop ${kind} ${name}`;
  }
}

function generateCreate(object: SchemaObject, all: readonly SchemaObject[], sources: string): string | null {
  const { kind, name, table, definition } = object;
  switch (kind) {
    case 'table':
      return createTable(name, all, sources);
    case 'column':
      return `alter table ${table} add column ${findSource(object, sources) ?? definition};`;
    case 'function':
      return `${findSource(object, sources) ?? `${definition};`}\nrevoke all on function ${name} from public, anon, authenticated, service_role;`;
    case 'grant':
      return `${definition.replace(ALL_PRIVILEGES, 'all')};`;
    case 'default grant':
      return formatManualChange(object);
    default:
      return findSource(object, sources) ?? `${definition};`;
  }
}

/** Creates a table without privileges, because older projects grant the API roles everything on new tables. */
function createTable(name: string, all: readonly SchemaObject[], sources: string): string {
  const source = findStatement(sources, `create table ${escapeRegExp(name)} \\([\\s\\S]*?\\n\\);`);
  const columns = all.filter(({ kind, table }) => kind === 'column' && table === name);
  const lines = columns.map(({ definition }) => `  ${definition}`).join(',\n');
  return `${source ?? `create table ${name} (\n${lines}\n);`}\nrevoke all on table ${name} from anon, authenticated, service_role;`;
}

function replaceFunction(object: SchemaObject, sources: string): string {
  return (
    findSource(object, sources)?.replace('create function', 'create or replace function') ?? `${object.definition};`
  );
}

function alterColumn(current: SchemaObject, target: SchemaObject): string {
  const { table, name, definition } = target;
  if (current.fixed !== target.fixed) return `-- by hand: alter table ${table} alter column ${definition}`;
  const parts = ({ definition: text }: SchemaObject) => / default (.*?)(?: not null)?$/.exec(text)?.[1] ?? null;
  const column = `alter column ${name.slice(table.length + 1)}`;
  const [before, after] = [parts(current), parts(target)];
  const isRequired = (object: SchemaObject) => object.definition.endsWith(' not null');
  const changes = [
    ...(before === after ? [] : [after === null ? `${column} drop default` : `${column} set default ${after}`]),
    ...(isRequired(current) === isRequired(target)
      ? []
      : [`${column} ${isRequired(target) ? 'set' : 'drop'} not null`]),
  ];
  return `alter table ${table} ${changes.join(', ')};`;
}

/** Returns the statement from the schema files, or null for implicit objects and overloads. */
function findSource({ kind, name, table }: SchemaObject, sources: string): string | null {
  const [first = ''] = name.split(/\(| on (?=\w+\.)/);
  switch (kind) {
    case 'function':
      return findStatement(
        sources,
        `create function ${escapeRegExp(first)}\\([\\s\\S]*? as (\\$\\w*\\$)[\\s\\S]*?\\1;`,
      );
    case 'trigger':
      return findStatement(sources, `create trigger ${escapeRegExp(first)} [^;]* on ${escapeRegExp(table)}\\s[^;]*;`);
    case 'policy':
      return findStatement(sources, `create policy ${escapeRegExp(first)} on ${escapeRegExp(table)} [^;]*;`);
    case 'column': {
      const columns = findStatement(sources, `create table ${escapeRegExp(table)} \\([\\s\\S]*?\\n\\);`) ?? '';
      const column = findStatement(columns, `  ${escapeRegExp(name.slice(table.length + 1))} .*(?:\\n    .*)*`);
      return column?.trim().replace(/,$/, '') ?? null;
    }
    case 'index':
      return findStatement(sources, `create (?:unique )?index ${escapeRegExp(first.replace(/^\w+\./, ''))} on [^;]*;`);
    case 'view':
      return findStatement(sources, `create view ${escapeRegExp(first)} [^;]*;`);
    default:
      return null;
  }
}

function findStatement(sources: string, pattern: string): string | null {
  const [match, secondMatch] = [...sources.matchAll(new RegExp(`^${pattern}$`, 'gm'))];
  return match && !secondMatch ? match[0] : null;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
