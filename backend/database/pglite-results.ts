import { type PGlite, types } from '@electric-sql/pglite';
import type { QueryResult } from './database.ts';

type BackendMessages = Awaited<ReturnType<PGlite['execProtocol']>>['messages'];
type Parse = (text: string) => unknown;

/** OIDs that become something other than text. postgres-database.ts agrees with this list. */
const PARSERS: Record<number, Parse> = {
  [types.BOOL]: (text) => text === 't',
  [types.INT2]: Number,
  [types.INT4]: Number,
  [types.INT8]: Number,
  [types.FLOAT4]: Number,
  [types.FLOAT8]: Number,
  [types.JSON]: (text) => JSON.parse(text),
  [types.JSONB]: (text) => JSON.parse(text),
  [types.TIMESTAMPTZ]: (text) => new Date(text),
  [types.BYTEA]: (text) => Buffer.from(text.slice(2), 'hex'),
  // text[], varchar[], uuid[], name[]
  1009: parseTextArray,
  1015: parseTextArray,
  2951: parseTextArray,
  1003: parseTextArray,
};

/** One result per executed statement, from the messages of one protocol exchange. */
export function parseResults(messages: BackendMessages): QueryResult[] {
  const results: QueryResult[] = [];
  let fields: { name: string; parse: Parse | undefined }[] = [];
  let rows: Record<string, unknown>[] = [];
  for (const message of messages) {
    if (message.name === 'rowDescription') {
      const described = (message as unknown as { fields: { name: string; dataTypeID: number }[] }).fields;
      fields = described.map(({ name, dataTypeID }) => ({ name, parse: PARSERS[dataTypeID] }));
    } else if (message.name === 'dataRow') {
      const values = (message as unknown as { fields: (string | null)[] }).fields;
      const row: Record<string, unknown> = {};
      for (const [index, field] of fields.entries()) {
        const text = values[index] ?? null;
        row[field.name] = text === null || !field.parse ? text : field.parse(text);
      }
      rows.push(row);
    } else if (message.name === 'commandComplete') {
      const tag = (message as unknown as { text: string }).text;
      results.push({ rows, rowCount: Number(/\d+$/.exec(tag)?.[0] ?? 0) });
      rows = [];
      fields = [];
    }
  }
  return results;
}

/** A one-dimensional array literal such as {a,"b c",NULL}. */
function parseTextArray(literal: string): (string | null)[] {
  const items: (string | null)[] = [];
  for (const match of literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g)) {
    const [, quoted, bare] = match;
    if (quoted !== undefined) items.push(quoted.replace(/\\(.)/g, '$1'));
    else items.push(bare === 'NULL' ? null : (bare ?? ''));
  }
  return items;
}
