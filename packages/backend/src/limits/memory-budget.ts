/**
 * Limits the memory for request bodies that arrive or are queued, and for answers that clients do not read. All share
 * one limit, and each network has a share. If memory runs out, the longest stalled exchange of the network that uses
 * most is ended (docs/decisions/process.md).
 */
import { networkPath } from './networks.ts';

const MEGABYTE = 1024 * 1024;

/** Total bytes as sent. Parsed data takes several times as much. */
const MAX_TOTAL = 128 * MEGABYTE;
/** Enough for one body of a signed-in user and a few others: for a /24 or /48, and for one address or /64 in it. */
const MAX_OF_WIDE_NETWORK = 48 * MEGABYTE;
const MAX_OF_NETWORK = 24 * MEGABYTE;

/** Bytes of each body that are always accepted, so that other clients' large bodies cannot block sign-ins. */
const ALWAYS_ACCEPTED = 64 * 1024;

/** Milliseconds without 64 kB of progress until an exchange may be ended to free memory. */
const STALLED_MS = 1000;

type Kind = 'body' | 'answer';

/** Reason for ending an exchange: it was too slow, or memory was needed. */
type Reason = 'late' | 'room';

export interface MemoryReservation {
  /** Adds bytes of a body. @returns false if memory is short, or if the body was ended to free memory */
  add(bytes: number): boolean;
  /** Updates the unread bytes of an answer, and the time since which it has made no progress. */
  keep(bytes: number, since: number): void;
  /** Call it when a body is complete. Complete bodies are not ended. */
  arrived(): void;
  /** Releases the memory. */
  release(): void;
}

interface Entry {
  kind: Kind;
  /** Widest network first. */
  path: readonly string[];
  bytes: number;
  since: number;
  isEndable: boolean;
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
   * Registers a body or answer of that address.
   * @param end frees its memory; called at most once, and never after `release`
   */
  reserve(kind: Kind, address: string, end: () => void): MemoryReservation {
    const path = networkPath(address);
    const entry: Entry = { kind, path, bytes: 0, since: this.#now(), isEndable: true, end };
    let own = 0;
    let moved = 0;
    this.#entries.add(entry);
    return {
      add: (bytes) => {
        if (!this.#entries.has(entry)) return false;
        if (bytes === 0) return true;
        own += bytes;
        if (own - moved >= ALWAYS_ACCEPTED) {
          moved = own;
          entry.since = this.#now();
        }
        this.#count(entry, bytes);
        const hasRoom = this.#makeRoom(path);
        if (!this.#entries.has(entry)) return false;
        if (hasRoom || own <= ALWAYS_ACCEPTED) return true;
        this.#count(entry, -bytes);
        return false;
      },
      keep: (bytes, since) => {
        if (!this.#entries.has(entry)) return;
        entry.since = since;
        this.#count(entry, bytes - entry.bytes);
        // Already admitted: the share is checked before an answer is made.
        this.#makeRoom([]);
      },
      arrived: () => {
        entry.isEndable = false;
      },
      release: () => this.#forget(entry),
    };
  }

  /**
   * Returns whether an answer may be made for the address. An address that uses its own share must read its answers
   * first. Otherwise each request would replace an unread answer by another one. If others use the memory, their
   * stalled exchanges are ended.
   */
  hasRoom(address: string): boolean {
    const path = networkPath(address);
    const own = this.#of(path.at(-1) ?? '');
    return own <= MAX_OF_NETWORK && (this.#makeRoom(path) || own <= ALWAYS_ACCEPTED);
  }

  /** Counts an exchange that was ended because it was too slow. */
  noteLate(kind: Kind): void {
    this.#ended[kind].late++;
  }

  /** Returns the bytes in use, and how many exchanges were ended since the start, by kind. */
  figures(): {
    bytes: Readonly<Record<Kind, number>>;
    ended: Readonly<Record<Kind, Readonly<Record<Reason, number>>>>;
  } {
    return { bytes: { ...this.#bytes }, ended: this.#ended };
  }

  #count(entry: Entry, bytes: number): void {
    entry.bytes += bytes;
    this.#bytes[entry.kind] += bytes;
    for (const network of entry.path) {
      const held = this.#of(network) + bytes;
      if (held > 0) this.#byNetwork.set(network, held);
      else this.#byNetwork.delete(network);
    }
  }

  #forget(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#count(entry, -entry.bytes);
  }

  #of(network: string): number {
    return this.#byNetwork.get(network) ?? 0;
  }

  /** Ends stalled exchanges until the total and these networks are within their limits. @returns whether they are */
  #makeRoom(path: readonly string[]): boolean {
    for (;;) {
      const crowded = path.find((network, depth) => this.#of(network) > shareOf(path, depth));
      const isFull = this.#bytes.body + this.#bytes.answer > MAX_TOTAL;
      if (crowded === undefined && !isFull) return true;
      const stalled = this.#longestStalled(crowded);
      if (!stalled) return false;
      this.#forget(stalled);
      this.#ended[stalled.kind].room++;
      stalled.end();
    }
  }

  /** @param network to search; undefined: the network with stalled exchanges that uses most memory */
  #longestStalled(network: string | undefined): Entry | undefined {
    const before = this.#now() - STALLED_MS;
    let found: Entry | undefined;
    for (const entry of this.#entries) {
      const isStalled = entry.isEndable && entry.bytes > 0 && entry.since <= before;
      if (!isStalled || (network !== undefined && !entry.path.includes(network))) continue;
      if (!found || this.#isBefore(entry, found)) found = entry;
    }
    return found;
  }

  #isBefore(a: Entry, b: Entry): boolean {
    for (const depth of [0, 1]) {
      const difference = this.#of(a.path[depth] ?? '') - this.#of(b.path[depth] ?? '');
      if (difference !== 0) return difference > 0;
    }
    return a.since < b.since;
  }
}

function shareOf(path: readonly string[], depth: number): number {
  return depth === path.length - 1 ? MAX_OF_NETWORK : MAX_OF_WIDE_NETWORK;
}

/** Reservation for the service role, whose bytes are not counted. */
export const UNLIMITED: MemoryReservation = {
  add: () => true,
  keep: () => undefined,
  arrived: () => undefined,
  release: () => undefined,
};
