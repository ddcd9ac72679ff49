/**
 * Order in which requests use the database. Networks that used little of it of late come beside all others, then lanes
 * (asker.ts), then statements that are known to be light beside those that are not, then networks and accounts: each
 * time the one that was served least of late. Reasons for the figures: docs/decisions/table-api.md.
 */
import { FadingSums } from '../fairness/fading-sums.ts';
import { FairTurns, type TurnPath } from '../fairness/fair-turns.ts';
import { networkPath } from '../fairness/networks.ts';
import { type Asker, currentAsker } from './asker.ts';
import {
  DatabaseBusyError,
  OWN_DEADLINE_MS,
  requireStillWanted,
  type Statement,
  type WorkOptions,
} from './database.ts';
import { StatementTimes, textOf, type Weight } from './statement-times.ts';

/** Longest wait in milliseconds; past it, work is refused and told to come back. */
const MAX_WAIT_MS = 2_000;

/** Nobody waits for our own work, and it must not be lost. */
const MAX_OWN_WAIT_MS = OWN_DEADLINE_MS;

/** Pieces of work that wait, of a few hundred bytes each besides what they hold. */
const MAX_WAITING = 1000;

const SLOW_REQUESTS: TurnPath = ['requests', 'not known to be light'];

/** Group of the networks that used little: they do not stand behind what strangers in their lane used. */
const USED_LITTLE = 'used little';

/**
 * Milliseconds of the last seconds (they fade) that are little, about 2% of them. A page of the admin area takes up to 150.
 */
const LITTLE_MS = 250;

/** Pieces of work of one network that may wait as those of one that used little: what waits is not counted yet. */
const MOST_OF_LITTLE = 8;

export interface Turn {
  /** Statements that the work is going to run, as far as they are known. */
  statements: readonly Statement[];
  options: WorkOptions;
  /**
   * Rule for other work at the same time: none ever, for a transaction of many exchanges; only known light work; or
   * any.
   */
  isAlone: 'always' | 'unless light' | 'never';
}

/** Facts about its turn that the work is told. */
export interface TurnTaken {
  options: WorkOptions;
  /** Tells whether it is a request that others wait behind. */
  isHoldingUpOthers: () => boolean;
}

export class DatabaseTurns {
  readonly #turns: FairTurns;
  readonly #times = new StatementTimes();
  /** Milliseconds of each network, under its widest name. */
  readonly #used = new FadingSums();
  /** Number of waiting pieces of work of each network, under its widest name. */
  readonly #waitingOf = new Map<string, number>();
  #refused = 0;

  /** @param atOnce pieces of work that may be under way */
  constructor(atOnce: number) {
    this.#turns = new FairTurns({
      atOnce,
      maxWaiting: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
      refuse: () => {
        this.#refused++;
        return new DatabaseBusyError();
      },
    });
  }

  get running(): number {
    return this.#turns.running;
  }

  get waiting(): number {
    return this.#turns.waiting;
  }

  /** Number of pieces of work that were refused because they would have waited for too long. */
  get refused(): number {
    return this.#refused;
  }

  /** @throws DatabaseBusyError, DatabaseError 57014 when the client has gone, and what `work` throws */
  async take<T>({ statements, options, isAlone }: Turn, work: (taken: TurnTaken) => Promise<T>): Promise<T> {
    requireStillWanted(options);
    const asker = currentAsker();
    const networks = asker ? networkPath(asker.address) : [];
    const [network = ''] = networks;
    const text = textOf(statements);
    const weight = this.#times.weigh(text);
    const onTime = (milliseconds: number) => {
      this.#times.note(text, milliseconds);
      this.#used.add(network, milliseconds);
      options.onTime?.(milliseconds);
    };
    const isHoldingUpOthers = () =>
      asker?.lane === 'requests' && this.#turns.waiting > (this.#waitingOf.get(network) ?? 0);
    let isWaiting = true;
    const stopWaiting = () => {
      if (isWaiting) this.#countWaiting(network, -1);
      isWaiting = false;
    };
    const begin = () => {
      stopWaiting();
      requireStillWanted(options);
      return work({ options: { ...options, onTime }, isHoldingUpOthers });
    };
    this.#countWaiting(network, 1);
    try {
      const place = placeOf(asker, weight, networks);
      const path = this.#usedLittle(asker, weight, network) ? [USED_LITTLE, ...place] : place;
      return await this.#turns.take(path, async () => begin(), {
        isAlone: isAlone === 'always' || (isAlone === 'unless light' && weight !== 'light'),
        maxWaitMs: asker ? undefined : MAX_OWN_WAIT_MS,
      });
    } finally {
      stopWaiting();
    }
  }

  /** Tells whether work that ends soon is for a network that used little. */
  #usedLittle(asker: Asker | undefined, weight: Weight, network: string): boolean {
    if (!asker || asker.address === '' || (asker.lane === 'requests' && weight !== 'light')) return false;
    return this.#used.read(network) < LITTLE_MS && (this.#waitingOf.get(network) ?? 0) <= MOST_OF_LITTLE;
  }

  #countWaiting(network: string, change: 1 | -1): void {
    const waiting = (this.#waitingOf.get(network) ?? 0) + change;
    if (waiting === 0) this.#waitingOf.delete(network);
    else this.#waitingOf.set(network, waiting);
  }
}

/** Requests whose statements never ran stand apart from those that are known to be slow, which most strangers' are not. */
function placeOf(asker: Asker | undefined, weight: Weight, networks: TurnPath): TurnPath {
  if (!asker) return ['own'];
  const { lane, account } = asker;
  const person = account === null ? networks : [...networks, account];
  if (lane !== 'requests') return [lane, ...person];
  return weight === 'light' ? [lane, weight, ...person] : [...SLOW_REQUESTS, weight, ...person];
}
