import type { QueryResult, Statement } from '../../database/database.ts';
import type { PlanFormat } from '../parse/parse-media-type.ts';

/** Builds the EXPLAIN statement. */
export function explainStatement(statement: Statement, { format, options }: PlanFormat): Statement {
  return { ...statement, text: `explain (${[`format ${format}`, ...options].join(', ')}) ${statement.text}` };
}

/** Returns the plan as Postgres formatted it. */
export function planText(result: QueryResult | undefined, { format }: PlanFormat): string {
  const lines = (result?.rows ?? []).map((row) => row['QUERY PLAN']);
  return format === 'json' ? JSON.stringify(lines[0]) : lines.join('\n');
}
