/**
 * Begins requests in turns of their addresses, a few in each round of the event loop. The system gives one new
 * connection a round: what a round does is what the next visitor waits for, so a thousand requests that came together
 * are spread over many rounds, and one that came alone is begun at once.
 */

import type { IncomingMessage, RequestListener } from 'node:http';
import type { Server } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { addressKey } from '@signalfjord/backend';

/** Requests are begun in a round until they have taken so long. The last one may take longer. */
const ROUND_MS = 0.5;

/** Longest time for which a render stands back behind requests and connections. */
const MAX_PAUSE_MS = 20;

type Call = Parameters<RequestListener>;

export interface RequestTurnsOptions {
  /** The address that a request is counted by. */
  clientAddressOf: (request: IncomingMessage) => string;
  now?: () => number;
}

export class RequestTurns {
  readonly #options: Required<RequestTurnsOptions>;
  /** Requests that wait, by address; the first address is the next. */
  readonly #waiting = new Map<string, Call[]>();
  #spent = 0;
  #isRoundUnderWay = false;
  #connections = 0;

  constructor(options: RequestTurnsOptions) {
    this.#options = { now: () => performance.now(), ...options };
  }

  /** Hears of the connections of a server. */
  watch(server: Server): void {
    server.on('connection', () => {
      this.#connections++;
    });
  }

  /** Wraps a listener so that it is given requests in turns. A request whose client left meanwhile is not begun. */
  inTurns(listener: RequestListener): RequestListener {
    return (...call) => {
      if (this.#waiting.size > 0 || this.#spent >= ROUND_MS) this.#wait(call);
      else this.#begin(listener, call);
      if (this.#isRoundUnderWay) return;
      this.#isRoundUnderWay = true;
      setImmediate(() => this.#goOn(listener));
    };
  }

  /**
   * Waits until a round brought no connection and no request waits, but for no more than 20 ms, so that a crowd that
   * always comes again stops nothing.
   */
  async untilQuiet(): Promise<void> {
    const end = this.#options.now() + MAX_PAUSE_MS;
    let before: number;
    do {
      before = this.#connections;
      await nextRound();
    } while ((this.#connections > before || this.#waiting.size > 0) && this.#options.now() < end);
  }

  #wait(call: Call): void {
    const address = addressKey(this.#options.clientAddressOf(call[0]));
    const calls = this.#waiting.get(address);
    if (calls) calls.push(call);
    else this.#waiting.set(address, [call]);
  }

  #begin(listener: RequestListener, call: Call): void {
    const start = this.#options.now();
    listener(...call);
    this.#spent += this.#options.now() - start;
  }

  #goOn(listener: RequestListener): void {
    this.#spent = 0;
    this.#isRoundUnderWay = this.#waiting.size > 0;
    if (this.#isRoundUnderWay) setImmediate(() => this.#goOn(listener));
    for (const [address, calls] of this.#waiting) {
      if (this.#spent >= ROUND_MS) break;
      this.#waiting.delete(address);
      const call = calls.shift();
      if (calls.length > 0) this.#waiting.set(address, calls);
      if (call && !call[0].destroyed && !call[0].socket.destroyed) this.#begin(listener, call);
    }
  }
}
