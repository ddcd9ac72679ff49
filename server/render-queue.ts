/** Render queue: two renders at a time, fair by network, and shared by all requests for the same page. */

import { setImmediate as nextRound } from 'node:timers/promises';
import { FairQueue, type QueuePath } from '@signalfjord/backend';
import type { StoredResponse } from './stored-response.ts';

/** Renders share one thread. With two, one can wait for the database while the other renders. */
const AT_ONCE = 2;

/** Maximum places, one page each. At 10 ms per render the last one waits two seconds. */
const MAX_WAITING = 200;

/** Maximum wait before a render is abandoned. */
const MAX_WAIT_MS = 5_000;

/** Rendered response, and whether it may be shared. */
export interface Rendered {
  response: StoredResponse;
  isPublic: boolean;
}

/** The page cannot be rendered now. A retry may succeed. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
  /** Page without the content that could not be read, as a last resort. */
  readonly partial: StoredResponse | undefined;

  constructor(message: string, partial?: StoredResponse) {
    super(message);
    this.partial = partial;
  }
}

/** Client of a render. */
export interface Requester {
  /** Networks for fair scheduling. */
  turnPath: QueuePath;
  /** Aborts when the client disconnects. A render without remaining clients is not started. */
  signal: AbortSignal;
}

/** Requested page with its place in the queue for each network. */
interface Wanted {
  places: Map<string, Place>;
  isBegun: boolean;
  /** True if an unshareable response was delivered to its only client. */
  isGiven: boolean;
  result: PromiseWithResolvers<Rendered>;
}

interface Place {
  requesters: number;
  leave: AbortController;
}

export class RenderQueue {
  #refused = 0;
  #begun = 0;
  readonly #untilQuiet: () => Promise<void>;
  readonly #wanted = new Map<string, Wanted>();
  readonly #turns = new FairQueue({
    atOnce: AT_ONCE,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    refuse: () => {
      this.#refused++;
      return new UnavailableError('Too many pages are waiting to be rendered.');
    },
  });

  /** @param untilQuiet yields between two renders, at least for one event loop iteration */
  constructor(untilQuiet: () => Promise<void> = nextRound) {
    this.#untilQuiet = untilQuiet;
  }

  figures(): { running: number; waiting: number; begun: number; refused: number } {
    const { running, waiting } = this.#turns;
    return { running, waiting, begun: this.#begun, refused: this.#refused };
  }

  /**
   * Renders the page in the turn of any requesting network. A response that must not be shared is sent to one client,
   * and the others get their own turn.
   * @throws UnavailableError if the queue is full for all its networks; the abort reason if all clients left; errors of
   * `render`
   */
  async render(key: string, requester: Requester, render: () => Promise<Rendered>): Promise<Rendered> {
    requester.signal.throwIfAborted();
    const wanted = this.#wanted.get(key) ?? this.#want(key);
    if (!wanted.isBegun) this.#join(key, wanted, requester, render);
    const rendered = await wanted.result.promise;
    if (rendered.isPublic || !wanted.isGiven) {
      wanted.isGiven = true;
      return rendered;
    }
    return this.#turns.take(requester.turnPath, () => this.#begin(render), { signal: requester.signal });
  }

  /** Later requests do not share renders that have already started. */
  forgetBegun(): void {
    for (const [key, { isBegun }] of this.#wanted) if (isBegun) this.#wanted.delete(key);
  }

  #want(key: string): Wanted {
    const wanted: Wanted = {
      places: new Map(),
      isBegun: false,
      isGiven: false,
      result: Promise.withResolvers(),
    };
    this.#wanted.set(key, wanted);
    return wanted;
  }

  #join(key: string, wanted: Wanted, { turnPath, signal }: Requester, render: () => Promise<Rendered>): void {
    const network = turnPath.join(' ');
    let place = wanted.places.get(network);
    if (!place) {
      place = { requesters: 0, leave: new AbortController() };
      wanted.places.set(network, place);
      this.#turns
        .take(turnPath, () => this.#takeTurn(key, wanted, network, render), { signal: place.leave.signal })
        .catch((reason: unknown) => this.#lose(key, wanted, network, reason));
    }
    const joined = place;
    joined.requesters++;
    signal.addEventListener(
      'abort',
      () => {
        joined.requesters--;
        if (joined.requesters === 0) joined.leave.abort(signal.reason);
      },
      { once: true },
    );
  }

  async #takeTurn(key: string, wanted: Wanted, network: string, render: () => Promise<Rendered>): Promise<void> {
    // Yield to the event loop between renders: accept connections, send cached pages, notice disconnects.
    await this.#untilQuiet();
    wanted.places.get(network)?.leave.signal.throwIfAborted();
    if (wanted.isBegun) return;
    wanted.isBegun = true;
    for (const [other, { leave }] of wanted.places) if (other !== network) leave.abort();
    try {
      wanted.result.resolve(await this.#begin(render));
    } catch (error) {
      wanted.result.reject(error);
    } finally {
      this.#forget(key, wanted);
    }
  }

  #begin(render: () => Promise<Rendered>): Promise<Rendered> {
    this.#begun++;
    return render();
  }

  /** Drops a place. The page is abandoned with its last place. */
  #lose(key: string, wanted: Wanted, network: string, reason: unknown): void {
    wanted.places.delete(network);
    if (wanted.isBegun || wanted.places.size > 0) return;
    wanted.result.reject(reason);
    this.#forget(key, wanted);
  }

  #forget(key: string, wanted: Wanted): void {
    if (this.#wanted.get(key) === wanted) this.#wanted.delete(key);
  }
}
