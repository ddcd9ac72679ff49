/**
 * Prepared statements of one connection. Postgres does not parse them again, and caches the plans of frequent
 * statements.
 */

/** Above either limit, the least recently used statement is closed. Plans use memory, and clients choose the texts. */
const MAX_STATEMENTS = 100;
const MAX_CHARACTERS = 64_000;
/** Longer statements are not prepared, because they would evict many others. */
const MAX_KEY_LENGTH = MAX_CHARACTERS / 8;

export interface PreparedStatement<Column> {
  readonly name: string;
  /** Columns of its rows. Postgres rejects the statement if its columns have changed. */
  columns: readonly Column[];
}

export class PreparedStatements<Column> {
  /** By key, least recently used first. */
  readonly #statements = new Map<string, PreparedStatement<Column>>();
  /** Sent in the current exchange, but not acknowledged. */
  readonly #pending = new Set<PreparedStatement<Column>>();
  /** Names to close in the next exchange. Postgres ignores unknown names there. */
  #outdated: string[] = [];
  #characters = 0;
  /** Random, so that names of several clients do not collide if a pooler shares the session. */
  readonly #prefix = crypto.randomUUID().slice(0, 8);
  #count = 0;

  /** Starts an exchange. @returns the names to close in it */
  begin(): readonly string[] {
    // The previous exchange failed, so it is unknown whether Postgres parsed the pending statements.
    this.#discard(this.#pending);
    this.#pending.clear();
    const names = this.#outdated;
    this.#outdated = [];
    return names;
  }

  find(key: string): PreparedStatement<Column> | undefined {
    const statement = this.#statements.get(key);
    if (!statement) return undefined;
    this.#statements.delete(key);
    this.#statements.set(key, statement);
    return statement;
  }

  /** Returns a statement with a new name, to pass to `keep` after Postgres has run it. Undefined for a long text. */
  create(key: string): PreparedStatement<Column> | undefined {
    if (key.length > MAX_KEY_LENGTH) return undefined;
    const statement = { name: `${this.#prefix}_${++this.#count}`, columns: [] };
    this.#pending.add(statement);
    return statement;
  }

  keep(key: string, statement: PreparedStatement<Column>): void {
    // forget() was called while the statement was running.
    if (!this.#pending.delete(statement)) return;
    this.#remove(key);
    this.#statements.set(key, statement);
    this.#characters += key.length;
    for (const [oldest] of this.#statements) {
      if (this.#statements.size <= MAX_STATEMENTS && this.#characters <= MAX_CHARACTERS) break;
      this.#remove(oldest);
    }
  }

  /** Discards all statements, for example after tables have changed. */
  discardAll(): void {
    this.#discard(this.#statements.values());
    this.#discard(this.#pending);
    this.#statements.clear();
    this.#pending.clear();
    this.#characters = 0;
  }

  #remove(key: string): void {
    const statement = this.#statements.get(key);
    if (!statement) return;
    this.#statements.delete(key);
    this.#characters -= key.length;
    this.#discard([statement]);
  }

  #discard(statements: Iterable<PreparedStatement<Column>>): void {
    for (const { name } of statements) this.#outdated.push(name);
  }
}
