/**
 * One worker with the embedded database, seen from the thread that serves requests. Exchanges are posted at once and
 * answered in order, so the worker always has the next one at hand. A watchdog holds the first unanswered exchange to
 * its deadline: a statement cannot be interrupted, so the worker is ended instead.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { DatabaseError, type WorkOptions } from './database.ts';
import { DiskFullError } from './disk-room.ts';

/** Data that a worker is started with. */
export interface WorkerStart {
  port: MessagePort;
  /** Undefined means in memory. */
  folder: string | undefined;
  load: Blob | undefined;
  /** Megabytes of the log that are kept behind the last checkpoint. */
  keptLogMb: number;
  /** Postgres as the first worker compiled it, which takes longer than opening a folder. */
  compiled: WebAssembly.Module | undefined;
  /** [0]: how many requests were begun, for when the worker is ended before it could answer. */
  progress: Int32Array<SharedArrayBuffer>;
}

export type WorkerRequest = Uint8Array<ArrayBuffer> | 'dump' | 'close';

/**
 * Answers, and three words after which the worker stands still: `full`, the database asks for more memory than it may
 * have; `unsound`, its answer shows that Postgres has lost its way; `diskFull`, it has because the disk is full. `failed`: what kept it from opening.
 */
export type WorkerMessage =
  | ArrayBuffer
  | { ready: WebAssembly.Module }
  | 'closed'
  | 'full'
  | 'unsound'
  | 'diskFull'
  | { failed: string; code: string | undefined };

/** JavaScript's own memory in the worker. Postgres' memory is not part of it (pglite-worker.ts limits that). */
const MAX_HEAP_MB = 256;

/** Before the bytes of an answer: the milliseconds it took, as a double. */
export const ANSWER_HEADER_BYTES = 8;

/** Reasons for ending a worker, in the words of the error that its statement fails with. */
const ENDINGS = {
  late: { code: '57014', message: 'canceling statement due to statement timeout' },
  unsound: { code: '57014', message: 'canceling statement due to statement timeout' },
  full: { code: '57014', message: 'canceling statement due to memory limit' },
  crashed: { code: '57014', message: 'canceling statement due to a crash of the database' },
  closed: { code: '57P01', message: 'terminating connection due to administrator command' },
};

/** Time for which a database that has lost its way has done so for want of room, also when there is some again. */
const AFTER_NO_ROOM_MS = 60_000;

type Ending = keyof typeof ENDINGS | 'diskFull';

function endingError(ending: Ending): DatabaseError {
  return ending === 'diskFull' ? new DiskFullError() : new DatabaseError(ENDINGS[ending]);
}

/** Thrown for a request that the worker had not begun when it was ended, so that it can be sent to the next one. */
export class NotBegun extends Error {
  readonly #ending: Ending;

  constructor(ending: Ending) {
    super('The worker was ended before it began this request');
    this.#ending = ending;
  }

  /** Returns the error for callers that cannot send the request again. */
  asDatabaseError(): DatabaseError {
    return endingError(this.#ending);
  }
}

/** Longest time in milliseconds for a request that others wait behind. */
const HURRIED_MS = 1_000;

/** A request that is hurried and that nobody waits behind yet is looked at again so soon. */
const LOOK_AGAIN_MS = 50;

export interface RequestOptions {
  deadlineMs: number;
  onTime?: WorkOptions['onTime'];
  /** Tells whether others wait behind it now; without it the request is not hurried. */
  isHoldingUpOthers?: (() => boolean) | undefined;
  /** True when it can make a change that lasts. */
  mayCommit?: boolean;
}

interface Pending extends RequestOptions {
  resolve(answer: Buffer): void;
  reject(error: Error): void;
}

export class WorkerLink {
  /** Settles when the worker has ended, for whatever reason. */
  readonly ended: Promise<void>;
  readonly compiled: WebAssembly.Module;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #progress: Int32Array<SharedArrayBuffer>;
  readonly #pending: Pending[] = [];
  readonly #settleEnded: () => void;
  #answered = 0;
  #firstSince = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerDue = Number.POSITIVE_INFINITY;
  #ending: Ending | undefined;
  #mayHaveCommitted = false;
  #hadNoRoomAt = Number.NEGATIVE_INFINITY;

