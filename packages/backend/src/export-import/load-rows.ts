import type { Readable } from 'node:stream';
import type { Transaction } from '../database/database.ts';
import { OperatorError } from '../database/operator-error.ts';
import { type RowValues, readRow } from './row-text.ts';
import { nameOf, quote, type Table } from './tables.ts';

/** Largest insert of one statement: characters of values, and rows. */
const BATCH_SIZE = 1_000_000;
const BATCH_ROWS = 1000;

/**
 * Maximum size of a row in bytes, far above anything that the site or its table API writes. A row is held in memory.
 */
const MAX_ROW_BYTES = 64_000_000;

/** Statements before and after the rows, for psql. An import ignores them, because it does the same itself. */
const AROUND =
  /^(|begin;|commit;|set local session_replication_role = replica;|truncate [^;]+;|select setval\('[^']+', -?\d+\);)$/;

/**
 * Inserts the rows of data.sql into empty tables. Postgres parses each value from the text that Postgres wrote.
 * @returns messages about tables and columns that the target does not have
 * @throws OperatorError for such tables and columns in our own homes, and for invalid content
 */
export async function loadRows(
  tx: Transaction,
  sql: Readable,
  tables: readonly Table[],
  isProject: boolean,
): Promise<string[]> {
  const missing = new Set<string>();
  let load: Load | null = null;
  let last = '';
  for await (const line of lines(sql)) {
    if (load === null) {
      const [, name, columns] = /^copy (".+") \((".+"|)\) from stdin;$/.exec(line) ?? [];
      if (name !== undefined) load = new Load(tx, name, columns ?? '', tables, isProject);
      else if (!AROUND.test(line)) throw notOurs(`holds ${JSON.stringify(line.slice(0, 100))}`);
      last = line;
    } else if (line === '\\.') {
      for (const left of await load.end()) missing.add(left);
      load = null;
    } else {
      await load.add(readRow(line));
    }
  }
  if (last !== 'commit;') throw notOurs('is incomplete');
  if (missing.size > 0 && !isProject) {
    throw new OperatorError(`This database does not have ${[...missing].join(', ')}. Nothing was changed.`);
  }
  return [...missing];
}

function notOurs(why: string): OperatorError {
  return new OperatorError(`data.sql of the archive was not written by an export: it ${why}. Nothing was changed.`);
}

/** Line breaks within values are escaped, so only a line feed ends a line. */
async function* lines(source: Readable): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let size = 0;
  const chunks: AsyncIterable<Buffer> = source;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]).toString();
      rest = [];
      size = 0;
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > MAX_ROW_BYTES) throw notOurs('has a row of more than 64 MB');
  }
  if (size > 0) throw notOurs('is incomplete');
}

class Load {
  readonly #tx: Transaction;
  readonly #name: string;
  readonly #columns: { name: string; type: string | undefined }[];
  readonly #statement: string | null;
  readonly #missing = new Set<string>();
  #batch: RowValues[] = [];
  #size = 0;

  constructor(tx: Transaction, name: string, columns: string, tables: readonly Table[], isProject: boolean) {
    this.#tx = tx;
    this.#name = name.replaceAll('"', '');
    const table = tables.find((found) => nameOf(found) === name);
    this.#columns = columns
      .split(', ')
      .map(
        (column) => table?.columns.find((found) => quote(found.name) === column) ?? { name: column, type: undefined },
      );
    this.#statement = table ? this.#statementFor(name, isProject) : null;
  }

  async add(row: RowValues): Promise<void> {
    if (row.length !== this.#columns.length) throw notOurs(`has a row of ${this.#name} with different columns`);
    if (!this.#statement) this.#missing.add(this.#name);
    else this.#noteMissing(row);
    this.#batch.push(row);
    this.#size += row.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    if (this.#size > BATCH_SIZE || this.#batch.length === BATCH_ROWS) await this.#flush();
  }

  #noteMissing(row: RowValues): void {
    for (const [index, { name, type }] of this.#columns.entries()) {
      if (type === undefined && row[index] != null) this.#missing.add(`${this.#name}.${name.replaceAll('"', '')}`);
    }
  }

  async end(): Promise<Set<string>> {
    if (this.#batch.length > 0) await this.#flush();
    return this.#missing;
  }

  async #flush(): Promise<void> {
    if (this.#statement) {
      await this.#tx.query(this.#statement, [JSON.stringify(this.#batch)]).catch((error: Error) => {
        throw new OperatorError(
          `The rows of ${this.#name} cannot be imported: ${error.message}. Nothing was changed.`,
          {
            cause: error,
          },
        );
      });
    }
    this.#batch = [];
    this.#size = 0;
  }

  #statementFor(name: string, isProject: boolean): string {
    const placed = this.#columns.flatMap(({ name: column, type }, index) =>
      type === undefined ? [] : [{ column: quote(column), value: `(r ->> ${index})::${type}` }],
    );
    const rows = 'from jsonb_array_elements($1::jsonb) as rows (r)';
    if (isProject && name === '"storage"."objects"') return updateObjects(placed, rows);
    const columns = placed.map(({ column }) => column).join(', ');
    const values = placed.map(({ value }) => value).join(', ');
    return `insert into ${name} (${columns}) overriding system value select ${values} ${rows}${isProject && name === '"storage"."buckets"' ? onBucketThere(placed) : ''}`;
  }
}

function onBucketThere(placed: readonly { column: string }[]): string {
  const changes = placed
    .filter(({ column }) => column !== '"id"')
    .map(({ column }) => `${column} = excluded.${column}`);
  return ` on conflict (id) do update set ${changes.join(', ')}`;
}

/** The project's storage has written a row for each uploaded file, with its own version and metadata. */
const STORAGE_COLUMNS = ['"version"', '"metadata"', '"bucket_id"', '"name"'];

function updateObjects(placed: readonly { column: string; value: string }[], rows: string): string {
  const textOf = (column: string) => placed.find((one) => one.column === column)?.value;
  const changes = placed.filter(({ column }) => !STORAGE_COLUMNS.includes(column));
  return `update storage.objects as o set ${changes.map(({ column, value }) => `${column} = ${value}`).join(', ')} ${rows}
    where o.bucket_id = ${textOf('"bucket_id"')} and o.name = ${textOf('"name"')}`;
}
