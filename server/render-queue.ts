/** Renders in turns: a few at once, the next one for the network that was served least, and each for all who want its page. */

import { setImmediate as nextRound } from 'node:timers/promises';
import { FairTurns, type TurnPath } from '@signalfjord/backend';
import type { StoredResponse } from './stored-response.ts';

/** More would only take turns on the one thread; two, so that one can wait for the database while the other renders. */
const AT_ONCE = 2;

/** Places of networks, each for one page. With renders of 10 ms the last of them waits for two seconds. */
const MAX_WAITING = 200;

/** A render that nobody could be given yet is not worth waiting for any longer. */
const MAX_WAIT_MS = 5_000;

/** Result of a render: the answer, and whether others may get it too. */
export interface Rendered {
  response: StoredResponse;
  isPublic: boolean;
}

/** A page cannot be rendered now, but perhaps in a moment. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
  /** The page without what could not be read, for those who can be given nothing better. */
  readonly partial: StoredResponse | undefined;

  constructor(message: string, partial?: StoredResponse) {
    super(message);
    this.partial = partial;
  }
}

/** Client that wants a page. */
export interface Asker {
  /** The groups that its turns are counted for. */
  turnPath: TurnPath;
  /** Aborts when they leave. A render that all have left before it began is not begun. */
  signal: AbortSignal;
}

/** A page that is wanted, with the place that each network has in the queue for it. */
interface Wanted {
  places: Map<string, Place>;
  isBegun: boolean;
  /** True when an answer that is not for everybody was given to its one asker. */
  isGiven: boolean;
  result: PromiseWithResolvers<Rendered>;
}

interface Place {
  askers: number;
  leave: AbortController;
}

export class RenderQueue {
  #refused = 0;
  #begun = 0;
  readonly #untilQuiet: () => Promise<void>;
  readonly #wanted = new Map<string, Wanted>();
  readonly #turns = new FairTurns({
    atOnce: AT_ONCE,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    refuse: () => {
      this.#refused++;
      return new UnavailableError('Too many pages are waiting to be rendered.');
    },
  });

  /** @param untilQuiet waits between two renders for what goes before them: at least until the event loop came round */
  constructor(untilQuiet: () => Promise<void> = nextRound) {
    this.#untilQuiet = untilQuiet;
  }

  figures(): { running: number; waiting: number; begun: number; refused: number } {
    const { running, waiting } = this.#turns;
    return { running, waiting, begun: this.#begun, refused: this.#refused };
  }

  /**
   * Returns what `render` gives when the turn comes of any network that wants the page of that key. An answer that is
   * not for everybody is given to one; the others take a turn of their own.
   * @throws UnavailableError when no network has a place for it any more, the reason of the signal when all have left,
   * what `render` throws
   */
  async render(key: string, asker: Asker, render: () => Promise<Rendered>): Promise<Rendered> {
    asker.signal.throwIfAborted();
    const wanted = this.#wanted.get(key) ?? this.#want(key);
    if (!wanted.isBegun) this.#join(key, wanted, asker, render);
    const rendered = await wanted.result.promise;
    if (rendered.isPublic || !wanted.isGiven) {
      wanted.isGiven = true;
      return rendered;
    }
    return this.#turns.take(asker.turnPath, () => this.#begin(render), { signal: asker.signal });
  }

  /** Lets requests from now on take no part in a render that has begun already. */
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

  #join(key: string, wanted: Wanted, { turnPath, signal }: Asker, render: () => Promise<Rendered>): void {
    const network = turnPath.join(' ');
    let place = wanted.places.get(network);
    if (!place) {
      place = { askers: 0, leave: new AbortController() };
      wanted.places.set(network, place);
      this.#turns
        .take(turnPath, () => this.#takeTurn(key, wanted, network, render), { signal: place.leave.signal })
        .catch((reason: unknown) => this.#lose(key, wanted, network, reason));
    }
    const joined = place;
    joined.askers++;
    signal.addEventListener(
      'abort',
      () => {
        joined.askers--;
        if (joined.askers === 0) joined.leave.abort(signal.reason);
      },
      { once: true },
    );
  }

  async #takeTurn(key: string, wanted: Wanted, network: string, render: () => Promise<Rendered>): Promise<void> {
    // Between two renders the loop comes round: connections are accepted, kept pages are sent, and who left is heard of.
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

  /** The page is given up when nobody has a place for it any more. */
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
