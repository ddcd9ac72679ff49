/**
 * Session of a worker's one connection, with its prepared statements. A batch is one exchange: it parses each statement
 * once per session, and needs no BEGIN, because everything up to one Sync is one transaction
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
 */
import {
  type AnyRows,
  DatabaseError,
  OWN_DEADLINE_MS,
  type Results,
  type Statement,
  toWireValue,
  type WorkOptions,
} from './database.ts';
import { DiskFullError } from './disk-room.ts';
import { type Answer, readAnswer } from './pglite-answer.ts';
import { RequestWriter } from './pglite-request.ts';
import type { RequestOptions, WorkerLink } from './worker-link.ts';

/** Prepared statements kept; the oldest is closed when one more comes. */
const MAX_PREPARED = 500;

/** Ends a transaction of several exchanges; until then nothing of it stays. */
export const COMMIT = 'commit';

/** Migrations and starter content, in milliseconds. */
const SCRIPT_DEADLINE_MS = 10 * 60_000;

type OnNotify = (channel: string, payload: string) => void;

export interface SendOptions {
  deadlineMs?: number | undefined;
  /** Then an error has ended the transaction, and the exchange cannot be tried again. */
  isInTransaction?: boolean;
  onTime?: WorkOptions['onTime'];
  isHoldingUpOthers?: RequestOptions['isHoldingUpOthers'];
}

export class PgliteSession {
  readonly link: WorkerLink;
  readonly #onNotify: OnNotify;
  readonly #writer = new RequestWriter();
  readonly #prepared = new Map<string, string>();
  #mayWrite = true;
  #nextName = 0;
  /** Names of statements that may or may not exist any more: closing either is no error. */
  #closeNext: string[] = [];

  constructor(link: WorkerLink, onNotify: OnNotify) {
    this.link = link;
    this.#onNotify = onNotify;
  }

  get mayWrite(): boolean {
    return this.#mayWrite;
  }

  /** Makes every transaction that begins from now on read-only, or none any more. */
  allowWrites(mayWrite: boolean): void {
    if (mayWrite === this.#mayWrite) return;
    this.#mayWrite = mayWrite;
    const text = `set default_transaction_read_only = ${mayWrite ? 'off' : 'on'}`;
    // Posted before whatever comes next; when the worker ends, so does the session.
    this.send([{ text, isReadOnly: true }]).catch(() => undefined);
  }

  /** Runs statements in one exchange. @throws DatabaseError, NotBegun */
  async send<Rows extends readonly unknown[] = AnyRows>(
    statements: readonly Statement[],
    options: SendOptions = {},
  ): Promise<Results<Rows>> {
    const { onTime, isInTransaction = false } = options;
    const deadlineMs =
      options.deadlineMs ?? Math.min(...statements.map((statement) => statement.deadlineMs ?? OWN_DEADLINE_MS));
    const request = {
      deadlineMs,
      onTime,
      // Only those who have a deadline of their own are hurried: the service and our own work are trusted with the time.
      isHoldingUpOthers: deadlineMs < OWN_DEADLINE_MS ? options.isHoldingUpOthers : undefined,
      mayCommit: isInTransaction
        ? statements.some(({ text }) => text === COMMIT)
        : !statements.some(({ isReadOnly }) => isReadOnly),
    };
    let answer = await this.#exchange(this.#write(statements), request);
    if (answer.error) {
      this.#forget(statements);
      if (isInTransaction || !isStale(answer.error)) throw answer.error;
      answer = await this.#exchange(this.#write(statements), request);
      if (answer.error) throw answer.error;
    }
    return answer.results as Results<Rows>;
  }

  /** Runs a script as one transaction. @throws DatabaseError, NotBegun */
  async script(sql: string): Promise<void> {
    this.#writer.script(sql);
    const { error } = await this.#exchange(this.#writer.take(), { deadlineMs: SCRIPT_DEADLINE_MS, mayCommit: true });
    if (error) throw error;
  }

  async #exchange(request: Uint8Array<ArrayBuffer>, options: RequestOptions): Promise<Answer> {
    const mayWrite = this.#mayWrite;
    const answer = readAnswer(await this.link.request(request, options));
    if (!mayWrite && answer.error?.code === '25006') answer.error = new DiskFullError({ cause: answer.error });
    for (const { channel, payload } of answer.notifications) queueMicrotask(() => this.#onNotify(channel, payload));
    return answer;
  }

  #write(statements: readonly Statement[]): Uint8Array<ArrayBuffer> {
    const values = statements.map((statement) => (statement.values ?? []).map(toWireValue));
    for (const { text } of statements) requireText(text);
    for (const name of this.#closeNext.splice(0)) this.#writer.close(name);
    for (const [index, { text }] of statements.entries()) {
      let name = this.#prepared.get(text);
      if (name === undefined) {
        name = `s${this.#nextName++}`;
        this.#writer.parse(name, text);
        this.#prepared.set(text, name);
      }
      this.#writer.run(name, values[index] ?? []);
    }
    for (const [text, name] of this.#prepared) {
      if (this.#prepared.size <= MAX_PREPARED) break;
      this.#prepared.delete(text);
      this.#writer.close(name);
    }
    this.#writer.sync();
    return this.#writer.take();
  }

  /** After an error nobody knows which of them were prepared. */
  #forget(statements: readonly Statement[]): void {
    for (const { text } of statements) {
      const name = this.#prepared.get(text);
      if (name === undefined) continue;
      this.#prepared.delete(text);
      this.#closeNext.push(name);
    }
  }
}

/** Tells whether a table changed under a prepared statement, or the exchange ahead that was to prepare it failed. */
function isStale({ code, message }: DatabaseError): boolean {
  return code === '26000' || (code === '0A000' && message.startsWith('cached plan'));
}

/** @throws DatabaseError 22021, because a NUL would end the text early */
function requireText(text: string): void {
  if (!text.includes('\0')) return;
  throw new DatabaseError({ code: '22021', message: 'invalid byte sequence for encoding "UTF8": 0x00' });
}
