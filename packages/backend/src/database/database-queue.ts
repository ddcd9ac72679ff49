/**
 * Order in which requests get a connection: by lane (caller.ts), then callers with little recent database time, then by
 * account or network. No group can use all connections. Reasons for the limits: docs/decisions/table-api.md.
 */
import { DecayingSums } from '../limits/decaying-sums.ts';
import { FairQueue, type QueuePath } from '../limits/fair-queue.ts';
import { networkPath } from '../limits/networks.ts';
import { type Caller, currentCaller } from './caller.ts';
import { DatabaseBusyError, DEFAULT_TIMEOUT_MS, requireNotAborted, type WorkOptions } from './database.ts';

/** Maximum wait in milliseconds. A request that waits longer is rejected with Retry-After. */
const MAX_WAIT_MS = 2_000;

/** Background work may wait longer, because no client waits for it and it must not be lost. */
const MAX_BACKGROUND_WAIT_MS = DEFAULT_TIMEOUT_MS;

/** Maximum number of queued tasks. Each takes a few hundred bytes besides its data. */
const MAX_WAITING = 1000;

const BACKGROUND = 'background';
const LIGHT = 'light';
const OTHERS = 'others';

/**
 * Maximum shares of the connections: for a lane, for the callers of a lane in the class OTHERS together, and for one
 * caller.
 */
const MAX_LANE_SHARE = 0.8;
const MAX_OTHERS_SHARE = 0.5;
const MAX_CALLER_SHARE = 0.3;

/**
 * A caller is light below this many recent milliseconds of database time (decaying), about 2% of a connection. An admin
 * page takes up to 150.
 */
const LIGHT_MS = 250;

export class DatabaseQueue {
  readonly #queue: FairQueue;
  /** Recent milliseconds used by each caller. */
  readonly #usage = new DecayingSums();
  #refused = 0;

  /** @param connections maximum concurrency */
  constructor(connections: number) {
    this.#queue = new FairQueue({
      maxConcurrent: connections,
      maxWaiting: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
      refuse: () => {
        this.#refused++;
        return new DatabaseBusyError();
      },
      limitOf: (path) => limitOf(path, connections),
    });
  }

  get running(): number {
    return this.#queue.running;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Number of tasks rejected because their wait was too long. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Runs the work when its turn comes. The caller is charged the time that is passed to `onTime`.
   * @throws DatabaseBusyError, DatabaseError 57014 if the client has disconnected, errors of `work`
   */
  async run<T>(options: WorkOptions, work: (options: WorkOptions) => Promise<T>): Promise<T> {
    requireNotAborted(options);
    const caller = currentCaller();
    const groups = caller ? groupsOf(caller) : [];
    const onTime = (milliseconds: number) => {
      if (groups[0] !== undefined) this.#usage.add(groups[0], milliseconds);
      options.onTime?.(milliseconds);
    };
    const start = async () => {
      requireNotAborted(options);
      return work({ ...options, onTime });
    };
    const path = [caller?.lane ?? BACKGROUND, ...this.#classOf(groups), ...groups];
    return this.#queue.run(path, start, { maxWaitMs: caller ? undefined : MAX_BACKGROUND_WAIT_MS });
  }

  /** A new caller is in the class OTHERS, because its first request may be slow. */
  #classOf([name]: QueuePath): QueuePath {
    if (name === undefined) return [];
    const usedTime = this.#usage.read(name);
    return [usedTime > 0 && usedTime < LIGHT_MS ? LIGHT : OTHERS];
  }
}

/**
 * Returns the groups of a caller, widest first: an account is one caller across all its networks. Callers without an
 * account are grouped by network. Pages rendered in this process have no groups.
 */
function groupsOf({ account, address }: Caller): QueuePath {
  if (address === '') return [];
  return account === null ? networkPath(address) : [`account ${account}`];
}

/**
 * Returns the maximum number of connections for a group. The rest is reserved for other lanes and background work.
 */
function limitOf([lane, callerClass, ...groups]: QueuePath, connections: number): number | undefined {
  if (lane === BACKGROUND || groups.length > 1) return undefined;
  if (groups.length === 1) return Math.ceil(connections * MAX_CALLER_SHARE);
  if (callerClass === undefined) return Math.ceil(connections * MAX_LANE_SHARE);
  return callerClass === OTHERS ? Math.ceil(connections * MAX_OTHERS_SHARE) : undefined;
}
