/** The interface between the backend and Postgres. Parameters are sent as text, and Postgres infers their types. */

/** A parameter value. Objects and nested arrays are sent as JSON, flat arrays as Postgres array literals. */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Date
  | Uint8Array
  | readonly unknown[]
  | object;

export interface Statement {
  text: string;
  values?: readonly SqlValue[];
  /** Timeout in milliseconds of this and each later statement in its transaction. Default: DEFAULT_TIMEOUT_MS. */
  deadlineMs?: number;
  /** True if this and all later statements in its transaction are read-only. */
  isReadOnly?: boolean;
  /** The role that this statement sets for the later statements in its batch. */
  role?: string;
}

/** Default timeout of a statement in milliseconds. Statements need far less, so it only ends statements that hang. */
export const DEFAULT_TIMEOUT_MS = 60_000;

/** Options for database work. */
export interface WorkOptions {
  /**
   * Work that is aborted while it is queued is not started, and fails with 57014. Running statements are cancelled on
   * the server and fail with the same code.
   */
  signal?: AbortSignal | undefined;
  /** Called with the milliseconds of each round trip, including failed ones. Excludes the time in the queue. */
  onTime?: ((milliseconds: number) => void) | undefined;
}

export interface QueryResult<Row = Record<string, unknown>> {
  rows: Row[];
  /** Rows returned or changed, as in the command tag. */
  rowCount: number;
}

/** Results of several statements in order, typed by their rows. */
export type Results<Rows extends readonly unknown[]> = { [Index in keyof Rows]: QueryResult<Rows[Index]> };

/** Rows of unknown shape. */
export type AnyRows = Record<string, unknown>[];

export interface Queryable {
  /**
   * Runs one statement.
   * @throws DatabaseError
   */
  query<Row = Record<string, unknown>>(text: string, values?: readonly SqlValue[]): Promise<QueryResult<Row>>;
}

export interface Transaction extends Queryable {
  /** Runs one statement. Its timeout applies to the rest of the transaction. @throws DatabaseError */
  run<Row = Record<string, unknown>>(statement: Statement): Promise<QueryResult<Row>>;
}

/** Load of a database. */
export interface DatabaseLoad {
  /** Connections, idle or in use. */
  connections: number;
  /** Running tasks. */
  running: number;
  /** Queued tasks. */
  queued: number;
  /** Tasks rejected since the start because their wait was too long. */
  rejected: number;
}

export interface Database extends Queryable {
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly SqlValue[],
    options?: WorkOptions,
  ): Promise<QueryResult<Row>>;
  /**
   * Runs statements in one transaction, with as few round trips as the driver allows.
   * @throws DatabaseError
   */
  batch<Rows extends readonly unknown[] = AnyRows>(
    statements: readonly Statement[],
    options?: WorkOptions,
  ): Promise<Results<Rows>>;
  /**
   * Runs `work` in one transaction: commits if it resolves, and rolls back if it rejects. It holds a connection and
   * locks, so never await the network inside.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: WorkOptions): Promise<T>;
  /** Runs a script of several statements without parameters, such as a migration. */
  script(sql: string): Promise<void>;
  /** Runs `work` while no other process runs such work on the same database. Used for migrations at start. */
  runExclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Calls `onNotify` with the payload of each NOTIFY on the channel. Returns a function that stops it. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  /**
   * Discards prepared statements. Call it when tables have changed, because a prepared statement keeps its parameter
   * types.
   */
  discardPreparedStatements(): void;
  /** Returns the load, if this process measures it. */
  load?(): DatabaseLoad;
  close(): Promise<void>;
}

/** An error from Postgres, with the fields that PostgREST and Supabase Auth return. `code` is the SQLSTATE. */
export class DatabaseError extends Error {
  readonly code: string;
  readonly detail: string | null;
  readonly hint: string | null;
  readonly constraint: string | null;
  readonly table: string | null;
  readonly column: string | null;

  constructor(fields: {
    code?: string;
    message: string;
    detail?: string;
    hint?: string;
    constraint?: string;
    table?: string;
    column?: string;
    cause?: unknown;
  }) {
    super(fields.message, { cause: fields.cause });
    this.name = 'DatabaseError';
    this.code = fields.code ?? 'XX000';
    this.detail = fields.detail ?? null;
    this.hint = fields.hint ?? null;
    this.constraint = fields.constraint ?? null;
    this.table = fields.table ?? null;
    this.column = fields.column ?? null;
  }
}

export const UNREACHABLE = 'The database cannot be reached right now. Try again shortly.';

/**
 * Returns whether the database is unavailable: the connection failed (class 08), or the server is stopping or starting
 * (57P01 to 57P03).
 */
export function isUnreachable(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && /^(08|57P0[123])/.test(error.code);
}

/** Seconds until clients should retry when the database is busy or unreachable. */
export const RETRY_AFTER_SECONDS = 2;

/** Thrown for work whose wait would be too long. The work was not started. */
export class DatabaseBusyError extends DatabaseError {
  constructor() {
    super({ code: '53300', message: 'The database is overloaded. Try again shortly.' });
  }
}

/** Thrown for a write that a server rejected because it is a standby or read-only. Nothing was changed. */
export class ReadOnlyServerError extends DatabaseError {
  constructor(options: { cause: unknown }) {
    super({
      code: '25006',
      message: 'The database is read-only right now, and nothing was saved. Try again shortly.',
      ...options,
    });
  }
}

/** Returns a message for the client if a retry may succeed soon; null for other errors. */
export function transientErrorMessage(error: unknown): string | null {
  if (error instanceof DatabaseBusyError || error instanceof ReadOnlyServerError) return error.message;
  if (isDiskFull(error)) return DISK_FULL;
  return isUnreachable(error) ? UNREACHABLE : null;
}

export const DISK_FULL = 'The disk of the server is full, and nothing can be saved. Try again later.';

/** Returns whether a write failed because the disk is full, here or on a Postgres server. */
export function isDiskFull(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.code === '53100';
}

/** Rejects work of a client that has disconnected. @throws DatabaseError 57014 */
export function requireNotAborted({ signal }: WorkOptions): void {
  if (signal?.aborted) throw new DatabaseError({ code: '57014', message: 'canceling statement due to user request' });
}

/** Returns the text, or raw bytes for bytea, of a parameter. */
export function toWireValue(value: SqlValue): string | Uint8Array | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return toArrayLiteral(value);
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

function toArrayLiteral(items: readonly SqlValue[]): string {
  const elements = items.map((item) => {
    if (item === null || item === undefined) return 'NULL';
    if (Array.isArray(item)) return toArrayLiteral(item);
    const text = toWireValue(item);
    if (text instanceof Uint8Array) throw new TypeError('Arrays of bytea are not supported as parameters');
    return `"${(text ?? '').replace(/[\\"]/g, '\\$&')}"`;
  });
  return `{${elements.join(',')}}`;
}
