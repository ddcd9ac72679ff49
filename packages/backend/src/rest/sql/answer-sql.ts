import type { DatabaseError } from '../../database/database.ts';

/** A setting that does not exist. SQL has no expression that raises an error, but reading this setting fails. */
const TOO_LARGE = 'rest.answer_too_large';

/**
 * Selects the columns of `answer`, a query for one row with a text called body. If the text is larger than `maxBytes`,
 * the statement fails, so that its changes are rolled back and no data is sent.
 */
export function boundedSql(answer: string, others: readonly string[], maxBytes: number): string {
  if (!Number.isFinite(maxBytes)) return answer;
  const body = `case when octet_length(body) > ${maxBytes} then current_setting('${TOO_LARGE}') else body end as body`;
  return `select ${[body, ...others].join(', ')} from (${answer}) as "__answer"`;
}

/** Returns whether a statement failed because of boundedSql. */
export function isAnswerTooLarge({ code, message }: DatabaseError): boolean {
  return code === '42704' && message.includes(TOO_LARGE);
}
