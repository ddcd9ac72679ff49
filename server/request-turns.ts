/**
 * Starts queued requests in fair turns by address, a few per event loop iteration. Node accepts one new connection per
 * iteration, so long iterations delay new visitors. A burst of a thousand requests is spread over many iterations. A
 * single request starts immediately.
 */

import type { IncomingMessage, RequestListener } from 'node:http';
import type { Server } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { addressKey } from '@signalfjord/backend';

/** Time budget per iteration. The last request may exceed it. */
const ROUND_MS = 0.5;

/** Maximum time that a render yields to requests and connections. */
const MAX_PAUSE_MS = 20;

type Call = Parameters<RequestListener>;

export interface RequestTurnsOptions {
  /** Returns the address of a request for rate limits. */
  clientAddressOf: (request: IncomingMessage) => string;
  now?: () => number;
}

export class RequestTurns {
  readonly #options: Required<RequestTurnsOptions>;
  /** Queued requests by address. The first address is next. */
  readonly #waiting = new Map<string, Call[]>();
  #spentMs = 0;
  #isRoundRunning = false;
  #connections = 0;

  constructor(options: RequestTurnsOptions) {
    this.#options = { now: () => performance.now(), ...options };
  }

  /** Counts new connections of a server. */
  watch(server: Server): void {
    server.on('connection', () => {
      this.#connections++;
    });
  }

  /** Wraps a listener so that requests start in turns. Requests of disconnected clients are dropped. */
  inTurns(listener: RequestListener): RequestListener {
    return (...call) => {
      if (this.#waiting.size > 0 || this.#spentMs >= ROUND_MS) this.#enqueue(call);
      else this.#start(listener, call);
      if (this.#isRoundRunning) return;
      this.#isRoundRunning = true;
      setImmediate(() => this.#startNext(listener));
    };
  }

  /**
   * Waits for an iteration without new connections and queued requests, at most 20 ms, so that constant load cannot
   * block renders.
   */
  async untilIdle(): Promise<void> {
    const end = this.#options.now() + MAX_PAUSE_MS;
    let previousConnections: number;
    do {
      previousConnections = this.#connections;
      await nextRound();
    } while ((this.#connections > previousConnections || this.#waiting.size > 0) && this.#options.now() < end);
  }

  #enqueue(call: Call): void {
    const address = addressKey(this.#options.clientAddressOf(call[0]));
    const calls = this.#waiting.get(address);
    if (calls) calls.push(call);
    else this.#waiting.set(address, [call]);
  }

  #start(listener: RequestListener, call: Call): void {
    const start = this.#options.now();
    listener(...call);
    this.#spentMs += this.#options.now() - start;
  }

  #startNext(listener: RequestListener): void {
    this.#spentMs = 0;
    this.#isRoundRunning = this.#waiting.size > 0;
    if (this.#isRoundRunning) setImmediate(() => this.#startNext(listener));
    for (const [address, calls] of this.#waiting) {
      if (this.#spentMs >= ROUND_MS) break;
      this.#waiting.delete(address);
      const call = calls.shift();
      if (calls.length > 0) this.#waiting.set(address, calls);
      if (call && !call[0].destroyed && !call[0].socket.destroyed) this.#start(listener, call);
    }
  }
}
