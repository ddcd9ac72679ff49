/**
 * Statements that one connection has prepared. Postgres does not parse them again, and plans those that are used often
 * only once.
 */

/** Past either limit the least recently used statement is closed: plans take memory, and visitors choose the texts. */
const MAX_STATEMENTS = 100;
const MAX_CHARACTERS = 64_000;
/** A longer one is not prepared: it would close many others. */
const MAX_KEY = MAX_CHARACTERS / 8;

export interface PreparedStatement<Column> {
  readonly name: string;
  /** Columns of its rows. Postgres fails to run a statement whose columns have changed since. */
  columns: readonly Column[];
}

export class PreparedStatements<Column> {
  /** By key, the least recently used first. */
  readonly #kept = new Map<string, PreparedStatement<Column>>();
  /** Sent in the current exchange, and not acknowledged yet. */
  readonly #pending = new Set<PreparedStatement<Column>>();
  /** Names to close with the next exchange. Postgres accepts names there that do not exist. */
  #outdated: string[] = [];
  #characters = 0;
  /** Random, so that a name never means a statement of another client if a pooler shares the session. */
  readonly #prefix = crypto.randomUUID().slice(0, 8);
  #count = 0;

  /** Begins an exchange. @returns the names to close in it */
  begin(): readonly string[] {
    // An error ended the exchange before: whether Postgres parsed these before it is not known.
    this.#discard(this.#pending);
    this.#pending.clear();
    const names = this.#outdated;
    this.#outdated = [];
    return names;
  }

  find(key: string): PreparedStatement<Column> | undefined {
    const statement = this.#kept.get(key);
    if (!statement) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, statement);
    return statement;
  }

  /**
   * Returns a statement with a new name, to be kept once Postgres has run it; undefined for a text that is too long.
   */
  create(key: string): PreparedStatement<Column> | undefined {
    if (key.length > MAX_KEY) return undefined;
    const statement = { name: `${this.#prefix}_${++this.#count}`, columns: [] };
    this.#pending.add(statement);
    return statement;
  }

  keep(key: string, statement: PreparedStatement<Column>): void {
    // It was forgotten while it was under way.
    if (!this.#pending.delete(statement)) return;
    this.#remove(key);
    this.#kept.set(key, statement);
    this.#characters += key.length;
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= MAX_STATEMENTS && this.#characters <= MAX_CHARACTERS) break;
      this.#remove(oldest);
    }
  }

  /** Forgets all statements, such as after tables have changed. */
  forget(): void {
    this.#discard(this.#kept.values());
    this.#discard(this.#pending);
    this.#kept.clear();
    this.#pending.clear();
    this.#characters = 0;
  }

  #remove(key: string): void {
    const statement = this.#kept.get(key);
    if (!statement) return;
    this.#kept.delete(key);
    this.#characters -= key.length;
    this.#discard([statement]);
  }

  #discard(statements: Iterable<PreparedStatement<Column>>): void {
    for (const { name } of statements) this.#outdated.push(name);
  }
}
