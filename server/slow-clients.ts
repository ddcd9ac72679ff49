/**
 * Closes connections of clients that send or read too slowly. Every ten seconds, a client must send 64 kB of its
 * request body, or read 64 kB of the response, unless less than that remains. That is 6.4 kB/s, which a slow mobile
 * network can reach. Delays that the server causes are not counted, such as a body that it does not read yet, or the
 * pause between two words of a chat stream. Unread responses are held in memory within the limit of
 * packages/backend/src/limits/memory-budget.ts.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MemoryBudget, MemoryReservation } from '@signalfjord/backend';

const DEADLINE_MS = 10_000;
/** Bytes to transfer within the deadline. */
const STEP = 64 * 1024;
const CHECK_INTERVAL_MS = 250;

export interface SlowClientsDependencies {
  memory: MemoryBudget;
  /** Returns the address of a request for rate limits. */
  clientAddressOf: (request: IncomingMessage) => string;
  now?: () => number;
}

export interface SlowClients {
  /** Wraps a listener to watch its clients. */
  watch(listener: RequestListener): RequestListener;
  /** Checks all connections. Called four times a second. */
  check(): void;
  close(): void;
}

export function createSlowClients({
  memory,
  clientAddressOf,
  now = () => performance.now(),
}: SlowClientsDependencies): SlowClients {
  const exchanges = new Set<Exchange>();
  const check = () => {
    for (const exchange of exchanges) if (!exchange.check()) exchanges.delete(exchange);
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  return {
    watch: (listener) => (request, response) => {
      listener(request, response);
      // A cached page is already in the socket buffer.
      const isDone = response.writableEnded && response.writableLength === 0 && !hasBody(request);
      if (!isDone) exchanges.add(new Exchange(request, response, { memory, clientAddressOf, now }));
    },
    check,
    close: () => clearInterval(timer),
  };
}

/** Progress of a transfer, and the time since it stalled. */
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

  update(bytes: number, now: number): void {
    if (bytes - this.#from >= STEP) this.restart(bytes, now);
  }
}

/** A request and its response. */
class Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #dependencies: Required<SlowClientsDependencies>;
  readonly #bodyProgress: Progress;
  readonly #responseProgress: Progress;
  #reservation: MemoryReservation | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, dependencies: Required<SlowClientsDependencies>) {
    this.#request = request;
    this.#response = response;
    this.#socket = request.socket;
    this.#dependencies = dependencies;
    const now = dependencies.now();
    this.#bodyProgress = new Progress(this.#socket.bytesRead, now);
    this.#responseProgress = new Progress(acceptedBytes(this.#socket), now);
    // Large responses often come in bursts. `prefinish` fires when all data was passed on.
    response.once('prefinish', () => this.#hold());
  }

  /** @returns false if the exchange is finished */
  check(): boolean {
    const now = this.#dependencies.now();
    if (this.#socket.destroyed || (this.#request.complete && this.#response.writableFinished)) {
      this.#reservation?.release();
      return false;
    }
    if (!this.#request.complete) this.#checkBody(now);
    this.#checkResponse(now);
    return true;
  }

  #checkBody(now: number): void {
    const { readableLength, readableHighWaterMark } = this.#request;
    if (readableLength >= readableHighWaterMark) this.#bodyProgress.restart(this.#socket.bytesRead, now);
    else this.#bodyProgress.update(this.#socket.bytesRead, now);
    if (!this.#isLate(this.#bodyProgress, now)) return;
    this.#dependencies.memory.countLate('body');
    if (!this.#response.headersSent) this.#socket.write('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n');
    this.#socket.destroy();
  }

  #checkResponse(now: number): void {
    const waiting = this.#response.writableLength;
    if (waiting === 0) this.#responseProgress.restart(acceptedBytes(this.#socket), now);
    else this.#responseProgress.update(acceptedBytes(this.#socket), now);
    this.#hold();
    if (!this.#isLate(this.#responseProgress, now)) return;
    this.#dependencies.memory.countLate('answer');
    this.#socket.destroy();
  }

  #hold(): void {
    const waiting = this.#response.writableLength;
    if (waiting === 0 && !this.#reservation) return;
    const { memory, clientAddressOf } = this.#dependencies;
    this.#reservation ??= memory.reserve('answer', clientAddressOf(this.#request), () => this.#socket.destroy());
    this.#reservation.updateUnread(waiting, this.#responseProgress.since);
  }

  #isLate({ since }: Progress, now: number): boolean {
    return now - since >= DEADLINE_MS;
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Returns the response bytes accepted by the kernel. Node counts the bytes that it has passed on, and only the socket
 * handle shows how much of a large write is still pending.
 */
function acceptedBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  return readNumber(handle, 'bytesWritten') - readNumber(handle, 'writeQueueSize');
}

function readNumber(handle: unknown, name: string): number {
  const value: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, name) : 0;
  return typeof value === 'number' ? value : 0;
}
