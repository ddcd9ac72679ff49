/**
 * A fair queue for a scarce resource, such as a connection or processor. The next task is from the group with the
 * fewest running tasks. Ties go to the group with the least recent use. Within a group, the same rules apply to its
 * subgroups. A client that sends a single request is therefore served before one that sends a thousand.
 */
import { DecayingSums } from './decaying-sums.ts';

/**
 * The groups of a task, widest first, such as ['pages', '192.0.2.0/24', '192.0.2.1']. `networkPath` returns the groups
 * of an address.
 */
export type QueuePath = readonly string[];

export interface FairQueueOptions {
  /** Maximum number of concurrent tasks. */
  maxConcurrent: number;
  /**
   * Maximum number of queued tasks. If there are more, the newest task of the group with the longest queue is rejected.
   */
  maxQueued: number;
  /** Maximum wait in milliseconds. A task that waits longer is rejected. */
  maxWaitMs: number;
  /** Creates the error for a rejected task. */
  createError: () => Error;
  /** Returns the maximum number of concurrent tasks of a group, if it is lower than the total. */
  groupLimit?: (path: QueuePath) => number | undefined;
  now?: () => number;
}

export interface QueueOptions {
  /** A task whose signal is aborted while it waits is not started. */
  signal?: AbortSignal | undefined;
  /** True if no other task may run at the same time. */
  isExclusive?: boolean;
  /** Maximum wait in milliseconds. Defaults to that of the queue. */
  maxWaitMs?: number | undefined;
}

function groupName(path: QueuePath): string {
  return path.map((part) => `\n${part}`).join('');
}

interface QueuedTask {
  path: QueuePath;
  isExclusive: boolean;
  /** False after it was started or rejected. */
  isQueued: boolean;
  start: () => void;
  reject: (reason: unknown) => void;
}

/** A node of the group tree with queued tasks, in it or below it. */
interface Group {
  /** Joined path of the group. */
  name: string;
  limit: number | undefined;
  /** Arrival number. Of two equally served groups, the first to arrive is served first. */
  arrival: number;
  subgroups: Map<string, Group>;
  queue: QueuedTask[];
  size: number;
}

