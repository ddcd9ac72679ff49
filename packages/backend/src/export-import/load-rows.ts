import type { Readable } from 'node:stream';
import type { Transaction } from '../database/database.ts';
import { OperatorError } from '../database/operator-error.ts';
import { type RowValues, readRow } from './row-text.ts';
import { quote, type Table, tableSql } from './tables.ts';

/** Maximum number of characters that one statement inserts. */
const BATCH_CHARACTERS = 1_000_000;
/** Maximum number of rows that one statement inserts. */
const BATCH_ROWS = 1000;

/**
 * Maximum size of a row in bytes, far above anything that the site or its table API writes. A row is held in memory.
 */
const MAX_ROW_BYTES = 64_000_000;

/** Statements before and after the rows, for psql. An import ignores them, because it runs its own statements. */
const IGNORED_STATEMENT =
  /^(|begin;|commit;|set local session_replication_role = replica;|truncate [^;]+;|select setval\('[^']+', -?\d+\);)$/;

/**
 * Inserts the rows of data.sql into empty tables. Each value is inserted from the text that Postgres exported.
 * @returns the names of tables and columns that the target does not have
 * @throws OperatorError for such tables and columns in our own deployments, and for invalid content
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
      else if (!IGNORED_STATEMENT.test(line)) throw invalidData(`holds ${JSON.stringify(line.slice(0, 100))}`);
      last = line;
    } else if (line === '\\.') {
      for (const name of await load.end()) missing.add(name);
      load = null;
    } else {
      await load.add(readRow(line));
    }
  }
  if (last !== 'commit;') throw invalidData('is incomplete');
  if (missing.size > 0 && !isProject) {
    throw new OperatorError(`This database does not have ${[...missing].join(', ')}. Nothing was changed.`);
  }
  return [...missing];
}

function invalidData(problem: string): OperatorError {
  return new OperatorError(`data.sql of the archive was not written by an export: it ${problem}. Nothing was changed.`);
}

/** Splits at line feeds, because line breaks within values are escaped. */
async function* lines(source: Readable): AsyncGenerator<string> {
  let remainder: Buffer[] = [];
  let size = 0;
  const chunks: AsyncIterable<Buffer> = source;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...remainder, chunk.subarray(start, end)]).toString();
      remainder = [];
      size = 0;
      start = end + 1;
    }
    remainder.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > MAX_ROW_BYTES) throw invalidData('has a row of more than 64 MB');
  }
  if (size > 0) throw invalidData('is incomplete');
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
    const table = tables.find((table) => tableSql(table) === name);
    this.#columns = columns
      .split(', ')
      .map((column) => table?.columns.find(({ name }) => quote(name) === column) ?? { name: column, type: undefined });
    this.#statement = table ? this.#statementFor(name, isProject) : null;
  }

  async add(row: RowValues): Promise<void> {
    if (row.length !== this.#columns.length) throw invalidData(`has a row of ${this.#name} with different columns`);
    if (!this.#statement) this.#missing.add(this.#name);
    else this.#recordMissing(row);
    this.#batch.push(row);
    this.#size += row.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    if (this.#size > BATCH_CHARACTERS || this.#batch.length === BATCH_ROWS) await this.#flush();
  }

  #recordMissing(row: RowValues): void {
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
    const assignments = this.#columns.flatMap(({ name: column, type }, index) =>
      type === undefined ? [] : [{ column: quote(column), value: `(r ->> ${index})::${type}` }],
    );
    const rows = 'from jsonb_array_elements($1::jsonb) as rows (r)';
    if (isProject && name === '"storage"."objects"') return updateObjects(assignments, rows);
    const columns = assignments.map(({ column }) => column).join(', ');
    const values = assignments.map(({ value }) => value).join(', ');
    return `insert into ${name} (${columns}) overriding system value select ${values} ${rows}${isProject && name === '"storage"."buckets"' ? onBucketConflict(assignments) : ''}`;
  }
}

function onBucketConflict(assignments: readonly { column: string }[]): string {
  const changes = assignments
    .filter(({ column }) => column !== '"id"')
    .map(({ column }) => `${column} = excluded.${column}`);
  return ` on conflict (id) do update set ${changes.join(', ')}`;
}

/** The project's storage has written a row for each uploaded file, with its own version and metadata. */
const STORAGE_COLUMNS = ['"version"', '"metadata"', '"bucket_id"', '"name"'];

function updateObjects(assignments: readonly { column: string; value: string }[], rows: string): string {
  const findValue = (column: string) => assignments.find((item) => item.column === column)?.value;
  const changes = assignments.filter(({ column }) => !STORAGE_COLUMNS.includes(column));
  return `update storage.objects as o set ${changes.map(({ column, value }) => `${column} = ${value}`).join(', ')} ${rows}
    where o.bucket_id = ${findValue('"bucket_id"')} and o.name = ${findValue('"name"')}`;
}
