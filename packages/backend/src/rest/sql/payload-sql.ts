import type { Column } from '../schema/schema-cache.ts';
import { type Parameters, quoteIdentifier } from './sql-text.ts';

/** The alias of the rows in a body. */
export const PAYLOAD = '"__payload"';

/**
 * Returns the rows of a JSON body as a FROM item with typed columns. Missing keys are null or the column default.
 */
export function payloadSql(
  json: string,
  columns: readonly Column[],
  parameters: Parameters,
  options: { appliesDefaults: boolean },
): string {
  const array = /^\s*\[/.test(json) ? json : `[${json}]`;
  const placeholder = parameters.add(array);
  if (columns.length === 0) return `json_array_elements(${placeholder}::json) as ${PAYLOAD}`;
  const definitions = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`).join(', ');
  const defaults = options.appliesDefaults
    ? columns.filter(({ defaultSql, isGenerated }) => defaultSql !== null && !isGenerated)
    : [];
  if (defaults.length === 0) return `json_to_recordset(${placeholder}::json) as ${PAYLOAD} (${definitions})`;
  const pairs = defaults.map(({ name, defaultSql }) => `${parameters.add(name)}::text, ${defaultSql}`).join(', ');
  return (
    `jsonb_array_elements(${placeholder}::jsonb) as "__element", ` +
    `lateral jsonb_to_record(jsonb_build_object(${pairs}) || "__element") as ${PAYLOAD} (${definitions})`
  );
}
