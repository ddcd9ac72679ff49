/**
 * The interface between the backend and Postgres. Parameters travel as text, whose type Postgres infers.
 */

/** A value as callers write it. Objects and nested arrays become JSON, flat arrays become Postgres array literals. */
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
  /**
   * The milliseconds that this statement, and each after it in its transaction, may take; OWN_DEADLINE_MS unless given.
   */
  deadlineMs?: number;
  /** True when this statement, and all after it in its transaction, can change nothing. */
  isReadOnly?: boolean;
  /** The role that this statement switches to, for the statements after it in its batch. */
  role?: string;
}

/**
 * Longest time in milliseconds for a statement of ours: far more than any needs, so that one that hangs does not hang
 * the site.
 */
export const OWN_DEADLINE_MS = 60_000;

/** Options that a caller may give with its work. */
export interface WorkOptions {
  /**
   * Work whose turn comes after this has aborted is not begun and fails with 57014. On a server, work that has begun is
   * cancelled, and fails with the same code.
   */
  signal?: AbortSignal | undefined;
  /**
   * Called with the milliseconds that the database worked, without the waiting before; once per round trip, failed ones
   * too.
   */
  onTime?: ((milliseconds: number) => void) | undefined;
}

export interface QueryResult<Row = Record<string, unknown>> {
  rows: Row[];
  /** Rows returned or changed, as in the command tag. */
  rowCount: number;
}

/** Results of several statements, in their order: of each the type of its rows. */
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
  /** Runs one statement. Its deadline holds for the rest of the transaction. @throws DatabaseError */
  run<Row = Record<string, unknown>>(statement: Statement): Promise<QueryResult<Row>>;
}

/** Load of a database. */
export interface DatabaseLoad {
  /** Connections, used or not. */
  connections: number;
  /** Pieces of work that have one, and those that wait for one. */
  working: number;
  waiting: number;
  /** Pieces of work that were refused since the start, because they would have waited for too long. */
  refused: number;
}

export interface Database extends Queryable {
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly SqlValue[],
    options?: WorkOptions,
  ): Promise<QueryResult<Row>>;
  /**
   * Runs statements in one transaction and as few round trips as the driver can. All or nothing. @throws DatabaseError
   */
  batch<Rows extends readonly unknown[] = AnyRows>(
    statements: readonly Statement[],
    options?: WorkOptions,
  ): Promise<Results<Rows>>;
  /**
   * Runs `work` in one transaction: commits when it resolves, rolls back when it rejects. It keeps a connection
   * and locks meanwhile, so never await the network inside.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: WorkOptions): Promise<T>;
  /** Runs a script of several statements without parameters, such as a migration. */
  script(sql: string): Promise<void>;
  /**
   * Runs `work`, which may use the database as it likes, while no other copy of the process runs such work on the same
   * database. For bringing it up to date at start.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Calls `onNotify` with the payload of each NOTIFY on the channel; returns the way to stop. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  /**
   * Lets connections prepare their statements again. Prepared statements keep the types of their parameters, so call it
   * when tables have changed.
   */
  forgetPrepared(): void;
  /** Returns the load, in homes where this process knows it. */
  load?(): DatabaseLoad;
  close(): Promise<void>;
}

/**
 * Error that Postgres answered, with the fields that PostgREST and Supabase Auth answer with. `code` is the SQLSTATE.
 */
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
 * Returns whether the database is away: connections (class 08) cannot be made or ended, or the server stops or starts
 * (57P01 to 03).
 */
export function isUnreachable(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && /^(08|57P0[123])/.test(error.code);
}

/** Seconds until clients should retry when the database is busy or unreachable. */
export const RETRY_AFTER_SECONDS = 2;

/** Thrown for work that would wait for too long behind that of others. Nothing of it was begun. */
export class DatabaseBusyError extends DatabaseError {
  constructor() {
    super({ code: '53300', message: 'The database is overloaded. Try again shortly.' });
  }
}

/**
 * Thrown for a change that a server refused because it is a standby, or was switched to read-only. Nothing was done.
 */
export class ReadOnlyServerError extends DatabaseError {
  constructor(options: { cause: unknown }) {
    super({
      code: '25006',
      message: 'The database is read-only right now, and nothing was saved. Try again shortly.',
      ...options,
    });
  }
}

/** Returns a sentence for the client, when the same work may succeed a moment later; null for every other error. */
export function passingTrouble(error: unknown): string | null {
  if (error instanceof DatabaseBusyError || error instanceof ReadOnlyServerError) return error.message;
  if (isDiskFull(error)) return DISK_FULL;
  return isUnreachable(error) ? UNREACHABLE : null;
}

export const DISK_FULL = 'The disk of the server is full, and nothing can be saved. Try again later.';

/** Returns whether something was not written because the disk is full, here or on a Postgres server. */
export function isDiskFull(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.code === '53100';
}

/** Refuses work of a client that has gone. @throws DatabaseError 57014 */
export function requireStillWanted({ signal }: WorkOptions): void {
  if (signal?.aborted) throw new DatabaseError({ code: '57014', message: 'canceling statement due to user request' });
}

/** Returns the text (or raw bytes, for bytea) that is bound as a parameter. */
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
