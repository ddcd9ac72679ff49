/**
 * Waiting room of events: what comes within a moment goes to the database together, one batch at a time and in turn by
 * source, so that a flood of one source holds up neither the others nor the visitors.
 */

/** Events of one batch: it takes the database some 20 ms. */
const BATCH_EVENTS = 100;

/** Events that come within this time of the first go along with it. */
const COLLECTING_MS = 100;

/** Events that wait at most, of one source and of all; and the bytes of the bodies that they came in. */
const MOST_WAITING = { ofSource: 2000, ofAll: 10_000, bytes: 32 * 1024 * 1024 };

export interface EventQueue<Outcome> {
  /**
   * Waits until all events of a request are written. Undefined when there is no room for them.
   * @param lane names the source and the secret that was sent along
   */
  add(lane: string, events: readonly unknown[], bytes: number): Promise<Outcome> | undefined;
}

interface Waiting<Outcome> {
  events: readonly unknown[];
  bytes: number;
  /** Events that were not handed on yet. */
  next: number;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/** @param write writes a batch of one lane; all requests in it are told its outcome */
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
        ofSource + events.length > MOST_WAITING.ofSource ||
        counts.events + events.length > MOST_WAITING.ofAll ||
        counts.bytes + bytes > MOST_WAITING.bytes
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
      // The next turn is that of another lane, if there is one.
      lanes.delete(lane);
      const { batch, ended } = takeBatch(waiting);
      if (waiting.length > 0) lanes.set(lane, waiting);
      try {
        const outcome = await write(lane, batch);
        for (const request of ended) request.resolve(outcome);
      } catch (error) {
        // A request of which a part is left will be sent again as a whole.
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
