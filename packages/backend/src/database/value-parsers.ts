import { parseTextArray } from './text-array.ts';

/** Parses the text of a value. */
export type ParseValue = (text: string) => unknown;

/** Types that are not returned as text, by OID. */
export const VALUE_PARSERS: Readonly<Record<number, ParseValue | undefined>> = {
  16: (text) => text === 't',
  // int8, int2, int4, float4, float8
  20: Number,
  21: Number,
  23: Number,
  700: Number,
  701: Number,
  // json, jsonb
  114: (text) => JSON.parse(text),
  3802: (text) => JSON.parse(text),
  // timestamptz
  1184: (text) => new Date(text),
  // bytea
  17: (text) => Buffer.from(text.slice(2), 'hex'),
  // text[], varchar[], uuid[], name[]
  1009: parseTextArray,
  1015: parseTextArray,
  2951: parseTextArray,
  1003: parseTextArray,
};
