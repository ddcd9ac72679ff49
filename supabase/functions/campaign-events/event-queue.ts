/**
 * Queue of events. Events that arrive within a short time are written as one batch, one batch at a time. Sources take
 * turns, so that a flood of one source delays neither other sources nor visitors.
 */

/** Maximum events per batch, which takes the database about 20 ms. */
const BATCH_EVENTS = 100;

/** Milliseconds in which events are collected for a batch. */
const COLLECTING_MS = 100;

/** Maximum queued events, per source and in total, and maximum bytes of their request bodies. */
const MAX_QUEUED = { ofSource: 2000, ofAll: 10_000, bytes: 32 * 1024 * 1024 };

export interface EventQueue<Outcome> {
  /**
   * Queues the events of a request. Resolves when all are written. Returns undefined if the queue is full.
   * @param lane identifies the source and the secret of the request
   */
  add(lane: string, events: readonly unknown[], bytes: number): Promise<Outcome> | undefined;
}

interface Waiting<Outcome> {
  events: readonly unknown[];
  bytes: number;
  /** Events that have not been written yet. */
  next: number;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/** @param write writes a batch of one lane. Its result is returned to every request in the batch */
export function createEventQueue<Outcome>(
  write: (lane: string, events: readonly unknown[]) => Promise<Outcome>,
): EventQueue<Outcome> {
  const lanes = new Map<string, Waiting<Outcome>[]>();
  const counts = { events: 0, bytes: 0 };
  let isWriting = false;

  return {
    add(lane, events, bytes) {
      const waiting = lanes.get(lane) ?? [];
      const ofSource = waiting.reduce((sum, request) => sum + request.events.length - request.next, 0);
      if (
        ofSource + events.length > MAX_QUEUED.ofSource ||
        counts.events + events.length > MAX_QUEUED.ofAll ||
        counts.bytes + bytes > MAX_QUEUED.bytes
      ) {
        return undefined;
      }
      counts.events += events.length;
      counts.bytes += bytes;
      return new Promise<Outcome>((resolve, reject) => {
        waiting.push({ events, bytes, next: 0, resolve, reject });
        lanes.set(lane, waiting);
        if (!isWriting) void writeAll();
      });
    },
  };

  async function writeAll(): Promise<void> {
    isWriting = true;
    await new Promise((done) => setTimeout(done, COLLECTING_MS));
    for (let [turn] = lanes; turn; [turn] = lanes) {
      const [lane, waiting] = turn;
      // Move to the next lane.
      lanes.delete(lane);
      const { batch, ended } = takeBatch(waiting);
      if (waiting.length > 0) lanes.set(lane, waiting);
      try {
        const outcome = await write(lane, batch);
        for (const request of ended) request.resolve(outcome);
      } catch (error) {
        // The sender will repeat the whole request, so drop the rest of it.
        if (waiting[0] && waiting[0].next > 0) ended.push(...waiting.splice(0, 1));
        if (waiting.length === 0) lanes.delete(lane);
        for (const request of ended) {
          counts.events -= request.events.length - request.next;
          request.reject(error);
        }
      }
      counts.events -= batch.length;
      for (const { bytes } of ended) counts.bytes -= bytes;
    }
    isWriting = false;
  }

  function takeBatch(waiting: Waiting<Outcome>[]) {
    const batch: unknown[] = [];
    const ended: Waiting<Outcome>[] = [];
    for (const request of [...waiting]) {
      const part = request.events.slice(request.next, request.next + BATCH_EVENTS - batch.length);
      batch.push(...part);
      request.next += part.length;
      if (request.next < request.events.length) break;
      ended.push(request);
      waiting.shift();
    }
    return { batch, ended };
  }
}