  private constructor(
    worker: Worker,
    port: MessagePort,
    progress: Int32Array<SharedArrayBuffer>,
    compiled: WebAssembly.Module,
  ) {
    this.compiled = compiled;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#settleEnded = resolve;
    this.#worker = worker;
    this.#port = port;
    this.#progress = progress;
    port.on('message', (message: WorkerMessage) => this.#hear(message));
    worker.on('error', () => this.end('crashed'));
    worker.on('exit', () => this.end('crashed'));
  }

  /** Starts a worker. @throws Error, with the `code` of a file system error */
  static async start({
    folder,
    load,
    keptLogMb,
    compiled,
  }: Omit<WorkerStart, 'port' | 'progress'>): Promise<WorkerLink> {
    const { port1, port2 } = new MessageChannel();
    const progress = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
      workerData: { port: port2, folder, load, keptLogMb, compiled, progress } satisfies WorkerStart,
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const failure = Promise.withResolvers<never>();
    worker.once('error', failure.reject);
    worker.once('exit', (code) => failure.reject(new Error(`The database's thread ended with code ${code}`)));
    try {
      const first = new Promise<WorkerMessage>((resolve) => port1.once('message', resolve));
      const message = await Promise.race([first, failure.promise]);
      if (typeof message === 'object' && 'ready' in message) {
        return new WorkerLink(worker, port1, progress, message.ready);
      }
      throw asError(message);
    } catch (error) {
      port1.close();
      await worker.terminate();
      throw error;
    }
  }

  /**
   * Returns the answer to a request, as Postgres wrote it, or the dump.
   * @throws NotBegun, DatabaseError 57014 or 57P01 when the worker was ended meanwhile
   */
  request(request: WorkerRequest, options: RequestOptions): Promise<Buffer> {
    if (this.#ending) return Promise.reject(new NotBegun(this.#ending));
    return new Promise((resolve, reject) => {
      this.#pending.push({ ...options, resolve, reject });
      if (this.#pending.length === 1) this.#watchFirst();
      this.#port.postMessage(request, typeof request === 'string' ? [] : [request.buffer]);
    });
  }

  /** Ends the thread and fails what it had begun. Nothing of it runs any more when this settles. */
  async end(reason: Ending): Promise<void> {
    if (this.#ending) return this.ended;
    this.#ending = reason;
    clearTimeout(this.#timer);
    await this.#worker.terminate();
    // Answers that had been sent before.
    this.#hearAll();
    this.#port.close();
    const begun = Atomics.load(this.#progress, 0) - this.#answered;
    for (const [index, { reject, onTime, mayCommit = false }] of this.#pending.splice(0).entries()) {
      if (index === 0 && begun > 0) onTime?.(performance.now() - this.#firstSince);
      if (index < begun && mayCommit) this.#mayHaveCommitted = true;
      reject(index < begun ? endingError(reason) : new NotBegun(reason));
    }
    this.#settleEnded();
  }

  /** Closes the database and its thread when nothing is under way, within `graceMs`; otherwise cancels what is. */
  async close(graceMs: number): Promise<void> {
    if (this.#pending.length === 0) await this.request('close', { deadlineMs: graceMs }).catch(() => undefined);
    await this.end('closed');
  }

  get hasEnded(): boolean {
    return this.#ending !== undefined;
  }

  /** Tells whether work was under way at the end that may have been committed, and whose notifications are lost. */
  get mayHaveCommitted(): boolean {
    return this.#mayHaveCommitted;
  }

  /** Notes that the disk has no room for what writes: what Postgres loses its way by now shows only later, at any statement. */
  noteNoRoom(): void {
    this.#hadNoRoomAt = performance.now();
  }

  #hear(message: WorkerMessage): void {
    if (message === 'unsound' && performance.now() - this.#hadNoRoomAt < AFTER_NO_ROOM_MS) {
      void this.end('diskFull');
    } else if (message === 'full' || message === 'unsound' || message === 'diskFull') {
      void this.end(message);
    } else if (message instanceof ArrayBuffer || message === 'closed') {
      this.#answered++;
      const answered = this.#pending.shift();
      const answer = message instanceof ArrayBuffer ? Buffer.from(message) : Buffer.alloc(ANSWER_HEADER_BYTES);
      answered?.onTime?.(answer.readDoubleBE(0));
      answered?.resolve(answer.subarray(ANSWER_HEADER_BYTES));
      if (this.#pending.length > 0) this.#watchFirst();
    }
  }

  #hearAll(): void {
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port)) {
      this.#hear(next.message);
    }
  }

  /** The first request was begun when the one before it was answered, or when it was posted. */
  #watchFirst(): void {
    this.#firstSince = performance.now();
    this.#setTimer();
  }

  #setTimer(): void {
    const [first] = this.#pending;
    if (!first || this.#ending) return;
    const { deadlineMs, isHoldingUpOthers } = first;
    const hurriedAt = this.#firstSince + HURRIED_MS;
    const lookAt = isHoldingUpOthers
      ? Math.max(hurriedAt, performance.now() + LOOK_AGAIN_MS)
      : Number.POSITIVE_INFINITY;
    const due = Math.min(this.#firstSince + deadlineMs, lookAt);
    // A timer that fires too early sets the next one, which costs less than one timer for each request.
    if (due >= this.#timerDue) return;
    clearTimeout(this.#timer);
    this.#timerDue = due;
    this.#timer = setTimeout(() => this.#look(), Math.max(1, due - performance.now()));
  }

  #look(): void {
    this.#timerDue = Number.POSITIVE_INFINITY;
    // This thread may have been busy itself while an answer lay waiting.
    this.#hearAll();
    const [first] = this.#pending;
    if (first && this.#isLate(first)) void this.end('late');
    else this.#setTimer();
  }

  #isLate({ deadlineMs, isHoldingUpOthers }: Pending): boolean {
    const elapsed = performance.now() - this.#firstSince;
    return elapsed >= deadlineMs || (elapsed >= HURRIED_MS && isHoldingUpOthers?.() === true);
  }
}

function asError(message: WorkerMessage): Error {
  const { failed, code } =
    typeof message === 'object' && 'failed' in message ? message : { failed: 'The database did not open', code: '' };
  return Object.assign(new Error(failed), code ? { code } : {});
}
