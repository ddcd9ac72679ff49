import { z } from 'zod';
import type { QueryResult, Statement } from '../../database/database.ts';
import type { Preferences } from '../parse/parse-preferences.ts';
import type { ReadPlan } from '../plan/plan-types.ts';
import { countSql } from './read-sql.ts';
import { Parameters } from './sql-text.ts';

/** Up to this many rows, an estimated count is exact, as with `max_rows` on hosted projects. */
const ESTIMATE_ABOVE = 1000;

/** Returns the statements for the kind of count that the client prefers. */
export function countStatements(plan: ReadPlan, count: Preferences['count']): Statement[] {
  if (count === null) return [];
  const statements: Statement[] = [];
  if (count !== 'planned') {
    const parameters = new Parameters();
    const limit = count === 'estimated' ? ` limit ${ESTIMATE_ABOVE + 1}` : '';
    const rows = countSql(plan, parameters);
    statements.push(parameters.statement(`select count(*) as total from (${rows}${limit}) as "counted"`));
  }
  if (count !== 'exact') {
    const parameters = new Parameters();
    statements.push(parameters.statement(`explain (format json) ${countSql(plan, parameters)}`));
  }
  return statements;
}

/** Reads the total from the results of countStatements. */
export function readCount(results: readonly QueryResult[], count: Preferences['count']): number | null {
  if (count === null) return null;
  if (count === 'planned') return plannedRows(results[0]);
  const rowCount = Number(results[0]?.rows[0]?.['total']);
  if (count === 'exact' || rowCount <= ESTIMATE_ABOVE) return rowCount;
  return Math.max(rowCount, plannedRows(results[1]));
}

const explainSchema = z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]) });

function plannedRows(result: QueryResult | undefined): number {
  return explainSchema.parse(result?.rows[0])['QUERY PLAN'][0].Plan['Plan Rows'];
}
