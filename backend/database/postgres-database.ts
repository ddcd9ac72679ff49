/** An own Postgres server as a Database, over postgres.js. Values and results look as with PGlite. */
import postgres from 'postgres';
import {
  type Database,
  DatabaseError,
  OWN_DEADLINE_MS,
  type QueryResult,
  requireStillWanted,
  type SqlValue,
  type Statement,
  type Transaction,
  toWireValue,
  type WorkOptions,
} from './database.ts';

/** Parameters arrive as text already (toWireValue), so nothing is serialised a second time. */
const asText = (value: unknown) => (value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value);

const TYPES = {
  bool: { to: 16, from: [16], serialize: asText, parse: (text: string) => text === 't' },
  number: { to: 23, from: [20, 21, 23, 700, 701], serialize: asText, parse: Number },
  json: { to: 114, from: [114, 3802], serialize: asText, parse: (text: string) => JSON.parse(text) },
  jsonb: { to: 3802, from: [3802], serialize: asText, parse: (text: string) => JSON.parse(text) },
  date: { to: 1184, from: [1184], serialize: asText, parse: (text: string) => new Date(text) },
  plainDate: { to: 1082, from: [1082, 1114], serialize: asText, parse: (text: string) => text },
  bytea: { to: 17, from: [17], serialize: asText, parse: (text: string) => Buffer.from(text.slice(2), 'hex') },
} satisfies Record<string, postgres.PostgresType>;

/** Connects lazily with up to `connections` connections. */
export function openPostgresDatabase(url: string, connections = 10): Database {
  const sql = postgres(url, {
    max: connections,
    types: TYPES as unknown as Record<string, postgres.PostgresType>,
    onnotice: () => undefined,
    connection: { TimeZone: 'UTC', statement_timeout: OWN_DEADLINE_MS },
  });
  return new PostgresDatabase(sql);
}

type Sql = postgres.Sql<Record<string, unknown>> | postgres.TransactionSql<Record<string, unknown>>;

class PostgresDatabase implements Database {
  readonly #sql: postgres.Sql<Record<string, unknown>>;

  constructor(sql: postgres.Sql<Record<string, unknown>>) {
    this.#sql = sql;
  }

  async query<Row>(
    text: string,
    values: readonly SqlValue[] = [],
    options: WorkOptions = {},
  ): Promise<QueryResult<Row>> {
    requireStillWanted(options);
    return timed(options, () => run<Row>(this.#sql, { text, values }));
  }

  async batch(statements: readonly Statement[], options: WorkOptions = {}): Promise<QueryResult[]> {
    return withDatabaseErrors(async () => {
      const results = await this.#sql.begin((tx) => {
        requireStillWanted(options);
        return timed(options, () => Promise.all(statements.map((statement) => run(tx, statement))));
      });
      return results as QueryResult[];
    });
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: WorkOptions = {}): Promise<T> {
    return withDatabaseErrors(async () => {
      const result = await this.#sql.begin((sql) => {
        requireStillWanted(options);
        return work({
          run: (statement) => timed(options, () => run(sql, statement)),
          query: <Row>(text: string, values: readonly SqlValue[] = []) =>
            timed(options, () => run<Row>(sql, { text, values })),
        });
      });
      return result as T;
    });
  }

  async script(text: string): Promise<void> {
    await withDatabaseErrors(async () => {
      const connection = await this.#sql.reserve();
      try {
        await connection`set statement_timeout = 0`;
        await connection.unsafe(text).simple();
      } finally {
        await connection`reset statement_timeout`;
        connection.release();
      }
    });
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    const { unlisten } = await this.#sql.listen(channel, onNotify);
    return unlisten;
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 5 });
  }
}

async function run<Row>(sql: Sql, { text, values = [] }: Statement): Promise<QueryResult<Row>> {
  return withDatabaseErrors(async () => {
    const parameters = values.map(toWireValue) as postgres.ParameterOrJSON<never>[];
    const rows = await sql.unsafe(text, parameters, { prepare: true });
    return { rows: [...rows] as unknown as Row[], rowCount: rows.count ?? rows.length };
  });
}

/** Tells how long the work took from sending to the answer, which on a busy pool includes the wait for a connection. */
async function timed<T>({ onTime }: WorkOptions, work: () => Promise<T>): Promise<T> {
  if (!onTime) return work();
  const start = performance.now();
  try {
    return await work();
  } finally {
    onTime(performance.now() - start);
  }
}

async function withDatabaseErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error;
    throw new DatabaseError({
      code: error.code,
      message: error.message,
      cause: error,
      ...(error.detail === undefined ? {} : { detail: error.detail }),
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(error.constraint_name === undefined ? {} : { constraint: error.constraint_name }),
      ...(error.table_name === undefined ? {} : { table: error.table_name }),
      ...(error.column_name === undefined ? {} : { column: error.column_name }),
    });
  }
}
