/**
 * Statements sent in one write and answered in one round trip. Postgres treats everything up to one Sync as one
 * transaction, so role, settings and statements need neither BEGIN nor COMMIT. Without prepared statements, this also
 * works behind a pooler in transaction mode.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
import type { Connection, Submittable } from 'pg';
import { DatabaseError, type QueryResult, type Statement, toWireValue } from './database.ts';
import type { PreparedStatement, PreparedStatements } from './prepared-statements.ts';
import { type ParseValue, VALUE_PARSERS } from './value-parsers.ts';

/** Bind has a 16-bit parameter count. */
const MAX_PARAMETERS = 65_535;

export interface Column {
  name: string;
  parse: ParseValue | undefined;
}

interface SentStatement {
  text: string;
  values: (string | Buffer | null)[];
  /** Key in the connection's prepared statements. */
  key: string;
  prepared: PreparedStatement<Column> | undefined;
}

/** Query object of `pg`, with the interface that pg-cursor implements. */
export class Exchange implements Submittable {
  /** Results of the statements, complete when `done` has resolved. */
  readonly results: QueryResult[] = [];
  /** The command tag of the last statement, such as "INSERT 0 5". */
  tag = '';
  readonly done: Promise<void>;
  /** True if a sent statement was already prepared. */
  usesPrepared = false;
  readonly #statements: readonly SentStatement[];
  readonly #prepared: PreparedStatements<Column> | null;
  readonly #resolvers: { resolve: () => void; reject: (reason: unknown) => void };
  #columns: readonly Column[] = [];
  #rows: Record<string, unknown>[] = [];
  /**
   * Error from parsing a value. It is stored, because an error thrown in the socket handler would
   * end the process.
   */
  #parseError: { error: unknown } | null = null;

  /**
   * @param prepared the connection's prepared statements; null sends all statements unnamed
   * @throws DatabaseError 54000, TypeError for a value that cannot be sent
   */
  constructor(statements: readonly Statement[], prepared: PreparedStatements<Column> | null = null) {
    const { promise, ...resolvers } = Promise.withResolvers<void>();
    this.#statements = toSentStatements(statements);
    this.#prepared = prepared;
    this.done = promise;
    this.#resolvers = resolvers;
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    for (const name of this.#prepared?.begin() ?? []) connection.close({ type: 'S', name }, true);
    for (const statement of this.#statements) this.#send(connection, statement);
    connection.sync();
    connection.stream.uncork();
    this.#columns = this.#statements[0]?.prepared?.columns ?? [];
  }

  #send(connection: Connection, statement: SentStatement): void {
    const { text, values, key } = statement;
    statement.prepared = this.#prepared?.find(key);
    if (statement.prepared) {
      this.usesPrepared = true;
      connection.bind({ statement: statement.prepared.name, values }, true);
    } else {
      statement.prepared = this.#prepared?.create(key);
      const name = statement.prepared?.name ?? '';
      connection.parse({ name, text, types: [] }, true);
      connection.bind({ statement: name, values }, true);
      connection.describe({ type: 'P' }, true);
    }
    connection.execute({}, true);
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: VALUE_PARSERS[dataTypeID] }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#parseError) return;
    try {
      this.#rows.push(readRow(this.#columns, fields));
    } catch (error) {
      this.#parseError = { error };
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const statement = this.#statements[this.results.length];
    if (statement?.prepared) {
      statement.prepared.columns = this.#columns;
      this.#prepared?.keep(statement.key, statement.prepared);
    }
    this.tag = text;
    this.results.push({ rows: this.#rows, rowCount: parseRowCount(text) });
    this.#columns = this.#statements[this.results.length]?.prepared?.columns ?? [];
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  /** This message is never received, because no Execute has a row limit. */
  handlePortalSuspended(): void {
    this.handleError(new Error('Postgres suspended a portal without a limit of rows'));
  }

  /** Ends a COPY, which Postgres reports as an error. Sends Sync again, because Postgres ignored the first one. */
  handleCopyInResponse(connection: Connection & { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('COPY is not supported');
    connection.sync();
  }

  handleCopyData(): void {}

  /**
   * Called for the first error of the server, or when the connection is lost. Postgres skips the rest of the exchange.
   */
  handleError(error: unknown): void {
    this.#resolvers.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#parseError) this.#resolvers.reject(this.#parseError.error);
    else this.#resolvers.resolve();
  }
}

/**
 * Each role has its own prepared statements. Postgres checks the permission for an inlined function only when it plans,
 * so a cached plan would let another role execute it. If the role changes, Postgres also rewrites a statement with
 * policies, and rewriting takes as long as parsing.
 */
function toSentStatements(statements: readonly Statement[]): SentStatement[] {
  let role = '';
  return statements.map((statement) => {
    const { text, values = [] } = statement;
    const result = { text, values: toWireValues(values), key: `${role} ${text}`, prepared: undefined };
    role = statement.role ?? role;
    return result;
  });
}

function toWireValues(values: NonNullable<Statement['values']>): (string | Buffer | null)[] {
  if (values.length > MAX_PARAMETERS) {
    throw new DatabaseError({ code: '54000', message: `A statement has more than ${MAX_PARAMETERS} parameters` });
  }
  return values.map((value) => {
    const wire = toWireValue(value);
    return wire instanceof Uint8Array ? Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength) : wire;
  });
}

function readRow(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [index, { name, parse }] of columns.entries()) {
    const text = fields[index] ?? null;
    row[name] = text !== null && parse ? parse(text) : text;
  }
  return row;
}

/** Rows returned or changed, from a command tag such as "INSERT 0 5". */
function parseRowCount(tag: string): number {
  return Number(/\d+$/.exec(tag)?.[0] ?? 0);
}
