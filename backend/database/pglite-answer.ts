/**
 * Reads the messages of Postgres from the bytes of one exchange.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import { DatabaseError, type QueryResult } from './database.ts';
import { type ParseValue, VALUE_PARSERS } from './value-parsers.ts';

export interface Answer {
  /** One for each statement that ran to its end. */
  results: QueryResult[];
  error: DatabaseError | null;
  notifications: { channel: string; payload: string }[];
}

interface Field {
  name: string;
  parse: ParseValue | undefined;
}

/** Reads every message of an answer. */
export function readAnswer(bytes: Buffer): Answer {
  const answer: Answer = { results: [], error: null, notifications: [] };
  let fields: Field[] = [];
  let rows: Record<string, unknown>[] = [];
  for (let offset = 0, next = 0; offset + 5 <= bytes.length; offset = next) {
    next = offset + 1 + bytes.readInt32BE(offset + 1);
    const body = offset + 5;
    switch (String.fromCharCode(bytes[offset] ?? 0)) {
      case 'T':
        fields = readFields(bytes, body);
        break;
      case 'D':
        rows.push(readRow(bytes, body, fields));
        break;
      case 'C':
        answer.results.push({ rows, rowCount: countOf(bytes.toString('latin1', body, next - 1)) });
        rows = [];
        fields = [];
        break;
      case 'E':
        answer.error ??= readError(bytes, body);
        break;
      case 'A':
        answer.notifications.push(readNotification(bytes, body));
        break;
    }
  }
  return answer;
}

function readFields(bytes: Buffer, start: number): Field[] {
  const fields: Field[] = [];
  let offset = start + 2;
  for (let left = bytes.readUInt16BE(start); left > 0; left--) {
    const end = bytes.indexOf(0, offset);
    // After the name: table (4 bytes), column (2), type (4), size (2), modifier (4), format (2).
    fields.push({ name: bytes.toString('utf8', offset, end), parse: VALUE_PARSERS[bytes.readUInt32BE(end + 7)] });
    offset = end + 19;
  }
  return fields;
}

function readRow(bytes: Buffer, start: number, fields: readonly Field[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  let offset = start + 2;
  for (const { name, parse } of fields) {
    const size = bytes.readInt32BE(offset);
    offset += 4;
    if (size < 0) {
      row[name] = null;
      continue;
    }
    const text = bytes.toString('utf8', offset, offset + size);
    row[name] = parse ? parse(text) : text;
    offset += size;
  }
  return row;
}

/** Rows returned or changed, from a command tag such as "INSERT 0 5". */
function countOf(tag: string): number {
  return Number(/\d+$/.exec(tag)?.[0] ?? 0);
}

function readNotification(bytes: Buffer, start: number): { channel: string; payload: string } {
  const channelEnd = bytes.indexOf(0, start + 4);
  const payloadEnd = bytes.indexOf(0, channelEnd + 1);
  return {
    channel: bytes.toString('utf8', start + 4, channelEnd),
    payload: bytes.toString('utf8', channelEnd + 1, payloadEnd),
  };
}

/** Reads the fields of an error by their letters: https://www.postgresql.org/docs/current/protocol-error-fields.html */
function readError(bytes: Buffer, start: number): DatabaseError {
  const fields: Record<string, string> = {};
  for (let offset = start; bytes[offset]; ) {
    const end = bytes.indexOf(0, offset);
    fields[String.fromCharCode(bytes[offset] ?? 0)] = bytes.toString('utf8', offset + 1, end);
    offset = end + 1;
  }
  const { M, C, D, H, n, t, c } = fields;
  return new DatabaseError({
    message: M ?? 'The database reported an error without a message',
    ...(C === undefined ? {} : { code: C }),
    ...(D === undefined ? {} : { detail: D }),
    ...(H === undefined ? {} : { hint: H }),
    ...(n === undefined ? {} : { constraint: n }),
    ...(t === undefined ? {} : { table: t }),
    ...(c === undefined ? {} : { column: c }),
  });
}
