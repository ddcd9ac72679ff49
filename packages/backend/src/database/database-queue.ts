/**
 * Decides which request gets the next connection. Requests are ordered by lane (see caller.ts). Within a lane, callers
 * with little recent database time are first. Connections are then shared evenly between accounts or networks. No group
 * can use all connections. docs/decisions/table-api.md gives the reasons for the limits.
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

/** Maximum number of queued tasks. Each needs a few hundred bytes in addition to its data. */
const MAX_QUEUED = 1000;

const BACKGROUND = 'background';
const LIGHT = 'light';
const OTHERS = 'others';

/** Maximum share of the connections for one lane. */
const MAX_LANE_SHARE = 0.8;
/** Maximum share of the connections for all callers of a lane in the class OTHERS. */
const MAX_OTHERS_SHARE = 0.5;
/** Maximum share of the connections for one caller. */
const MAX_CALLER_SHARE = 0.3;

/**
 * Callers that recently used less database time than this are in the class LIGHT. The time is a decaying sum in
 * milliseconds. The limit equals about 2% of one connection. An admin page uses up to 150 ms.
 */
const MAX_LIGHT_MS = 250;

export class DatabaseQueue {
  readonly #queue: FairQueue;
  /** Recent milliseconds used by each caller. */
  readonly #usage = new DecayingSums();
  #rejected = 0;

  /** @param connections maximum concurrency */
  constructor(connections: number) {
    this.#queue = new FairQueue({
      maxConcurrent: connections,
      maxQueued: MAX_QUEUED,
      maxWaitMs: MAX_WAIT_MS,
      createError: () => {
        this.#rejected++;
        return new DatabaseBusyError();
      },
      groupLimit: (path) => getGroupLimit(path, connections),
    });
  }

  get running(): number {
    return this.#queue.running;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Number of tasks rejected because their wait was too long. */
  get rejected(): number {
    return this.#rejected;
  }

  /**
   * Queues the work and runs it when a connection is available. The caller is charged the time that is passed to
   * `onTime`.
   * @throws DatabaseBusyError, DatabaseError 57014 if the client has disconnected, errors of `work`
   */
  async run<T>(options: WorkOptions, work: (options: WorkOptions) => Promise<T>): Promise<T> {
    requireNotAborted(options);
    const caller = currentCaller();
    const groups = caller ? listGroups(caller) : [];
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
    return [usedTime > 0 && usedTime < MAX_LIGHT_MS ? LIGHT : OTHERS];
  }
}

/**
 * Returns the groups of a caller, widest first. An account is one caller across all its networks. Callers without an
 * account are grouped by network. Pages rendered in this process have no groups.
 */
function listGroups({ account, address }: Caller): QueuePath {
  if (address === '') return [];
  return account === null ? networkPath(address) : [`account ${account}`];
}

/**
 * Returns the maximum number of connections for a group. The rest is reserved for other lanes and background work.
 */
function getGroupLimit([lane, callerClass, ...groups]: QueuePath, connections: number): number | undefined {
  if (lane === BACKGROUND || groups.length > 1) return undefined;
  if (groups.length === 1) return Math.ceil(connections * MAX_CALLER_SHARE);
  if (callerClass === undefined) return Math.ceil(connections * MAX_LANE_SHARE);
  return callerClass === OTHERS ? Math.ceil(connections * MAX_OTHERS_SHARE) : undefined;
}
