/** Observes the access matrix of an instance, and formats it for review. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ANY_BUCKET, type BucketAccess, probeBucket, probeNewBucket } from './buckets.ts';
import { type FunctionAccess, probeFunction } from './functions.ts';
import { discover, type Exposed, type Send } from './instance.ts';
import type { Caller } from './people.ts';
import { probeTable, requireRollback, type TableAccess } from './tables.ts';

export interface Access {
  tables: Record<string, TableAccess>;
  functions: Record<string, FunctionAccess>;
  buckets: Record<string, BucketAccess>;
}

interface Observation {
  send: Send;
  secretKey: string;
  callers: readonly Caller[];
  declared: Access;
  /** Limits the observation to matching tables, functions and buckets, for tests. */
  filter?: (name: string) => boolean;
}

/**
 * Returns what each caller can do with everything that the instance exposes. It creates and deletes only its own files.
 */
export async function observe({
  send,
  secretKey,
  callers,
  declared,
  filter = () => true,
}: Observation): Promise<Access> {
  await requireRollback(send, secretKey, callers);
  const exposed = await discover(send, secretKey);
  const [tables, functions] = await Promise.all([
    probeEach(Object.entries(exposed.tables), filter, (table, columns) =>
      probeTable({ send, secretKey, callers, table, columns, declared: declared.tables[table] }),
    ),
    probeEach(Object.entries(exposed.functions), filter, (name, types) => probeFunction(send, callers, name, types)),
  ]);
  return { tables, functions, buckets: await observeBuckets({ send, secretKey, callers }, exposed, filter) };
}

async function observeBuckets(
  { send, secretKey, callers }: Pick<Observation, 'send' | 'secretKey' | 'callers'>,
  { buckets }: Exposed,
  filter: (name: string) => boolean,
) {
  const results = await probeEach(
    buckets.map((bucket) => [bucket, null] as const),
    filter,
    (bucket) => probeBucket(send, secretKey, callers, bucket),
  );
  return filter(ANY_BUCKET) ? { ...results, [ANY_BUCKET]: await probeNewBucket(send, secretKey, callers) } : results;
}

async function probeEach<Value, Result>(
  entries: readonly (readonly [string, Value])[],
  filter: (name: string) => boolean,
  probe: (name: string, value: Value) => Promise<Result>,
): Promise<Record<string, Result>> {
  const matching = entries.filter(([name]) => filter(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    await Promise.all(matching.map(async ([name, value]) => [name, await probe(name, value)] as const)),
  );
}

const FILE = join(import.meta.dirname, '../../supabase/access.json');

/** Reads supabase/access.json. @throws Error if it is missing or not valid JSON */
export async function readDeclared(): Promise<Access> {
  return JSON.parse(await readFile(FILE, 'utf8'));
}

export async function writeDeclared(access: Access): Promise<void> {
  await writeFile(FILE, formatAccess(access));
}

/** Formats one line per role and table, so that a change is a one-line diff. */
export function formatAccess(access: Access): string {
  const line = (value: unknown) => JSON.stringify(value).replaceAll('":', '": ').replaceAll(',"', ', "');
  const lines = <Inner>(value: Record<string, Inner>, indent: string, write: (value: Inner) => string) =>
    Object.entries(value)
      .map(([name, inner]) => `${indent}${JSON.stringify(name)}: ${write(inner)}`)
      .join(',\n');
  const block = (value: Record<string, unknown>, indent: string) =>
    Object.keys(value).length === 0 ? '{}' : `{\n${lines(value, `${indent}  `, line)}\n${indent}}`;
  const table = ({ columns, rows }: TableAccess) =>
    `{\n      "columns": ${block(columns, '      ')},\n      "rows": ${block(rows, '      ')}\n    }`;
  return `{
  "tables": {\n${lines(access.tables, '    ', table)}\n  },
  "functions": {\n${lines(access.functions, '    ', line)}\n  },
  "buckets": {\n${lines(access.buckets, '    ', (value) => block(value, '    '))}\n  }
}
`;
}
