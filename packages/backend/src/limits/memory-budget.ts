/**
 * Limits the memory for request bodies that arrive or are queued, and for responses that clients do not read. Bodies
 * and responses share one limit, and each network has a maximum share. If memory runs out, the longest stalled body or
 * response of the network that uses most memory is ended (docs/decisions/process.md).
 */
import { networkPath } from './networks.ts';

const MEGABYTE = 1024 * 1024;

/** Maximum total bytes as sent. Parsed data uses several times as much memory. */
const MAX_TOTAL_BYTES = 128 * MEGABYTE;
/** Maximum bytes of a /24 or /48. */
const MAX_WIDE_NETWORK_BYTES = 48 * MEGABYTE;
/** Maximum bytes of one address or /64. They are enough for one large body and a few small bodies. */
const MAX_NETWORK_BYTES = 24 * MEGABYTE;

/** Bytes of each body that are always accepted, so that other clients' large bodies cannot block sign-ins. */
const ALWAYS_ACCEPTED_BYTES = 64 * 1024;

/** Milliseconds without 64 kB of progress until a body or response may be ended to free memory. */
const STALLED_MS = 1000;

type Kind = 'body' | 'answer';

/** Reason for ending a body or response: it was too slow, or memory was needed. */
type Reason = 'late' | 'room';

export interface MemoryReservation {
  /** Adds bytes of a body. @returns false if memory is short, or if the body was ended to free memory */
  add(bytes: number): boolean;
  /** Updates the unread bytes of a response, and the time of its last progress. */
  updateUnread(bytes: number, since: number): void;
  /** Call it when a body is complete. Complete bodies are not ended. */
  markComplete(): void;
  /** Releases the memory. */
  release(): void;
}

interface Entry {
  kind: Kind;
  /** Widest network first. */
  path: readonly string[];
  bytes: number;
  lastProgressAt: number;
  canBeEnded: boolean;
  end: () => void;
}

export class MemoryBudget {
  readonly #now: () => number;
  readonly #entries = new Set<Entry>();
  readonly #byNetwork = new Map<string, number>();
  readonly #bytes: Record<Kind, number> = { body: 0, answer: 0 };
  readonly #ended: Record<Kind, Record<Reason, number>> = {
    body: { late: 0, room: 0 },
    answer: { late: 0, room: 0 },
  };

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Registers a body or response of the address.
   * @param end frees its memory; called at most once, and never after `release`
   */
  reserve(kind: Kind, address: string, end: () => void): MemoryReservation {
    const path = networkPath(address);
    const entry: Entry = { kind, path, bytes: 0, lastProgressAt: this.#now(), canBeEnded: true, end };
    let receivedBytes = 0;
    let receivedAtProgress = 0;
    this.#entries.add(entry);
    return {
      add: (bytes) => {
        if (!this.#entries.has(entry)) return false;
        if (bytes === 0) return true;
        receivedBytes += bytes;
        if (receivedBytes - receivedAtProgress >= ALWAYS_ACCEPTED_BYTES) {
          receivedAtProgress = receivedBytes;
          entry.lastProgressAt = this.#now();
        }
        this.#count(entry, bytes);
        const hasRoom = this.#makeRoom(path);
        if (!this.#entries.has(entry)) return false;
        if (hasRoom || receivedBytes <= ALWAYS_ACCEPTED_BYTES) return true;
        this.#count(entry, -bytes);
        return false;
      },
      updateUnread: (bytes, since) => {
        if (!this.#entries.has(entry)) return;
        entry.lastProgressAt = since;
        this.#count(entry, bytes - entry.bytes);
        // The share of the network was checked before the response was created.
        this.#makeRoom([]);
      },
      markComplete: () => {
        entry.canBeEnded = false;
      },
      release: () => this.#remove(entry),
    };
  }

  /**
   * Returns whether a response may be created for the address. An address that uses its whole share must read its
   * responses first. Otherwise each request would replace an unread response with another one. If other addresses use
   * the memory, their stalled bodies and responses are ended.
   */
  hasRoom(address: string): boolean {
    const path = networkPath(address);
    const usedBytes = this.#usedBy(path.at(-1) ?? '');
    return usedBytes <= MAX_NETWORK_BYTES && (this.#makeRoom(path) || usedBytes <= ALWAYS_ACCEPTED_BYTES);
  }

  /** Counts a body or response that was ended because it was too slow. */
  countLate(kind: Kind): void {
    this.#ended[kind].late++;
  }

  /** Returns the bytes in use, and the number of ended bodies and responses since the start, by kind. */
  stats(): {
    bytes: Readonly<Record<Kind, number>>;
    ended: Readonly<Record<Kind, Readonly<Record<Reason, number>>>>;
  } {
    return { bytes: { ...this.#bytes }, ended: this.#ended };
  }

  #count(entry: Entry, bytes: number): void {
    entry.bytes += bytes;
    this.#bytes[entry.kind] += bytes;
    for (const network of entry.path) {
      const usedBytes = this.#usedBy(network) + bytes;
      if (usedBytes > 0) this.#byNetwork.set(network, usedBytes);
      else this.#byNetwork.delete(network);
    }
  }

  #remove(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#count(entry, -entry.bytes);
  }

  #usedBy(network: string): number {
    return this.#byNetwork.get(network) ?? 0;
  }

  /** Ends stalled entries until the total and these networks are within their limits. @returns false if they are not */
  #makeRoom(path: readonly string[]): boolean {
    for (;;) {
      const exceeded = path.find((network, depth) => this.#usedBy(network) > maxShare(path, depth));
      const isFull = this.#bytes.body + this.#bytes.answer > MAX_TOTAL_BYTES;
      if (exceeded === undefined && !isFull) return true;
      const stalled = this.#longestStalled(exceeded);
      if (!stalled) return false;
      this.#remove(stalled);
      this.#ended[stalled.kind].room++;
      stalled.end();
    }
  }

  /** @param network undefined searches the network with stalled entries that uses most memory */
  #longestStalled(network: string | undefined): Entry | undefined {
    const stalledBefore = this.#now() - STALLED_MS;
    let longest: Entry | undefined;
    for (const entry of this.#entries) {
      const isStalled = entry.canBeEnded && entry.bytes > 0 && entry.lastProgressAt <= stalledBefore;
      if (!isStalled || (network !== undefined && !entry.path.includes(network))) continue;
      if (!longest || this.#isBefore(entry, longest)) longest = entry;
    }
    return longest;
  }

  #isBefore(a: Entry, b: Entry): boolean {
    for (const depth of [0, 1]) {
      const difference = this.#usedBy(a.path[depth] ?? '') - this.#usedBy(b.path[depth] ?? '');
      if (difference !== 0) return difference > 0;
    }
    return a.lastProgressAt < b.lastProgressAt;
  }
}

function maxShare(path: readonly string[], depth: number): number {
  return depth === path.length - 1 ? MAX_NETWORK_BYTES : MAX_WIDE_NETWORK_BYTES;
}

/** Reservation for the service role, whose bytes are not counted. */
export const UNLIMITED: MemoryReservation = {
  add: () => true,
  updateUnread: () => undefined,
  markComplete: () => undefined,
  release: () => undefined,
};
