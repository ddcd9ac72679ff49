/** Builds one statement from a WritePlan: the write as a common table expression, then the select on its rows. */
import type { Statement } from '../../database/database.ts';
import type { MediaType } from '../parse/parse-media-type.ts';
import type { ReadPlan } from '../plan/plan-types.ts';
import type { WritePlan } from '../plan/write-plan.ts';
import { bodySql } from './body-sql.ts';
import { boundedSql } from './bounded-sql.ts';
import { whereSql } from './condition-sql.ts';
import { PAYLOAD, payloadSql } from './payload-sql.ts';
import { readSql } from './read-sql.ts';
import { Parameters, qualifiedName, quoteIdentifier } from './sql-text.ts';

/** Alias of the rows that a write or call returns. The response is selected from it. */
export const SOURCE = '"__source"';

/** Transaction-local setting that counts the rows updated by an upsert. */
const UPDATED_COUNT = `coalesce(nullif(current_setting('rest.updated', true), ''), '0')::int`;

/** Builds a statement that returns one row with body, rows and updated, and with location if requested. */
export function writeStatement(plan: WritePlan, mediaType: MediaType, maxBytes: number): Statement {
  const parameters = new Parameters();
  const source = `with ${SOURCE} as (${changeSql(plan, parameters)})`;
  const updated = `${UPDATED_COUNT} as updated`;
  switch (plan.returns) {
    case 'count':
      return parameters.statement(`${source} select '' as body, count(*) as rows, ${updated} from ${SOURCE}`);
    case 'location':
      return parameters.statement(
        `${source} select '' as body, count(*) as rows, ${updated}, json_agg(${SOURCE})->0 as location from ${SOURCE}`,
      );
    case 'rows': {
      const rows = readSql(plan.read, parameters, { records: SOURCE });
      const counts = `(select count(*) from ${SOURCE}) as rows, ${updated}`;
      const query = `select ${bodySql(mediaType)} as body, ${counts} from (${rows}) as "__row"`;
      return parameters.statement(`${source} ${boundedSql(query, ['rows', 'updated'], maxBytes)}`);
    }
  }
}

function changeSql(plan: WritePlan, parameters: Parameters): string {
  if (plan.kind === 'insert') return insertSql(plan, parameters);
  const table = qualifiedName(plan.table);
  const alias = quoteIdentifier(plan.read.alias);
  const returning = ` returning ${returningSql(plan, alias)}`;
  if (plan.kind === 'delete') {
    return `delete from ${table} as ${alias}${whereSql(plan.read, plan.conditions, parameters)}${returning}`;
  }
  // An update without columns is not an error, and changes nothing.
  if (plan.columns.length === 0) return `select ${returningSql(plan, alias)} from ${table} as ${alias} where false`;
  const names = plan.columns.map(({ name }) => quoteIdentifier(name));
  const payload = payloadSql(plan.json, plan.columns, parameters, plan);
  const assignments = names.map((name) => `${name} = ${PAYLOAD}.${name}`).join(', ');
  const values = names.map((name) => `${PAYLOAD}.${name}`).join(', ');
  return (
    `update ${table} as ${alias} set ${assignments} from (select ${values} from ${payload} limit 1) as ${PAYLOAD}` +
    `${whereSql(plan.read, plan.conditions, parameters)}${returning}`
  );
}

function insertSql(plan: WritePlan, parameters: Parameters): string {
  const names = plan.columns.map(({ name }) => quoteIdentifier(name));
  const alias = quoteIdentifier(plan.read.alias);
  const values = names.map((name) => `${PAYLOAD}.${name}`).join(', ');
  const target = `insert into ${qualifiedName(plan.table)} as ${alias}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;
  const rows = `select ${values} from ${payloadSql(plan.json, plan.columns, parameters, plan)}`;
  const condition = whereSql({ alias: '__payload', columns: plan.read.columns }, plan.conditions, parameters);
  return `${target} ${rows}${condition}${conflictSql(plan, names)} returning ${returningSql(plan, alias)}`;
}

function conflictSql({ conflict }: WritePlan, names: readonly string[]): string {
  if (conflict === null || names.length === 0) return '';
  const target = ` on conflict (${conflict.columns.map(quoteIdentifier).join(', ')})`;
  if (conflict.resolution === 'ignore-duplicates') return `${target} do nothing`;
  const assignments = names.map((name) => `${name} = excluded.${name}`).join(', ');
  return `${target} do update set ${assignments} where set_config('rest.updated', (${UPDATED_COUNT} + 1)::text, true) <> ''`;
}

/** Returns the RETURNING list: only the needed columns, because each requires the SELECT privilege. */
function returningSql(plan: WritePlan, alias: string): string {
  if (plan.returns === 'count') return '1';
  const { primaryKey } = plan.table;
  const names = plan.returns === 'location' ? primaryKey : neededColumns(plan.read, primaryKey);
  if (names.length === 0) return '1';
  return names.map((name) => `${alias}.${name === '*' ? '*' : quoteIdentifier(name)}`).join(', ');
}

function neededColumns(read: ReadPlan, primaryKey: readonly string[]): string[] {
  const selected = read.fields.map(({ field }) => field.name);
  const joined = read.embeds.flatMap(({ relationship }) => relationship.columns.map(([column]) => column));
  const isComputed = read.embeds.some(({ relationship }) => relationship.computedBy !== null);
  const neededNames = [...new Set([...(isComputed ? ['*'] : []), ...selected, ...joined, ...primaryKey])];
  // `*` does not include computed fields.
  return neededNames.includes('*')
    ? ['*', ...neededNames.filter((name) => name !== '*' && !read.columns.has(name))]
    : neededNames;
}
