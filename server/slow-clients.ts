/**
 * Ends the connections of clients that neither send nor read. A body must bring 64 kB, or its end, every ten seconds,
 * and an answer must be taken at that pace: a person on a poor mobile network uploads a large picture at 6.4 kB a
 * second and more, and nobody holds memory and connections by doing nothing. Waiting for us is not counted against
 * anybody: a body that nobody reads yet, and an answer of which everything so far was taken, such as a chat whose next
 * word is not there yet. Answers that nobody takes are held in memory, within the bound of
 * packages/backend/src/fairness/held-bytes.ts.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Held, HeldBytes } from '@signalfjord/backend';

const DEADLINE_MS = 10_000;
/** Bytes to move within the deadline. */
const STEP = 64 * 1024;
/** Between two looks at all connections. */
const LOOK_MS = 250;

export interface SlowClientsParts {
  held: HeldBytes;
  /** The address that a request is counted by. */
  clientAddressOf: (request: IncomingMessage) => string;
  now?: () => number;
}

export interface SlowClients {
  /** The listener, whose clients are watched. */
  watch(listener: RequestListener): RequestListener;
  /** Looks at all connections, as is done four times a second. */
  look(): void;
  close(): void;
}

export function createSlowClients({
  held,
  clientAddressOf,
  now = () => performance.now(),
}: SlowClientsParts): SlowClients {
  const open = new Set<Exchange>();
  const look = () => {
    for (const exchange of open) if (!exchange.look()) open.delete(exchange);
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    watch: (listener) => (request, response) => {
      listener(request, response);
      // A kept page is with the system already, and needs nobody to watch it.
      const isDone = response.writableEnded && response.writableLength === 0 && !hasBody(request);
      if (!isDone) open.add(new Exchange(request, response, { held, clientAddressOf, now }));
    },
    look,
    close: () => clearInterval(timer),
  };
}

/** Progress of a transfer, and the time since which it has hardly moved. */
class Progress {
  since: number;
  #from: number;

  constructor(from: number, now: number) {
    this.#from = from;
    this.since = now;
  }

  restart(from: number, now: number): void {
    this.#from = from;
    this.since = now;
  }

  note(bytes: number, now: number): void {
    if (bytes - this.#from >= STEP) this.restart(bytes, now);
  }
}

/** A request and its answer. */
class Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #parts: Required<SlowClientsParts>;
  readonly #body: Progress;
  readonly #answer: Progress;
  #held: Held | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, parts: Required<SlowClientsParts>) {
    this.#request = request;
    this.#response = response;
    this.#socket = request.socket;
    this.#parts = parts;
    const now = parts.now();
    this.#body = new Progress(this.#socket.bytesRead, now);
    this.#answer = new Progress(takenBytes(this.#socket), now);
    // Large answers come many at once; Node tells when all of one was handed on.
    response.once('prefinish', () => this.#hold());
  }

  /** @returns whether it goes on */
  look(): boolean {
    const now = this.#parts.now();
    if (this.#socket.destroyed || (this.#request.complete && this.#response.writableFinished)) {
      this.#held?.release();
      return false;
    }
    if (!this.#request.complete) this.#lookAtBody(now);
    this.#lookAtAnswer(now);
    return true;
  }

  #lookAtBody(now: number): void {
    const { readableLength, readableHighWaterMark } = this.#request;
    if (readableLength >= readableHighWaterMark) this.#body.restart(this.#socket.bytesRead, now);
    else this.#body.note(this.#socket.bytesRead, now);
    if (!this.#isLate(this.#body, now)) return;
    this.#parts.held.noteLate('body');
    if (!this.#response.headersSent) this.#socket.write('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n');
    this.#socket.destroy();
  }

  #lookAtAnswer(now: number): void {
    const waiting = this.#response.writableLength;
    if (waiting === 0) this.#answer.restart(takenBytes(this.#socket), now);
    else this.#answer.note(takenBytes(this.#socket), now);
    this.#hold();
    if (!this.#isLate(this.#answer, now)) return;
    this.#parts.held.noteLate('answer');
    this.#socket.destroy();
  }

  #hold(): void {
    const waiting = this.#response.writableLength;
    if (waiting === 0 && !this.#held) return;
    const { held, clientAddressOf } = this.#parts;
    this.#held ??= held.hold('answer', clientAddressOf(this.#request), () => this.#socket.destroy());
    this.#held.keep(waiting, this.#answer.since);
  }

  #isLate({ since }: Progress, now: number): boolean {
    return now - since >= DEADLINE_MS;
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Bytes of all answers that the system took over from us. Node counts what it handed on, and shows only on the handle of the
 * socket how much of a large write the system has not taken yet.
 */
function takenBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  return numberOf(handle, 'bytesWritten') - numberOf(handle, 'writeQueueSize');
}

function numberOf(handle: unknown, name: string): number {
  const value: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, name) : 0;
  return typeof value === 'number' ? value : 0;
}