export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #now: () => number;
  readonly #waiting: Group = emptyGroup('', undefined, 0);
  /** Recently used milliseconds of each group. */
  readonly #served: DecayingSums;
  /** Running tasks of each group. */
  readonly #runningIn = new Map<string, number>();
  #arrivals = 0;
  #running = 0;
  /** Milliseconds that a task running since the start would have been charged, and the time of the last update. */
  #share = { ms: 0, updatedAt: 0 };
  #isExclusive = false;
  /** Task that must run alone. No other task starts before it, because it could then wait indefinitely. */
  #next: QueuedTask | null = null;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#served = new DecayingSums(this.#now);
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Queues `work` and runs it in turn. Its time is then charged to each group on its path that has a sibling with
   * queued tasks. Without such a sibling, the capacity would have been unused, so the time is not charged. Concurrent
   * tasks share the time.
   * @throws the error from `createError` if the queue is full or the wait is too long, the abort reason of the signal,
   * errors of `work`
   */
  async run<T>(path: QueuePath, work: () => Promise<T>, options: QueueOptions = {}): Promise<T> {
    const { signal, isExclusive = false } = options;
    signal?.throwIfAborted();
    if (this.waiting > 0 || !this.#isFree(isExclusive) || this.#isFull(path))
      await this.#wait(path, isExclusive, options);
    else this.#begin(path, isExclusive);
    const start = this.#readShare();
    try {
      return await work();
    } finally {
      this.#charge(path, this.#readShare() - start);
      this.#running--;
      this.#count(path, -1);
      this.#isExclusive = false;
      this.#admit();
    }
  }

  /** Updates the share. Call it before the number of running tasks changes. */
  #readShare(): number {
    const now = this.#now();
    this.#share.ms += (now - this.#share.updatedAt) / Math.max(1, this.#running);
    this.#share.updatedAt = now;
    return this.#share.ms;
  }

  #isFree(isExclusive: boolean): boolean {
    return !this.#isExclusive && this.#running < (isExclusive ? 1 : this.#options.maxConcurrent);
  }

  /** Returns whether a group of the path has reached its limit. */
  #isFull(path: QueuePath): boolean {
    return pathsTo(path).some((group) => this.#isFullGroup({ name: groupName(group), limit: this.#groupLimit(group) }));
  }

  #isFullGroup({ name, limit }: Pick<Group, 'name' | 'limit'>): boolean {
    return limit !== undefined && this.#runningOf({ name }) >= limit;
  }

  #runningOf({ name }: Pick<Group, 'name'>): number {
    return this.#runningIn.get(name) ?? 0;
  }

  #groupLimit(path: QueuePath): number | undefined {
    return this.#options.groupLimit?.(path);
  }

  #count(path: QueuePath, change: 1 | -1): void {
    for (const group of pathsTo(path)) {
      const name = groupName(group);
      const running = (this.#runningIn.get(name) ?? 0) + change;
      if (running === 0) this.#runningIn.delete(name);
      else this.#runningIn.set(name, running);
    }
  }

  #begin(path: QueuePath, isExclusive: boolean): void {
    this.#readShare();
    this.#running++;
    this.#count(path, 1);
    this.#isExclusive = isExclusive;
  }

  async #wait(path: QueuePath, isExclusive: boolean, { signal, maxWaitMs }: QueueOptions): Promise<void> {
    const { maxQueued, createError } = this.#options;
    const slot = Promise.withResolvers<void>();
    const task: QueuedTask = { path, isExclusive, isQueued: true, start: slot.resolve, reject: slot.reject };
    this.#add(task);
    if (this.waiting > maxQueued) this.#reject(this.#newestOfLargest(), createError());
    // A free slot may remain if the groups of all earlier tasks are at their limits.
    this.#admit();
    const onAbort = () => this.#reject(task, signal?.reason);
    const timer = setTimeout(() => this.#reject(task, createError()), maxWaitMs ?? this.#options.maxWaitMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await slot.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #admit(): void {
    while (this.waiting > 0) {
      const next = this.#next ?? this.#leastServed();
      if (!next) return;
      if (!this.#isFree(next.isExclusive)) {
        if (this.#isFree(false)) this.#next = next;
        return;
      }
      this.#remove(next);
      this.#begin(next.path, next.isExclusive);
      next.start();
    }
  }

  #reject(task: QueuedTask, reason: unknown): void {
    if (!task.isQueued) return;
    this.#remove(task);
    task.reject(reason);
    // The rejected task may have blocked others, because it had to run alone.
    this.#admit();
  }

  #add(task: QueuedTask): void {
    let group = this.#waiting;
    group.size++;
    for (const path of pathsTo(task.path)) {
      const part = path.at(-1) ?? '';
      const subgroup =
        group.subgroups.get(part) ?? emptyGroup(groupName(path), this.#groupLimit(path), this.#arrivals++);
      group.subgroups.set(part, subgroup);
      group = subgroup;
      group.size++;
    }
    group.queue.push(task);
  }

  #remove(task: QueuedTask): void {
    task.isQueued = false;
    if (this.#next === task) this.#next = null;
    let group = this.#waiting;
    group.size--;
    for (const part of task.path) {
      const subgroup = group.subgroups.get(part);
      if (!subgroup) return;
      subgroup.size--;
      if (subgroup.size === 0) group.subgroups.delete(part);
      group = subgroup;
    }
    group.queue.splice(group.queue.indexOf(task), 1);
  }

  /** Returns the next task. Undefined if all groups with queued tasks are at their limit. */
  #leastServed(group = this.#waiting): QueuedTask | undefined {
    if (group.queue.length > 0) return group.queue[0];
    const availableGroups = [...group.subgroups.values()].filter((subgroup) => !this.#isFullGroup(subgroup));
    // A group may be below its limit while all of its subgroups are at theirs.
    for (let candidates = availableGroups; candidates.length > 0; ) {
      const least = selectFirst(candidates, (a, b) => {
        const difference =
          this.#runningOf(a) - this.#runningOf(b) || this.#served.read(a.name) - this.#served.read(b.name);
        return difference < 0 || (difference === 0 && a.arrival < b.arrival);
      });
      const task = this.#leastServed(least);
      if (task) return task;
      candidates = candidates.filter((group) => group !== least);
    }
    return undefined;
  }

  #newestOfLargest(): QueuedTask {
    let group = this.#waiting;
    while (group.subgroups.size > 0) {
      group = selectFirst(group.subgroups.values(), (a, b) => a.size > b.size);
    }
    const newest = group.queue.at(-1);
    if (!newest) throw new Error('The queue is empty.');
    return newest;
  }

  #charge(path: QueuePath, ms: number): void {
    let name = '';
    let parent: Group | undefined = this.#waiting;
    for (const part of path) {
      name += groupName([part]);
      const group: Group | undefined = parent?.subgroups.get(part);
      const areSiblingsWaiting = (parent?.subgroups.size ?? 0) > (group ? 1 : 0);
      if (areSiblingsWaiting) this.#served.add(name, ms);
      parent = group;
    }
  }
}

/** Returns the paths of the groups on a path, widest first. */
function pathsTo(path: QueuePath): QueuePath[] {
  return path.map((_, index) => path.slice(0, index + 1));
}

function emptyGroup(name: string, limit: number | undefined, arrival: number): Group {
  return { name, limit, arrival, subgroups: new Map(), queue: [], size: 0 };
}

/** Returns the group with the highest priority. @param groups at least one group */
function selectFirst(groups: Iterable<Group>, isBefore: (a: Group, b: Group) => boolean): Group {
  return [...groups].reduce((best, group) => (isBefore(group, best) ? group : best));
}
