import type { DatabaseError } from '../../database/database.ts';

/** Name of a setting that does not exist. SQL has no expression that raises an error, but reading this setting does. */
const TOO_LARGE = 'rest.response_too_large';

/**
 * Selects the columns of `query`, which returns one row with the response text in `body`. If the text is larger than
 * `maxBytes`, the statement fails, so that its changes are rolled back and no data is sent.
 */
export function boundedSql(query: string, otherColumns: readonly string[], maxBytes: number): string {
  if (!Number.isFinite(maxBytes)) return query;
  const body = `case when octet_length(body) > ${maxBytes} then current_setting('${TOO_LARGE}') else body end as body`;
  return `select ${[body, ...otherColumns].join(', ')} from (${query}) as "__response"`;
}

/** Returns whether a statement failed because its response was larger than the limit of boundedSql. */
export function isResponseTooLarge({ code, message }: DatabaseError): boolean {
  return code === '42704' && message.includes(TOO_LARGE);
}
