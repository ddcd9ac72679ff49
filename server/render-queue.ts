/** Render queue: two renders at a time, fair by network, and shared by all requests for the same page. */

import { setImmediate as nextRound } from 'node:timers/promises';
import { FairQueue, type QueuePath } from '@signalfjord/backend';
import type { StoredResponse } from './stored-response.ts';

/** Renders share a thread. With two, a page can be rendered while another waits for the database. */
const MAX_CONCURRENT = 2;

/** Maximum number of places. At 10 ms per render, the last page waits two seconds. */
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
interface QueuedPage {
  places: Map<string, Place>;
  isStarted: boolean;
  /** True if an unshareable response was delivered to its only client. */
  isDelivered: boolean;
  result: PromiseWithResolvers<Rendered>;
}

interface Place {
  requesters: number;
  controller: AbortController;
}

export class RenderQueue {
  #refused = 0;
  #started = 0;
  readonly #untilIdle: () => Promise<void>;
  readonly #pages = new Map<string, QueuedPage>();
  readonly #turns = new FairQueue({
    maxConcurrent: MAX_CONCURRENT,
    maxQueued: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    createError: () => {
      this.#refused++;
      return new UnavailableError('Too many pages are waiting to be rendered.');
    },
  });

  /** @param untilIdle yields between two renders, at least for one event loop iteration */
  constructor(untilIdle: () => Promise<void> = nextRound) {
    this.#untilIdle = untilIdle;
  }

  stats(): { running: number; waiting: number; started: number; refused: number } {
    const { running, waiting } = this.#turns;
    return { running, waiting, started: this.#started, refused: this.#refused };
  }

  /**
   * Renders the page in the turn of any requesting network. A response that must not be shared is sent to one client.
   * Each of the other clients waits for its own render.
   * @throws UnavailableError if the queue is full for all its networks, the abort reason if all clients disconnected, and
   * errors of `render`
   */
  async render(key: string, requester: Requester, render: () => Promise<Rendered>): Promise<Rendered> {
    requester.signal.throwIfAborted();
    const page = this.#pages.get(key) ?? this.#add(key);
    if (!page.isStarted) this.#join(key, page, requester, render);
    const rendered = await page.result.promise;
    if (rendered.isPublic || !page.isDelivered) {
      page.isDelivered = true;
      return rendered;
    }
    return this.#turns.run(requester.turnPath, () => this.#start(render), { signal: requester.signal });
  }

  /** Later requests do not share renders that have already started. */
  forgetStarted(): void {
    for (const [key, { isStarted }] of this.#pages) if (isStarted) this.#pages.delete(key);
  }

  #add(key: string): QueuedPage {
    const page: QueuedPage = {
      places: new Map(),
      isStarted: false,
      isDelivered: false,
      result: Promise.withResolvers(),
    };
    this.#pages.set(key, page);
    return page;
  }

  #join(key: string, page: QueuedPage, { turnPath, signal }: Requester, render: () => Promise<Rendered>): void {
    const network = turnPath.join(' ');
    let place = page.places.get(network);
    if (!place) {
      place = { requesters: 0, controller: new AbortController() };
      page.places.set(network, place);
      this.#turns
        .run(turnPath, () => this.#takeTurn(key, page, network, render), { signal: place.controller.signal })
        .catch((reason: unknown) => this.#dropPlace(key, page, network, reason));
    }
    const joinedPlace = place;
    joinedPlace.requesters++;
    signal.addEventListener(
      'abort',
      () => {
        joinedPlace.requesters--;
        if (joinedPlace.requesters === 0) joinedPlace.controller.abort(signal.reason);
      },
      { once: true },
    );
  }

  async #takeTurn(key: string, page: QueuedPage, network: string, render: () => Promise<Rendered>): Promise<void> {
    // Yield to the event loop between renders: accept connections, send cached pages, notice disconnects.
    await this.#untilIdle();
    page.places.get(network)?.controller.signal.throwIfAborted();
    if (page.isStarted) return;
    page.isStarted = true;
    for (const [other, { controller }] of page.places) if (other !== network) controller.abort();
    try {
      page.result.resolve(await this.#start(render));
    } catch (error) {
      page.result.reject(error);
    } finally {
      this.#forget(key, page);
    }
  }

  #start(render: () => Promise<Rendered>): Promise<Rendered> {
    this.#started++;
    return render();
  }

  /** Drops a place. A page without places is no longer rendered. */
  #dropPlace(key: string, page: QueuedPage, network: string, reason: unknown): void {
    page.places.delete(network);
    if (page.isStarted || page.places.size > 0) return;
    page.result.reject(reason);
    this.#forget(key, page);
  }

  #forget(key: string, page: QueuedPage): void {
    if (this.#pages.get(key) === page) this.#pages.delete(key);
  }
}
