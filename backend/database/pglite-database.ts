/**
 * PGlite as a Database, in a worker thread. PGlite is one connection, whose turns are shared fairly. When a statement takes
 * too long or breaks Postgres, the worker is ended and the folder is opened by a new one; what was not begun is sent again,
 * what was begun fails with 57014 (docs/decisions/embedded-database.md).
 */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { askingForOurselves } from './asker.ts';
import { keepCheckpoints } from './checkpoints.ts';
import {
  type Database,
  DatabaseError,
  type DatabaseLoad,
  type QueryResult,
  type Results,
  type SqlValue,
  type Statement,
  type Transaction,
  type WorkOptions,
} from './database.ts';
import { DiskFullError, DiskRoom } from './disk-room.ts';
import { messageOf } from './errors.ts';
import { COMMIT, PgliteSession, type SendOptions } from './pglite-session.ts';
import { DatabaseTurns, type Turn, type TurnTaken } from './pglite-turns.ts';
import { isShortOfMemory } from './short-of-memory.ts';
import { NotBegun, WorkerLink, type WorkerStart } from './worker-link.ts';

// While it frees code of WebAssembly, V8 can end the whole process (docs/decisions/embedded-database.md).
setFlagsFromString('--no-wasm-code-gc');
// The code that V8 makes first stays, where there is no room to make a better one (docs/decisions/embedded-database.md).
if (isShortOfMemory()) {
  for (const option of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(option);
}

/** Exchanges posted to the worker while it computes, the one under way included; nothing overtakes what was posted. */
const POSTED_AT_ONCE = 4;

/** Reopening is tried so often; then statements fail until RETRY_AFTER_MS have passed. */
const MAX_ATTEMPTS = 3;
const RETRY_AFTER_MS = 5_000;

/** Time in milliseconds that close() waits for the work before it, and then for the database's last checkpoint. */
const CLOSE_GRACE_MS = 2_000;
const CHECKPOINT_MS = 10_000;

/** The dump of a database of the size of a site takes a second. */
const DUMP_DEADLINE_MS = 60_000;

const ALONE: Turn = { statements: [], options: {}, isAlone: 'always' };

/** Postgres as this process has compiled it, with the code that V8 has made faster since. */
let compiled: WebAssembly.Module | undefined;

/**
 * Opens (or creates) the database in `folder`; undefined means in memory. A dump of `dump()` can be loaded.
 * @param options.room on the disk of the folder; without a ballast unless given
 * @param options.keptLogMb megabytes of the log that stay for who copies it; none unless given
 */
export async function openPgliteDatabase(options: {
  folder?: string;
  load?: Blob;
  room?: DiskRoom;
  keptLogMb?: number;
}): Promise<PgliteDatabase> {
  const { folder, load, room = folder === undefined ? null : new DiskRoom(folder), keptLogMb = 0 } = options;
  await room?.makeRoomToOpen();
  return new PgliteDatabase({ folder, keptLogMb }, room, await startWorker({ folder, load, keptLogMb }));
}

async function startWorker(start: Pick<WorkerStart, 'folder' | 'load' | 'keptLogMb'>): Promise<WorkerLink> {
  const link = await WorkerLink.start({ ...start, compiled });
  compiled = link.compiled;
  return link;
}

export class PgliteDatabase implements Database {
  readonly #folder: string | undefined;
  readonly #keptLogMb: number;
  readonly #room: DiskRoom | null;
  readonly #turns = new DatabaseTurns(POSTED_AT_ONCE);
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  #session: Promise<PgliteSession>;
  readonly #stopCheckpoints: () => void;
  #failedAt: number | null = null;
  /** True when a worker was ended that may have committed something without telling its listeners. */
  #mayHaveMissed = false;
  #isClosed = false;

  constructor(
    { folder, keptLogMb }: Pick<WorkerStart, 'folder' | 'keptLogMb'>,
    room: DiskRoom | null,
    link: WorkerLink,
  ) {
    this.#folder = folder;
    this.#keptLogMb = keptLogMb;
    this.#room = room;
    const session = this.#createSession(link);
    this.#session = Promise.resolve(session);
    this.#reopenWhenEnded(session);
    this.#stopCheckpoints = folder === undefined ? () => undefined : keepCheckpoints(this);
  }

  async query<Row>(
    text: string,
    values: readonly SqlValue[] = [],
    options: WorkOptions = {},
  ): Promise<QueryResult<Row>> {
    const [result] = await this.batch<[Row]>([{ text, values }], options);
    return result;
  }

  async batch<Rows extends readonly unknown[]>(
    statements: readonly Statement[],
    options: WorkOptions = {},
  ): Promise<Results<Rows>> {
    return this.#turns.take({ statements, options, isAlone: 'unless light' }, (taken) =>
      this.#onSession((session) => session.send<Rows>(statements, sendOptions(taken))),
    );
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: WorkOptions = {}): Promise<T> {
    return this.#turns.take({ statements: options.foreseen ?? [], options, isAlone: 'always' }, async (taken) => {
      const session = await this.#onSession(async (begun) => {
        await begun.send([{ text: 'begin', isReadOnly: true }], sendOptions(taken));
        return begun;
      });
      const transaction = new PgliteTransaction(session, sendOptions(taken));
      let result: T;
      try {
        result = await work(transaction);
      } catch (error) {
        await transaction.rollBack();
        throw error;
      }
      await transaction.commit();
      return result;
    });
  }

  async script(sql: string): Promise<void> {
    await this.#turns.take(ALONE, () => this.#onSession((session) => session.script(sql)));
  }

  /**
   * Runs a script in a moment in which nobody waits. Not on a disk without room for the bytes that it may write: to write
   * nothing is asked of transactions, and a vacuum is none.
   * @returns false when this is no such moment: nothing was run
   */
  async whenIdle(sql: string, bytes: number): Promise<boolean> {
    const isIdle = () => this.#turns.waiting === 0;
    if (!isIdle() || (await this.#room?.isEnoughAfter(bytes)) === false) return false;
    return this.#turns.take(ALONE, async () => {
      if (!isIdle()) return false;
      await this.#onSession((session) => session.script(sql));
      return true;
    });
  }

  /** The lock on the folder keeps other processes away. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    // Listeners do work of their own when they are told of a change, and not that of the request that made it.
    const heard = (payload: string) => askingForOurselves(() => onNotify(payload));
    this.#listeners.set(channel, listeners.add(heard));
    await this.query(listenTo(channel));
    return async () => {
      listeners.delete(heard);
    };
  }

  load(): DatabaseLoad {
    const { running, waiting, refused } = this.#turns;
    const working = Math.min(running, 1);
    return { connections: 1, working, waiting: waiting + running - working, refused };
  }

  /** Dumps the whole database as a tar file; the tests start from one instead of migrating each time. */
  async dump(): Promise<Blob> {
    const dumped = () => this.#onSession(({ link }) => link.request('dump', { deadlineMs: DUMP_DEADLINE_MS }));
    return new Blob([new Uint8Array(await this.#turns.take(ALONE, dumped))]);
  }

  /** Lets the work before it end, within reason: what still runs after that is cancelled, and what waits is refused. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#stopCheckpoints();
    const ended = this.#turns.take(ALONE, async () => undefined);
    await Promise.race([ended, wait(CLOSE_GRACE_MS, undefined, { ref: false })]);
    this.#isClosed = true;
    const session = await this.#session.catch(() => null);
    await session?.link.close(CHECKPOINT_MS);
    await this.#room?.close();
  }

  /** Does `work` on the current session, and on the next one when the worker ended before it began. */
  async #onSession<T>(work: (session: PgliteSession) => Promise<T>): Promise<T> {
    for (let isAgain = false; ; ) {
      const session = await this.#currentSession();
      if (this.#room) {
        const isEnough = await this.#room.isEnough();
        session.allowWrites(isEnough);
        if (!isEnough) session.link.noteNoRoom();
      }
      try {
        return await work(session);
      } catch (error) {
        // Even reading writes to the log now and then. A request that could only read is safe to send again; once, so
        // that it does not end every worker.
        const isSafe: boolean =
          error instanceof DiskFullError && session.link.hasEnded && !session.mayWrite && !isAgain;
        isAgain ||= isSafe;
        if (!isSafe && !(error instanceof NotBegun)) throw error;
        await session.link.ended;
      }
    }
  }

  #currentSession(): Promise<PgliteSession> {
    if (this.#isClosed) throw new DatabaseError({ code: '57P01', message: 'The database is closed' });
    if (this.#failedAt !== null && performance.now() - this.#failedAt > RETRY_AFTER_MS) this.#reopen();
    return this.#session;
  }

  #createSession(link: WorkerLink): PgliteSession {
    return new PgliteSession(link, (channel, payload) => {
      for (const onNotify of this.#listeners.get(channel) ?? []) onNotify(payload);
    });
  }

  #reopenWhenEnded({ link }: PgliteSession): void {
    void link.ended.then(() => {
      this.#mayHaveMissed ||= link.mayHaveCommitted;
      if (!this.#isClosed) this.#reopen();
    });
  }

  #reopen(): void {
    this.#failedAt = null;
    this.#session = this.#openAgain();
    this.#session.then(
      (session) => this.#reopenWhenEnded(session),
      () => {
        this.#failedAt = performance.now();
      },
    );
  }

  async #openAgain(): Promise<PgliteSession> {
    const folder = this.#folder;
    if (folder === undefined) {
      throw new DatabaseError({ code: '57P03', message: 'The database was in memory and has ended' });
    }
    for (let attempt = 1; ; attempt++) {
      try {
        // Without it PGlite would begin a new database.
        await access(join(folder, 'PG_VERSION'));
        await this.#room?.makeRoomToOpen();
        return await this.#resume(
          this.#createSession(await startWorker({ folder, load: undefined, keptLogMb: this.#keptLogMb })),
        );
      } catch (cause) {
        if (attempt === MAX_ATTEMPTS && (await this.#room?.isEnough()) === false) throw new DiskFullError({ cause });
        const message = `The database could not be opened again: ${messageOf(cause)}`;
        if (attempt === MAX_ATTEMPTS) throw new DatabaseError({ code: '57P03', message, cause });
      }
    }
  }

  /** Listens again, and tells the listeners if they may have missed something: what notifies is a commit. */
  async #resume(session: PgliteSession): Promise<PgliteSession> {
    try {
      for (const channel of this.#listeners.keys()) await session.send([{ text: listenTo(channel), isReadOnly: true }]);
    } catch (error) {
      await session.link.end('crashed');
      throw error;
    }
    if (this.#mayHaveMissed) for (const heard of [...this.#listeners.values()].flatMap((all) => [...all])) heard('');
    this.#mayHaveMissed = false;
    return session;
  }
}

/** Bound to the session it began on: nothing of it can reach the next worker. */
class PgliteTransaction implements Transaction {
  readonly #session: PgliteSession;
  readonly #options: SendOptions;
  #deadlineMs: number | undefined;

  constructor(session: PgliteSession, options: SendOptions) {
    this.#session = session;
    this.#options = options;
  }

  async query<Row>(text: string, values: readonly SqlValue[] = []): Promise<QueryResult<Row>> {
    return this.run<Row>({ text, values });
  }

  async run<Row = Record<string, unknown>>(statement: Statement): Promise<QueryResult<Row>> {
    this.#deadlineMs = statement.deadlineMs ?? this.#deadlineMs;
    const [result] = await this.#send<Row>(statement, this.#deadlineMs);
    return result;
  }

  async commit(): Promise<void> {
    await this.#send({ text: COMMIT });
  }

  async rollBack(): Promise<void> {
    // A worker that has ended took the transaction with it.
    if (!this.#session.link.hasEnded) await this.#send({ text: 'rollback' });
  }

  async #send<Row>(statement: Statement, deadlineMs?: number): Promise<Results<[Row]>> {
    try {
      return await this.#session.send<[Row]>([statement], { ...this.#options, deadlineMs, isInTransaction: true });
    } catch (error) {
      throw error instanceof NotBegun ? error.asDatabaseError() : error;
    }
  }
}

function sendOptions({ options: { onTime }, isHoldingUpOthers }: TurnTaken): SendOptions {
  return { onTime, isHoldingUpOthers };
}

function listenTo(channel: string): string {
  return `listen "${channel.replaceAll('"', '""')}"`;
}
