/** Sends requests and counts their results by kind. Used by visitors and attackers of the mixed load. */
import { performance } from 'node:perf_hooks';
import { PUBLISHABLE_KEY } from '../packages/backend/src/http/keys.ts';

/** `deadline`: a statement timed out. `broken`: any other 5xx. `lost`: no response. */
export type Outcome = 'served' | 'refused' | 'deadline' | 'broken' | 'lost';

interface TalliedRequest {
  /** Kind under which the request is counted. */
  kind: string;
  path: string;
  /** Sent as X-Forwarded-For, which the server trusts from loopback. */
  address: string;
  method?: string;
  body?: string;
  headers?: Record<string, string>;
  /** Scheduled time by performance.now(), now by default. Latency is measured from it. */
  due?: number;
}

const TIMEOUT_MS = 30_000;

export class Tally {
  readonly counts: Record<string, Partial<Record<Outcome, number>>> = {};
  /** Durations of the served requests in ms, by kind. */
  readonly latencies: Record<string, number[]> = {};
  /** The first unexpected responses, for debugging. */
  readonly unexpectedResponses: string[] = [];
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Sends a request, counts its result, and returns the body of a successful response. */
  async send({
    kind,
    path,
    address,
    due = performance.now(),
    headers,
    ...init
  }: TalliedRequest): Promise<string | null> {
    try {
      const response = await fetch(this.#url + path, {
        ...init,
        headers: {
          apikey: PUBLISHABLE_KEY,
          authorization: `Bearer ${PUBLISHABLE_KEY}`,
          'content-type': 'application/json',
          'x-forwarded-for': address,
          ...headers,
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const body = await response.text();
      const outcome = outcomeOf(response.status, body);
      this.#count(kind, outcome, `${response.status} ${body.slice(0, 200)}`);
      if (outcome !== 'served') return null;
      this.latencies[kind] ??= [];
      this.latencies[kind].push(performance.now() - due);
      return body;
    } catch (error) {
      this.#count(kind, 'lost', String(error));
      return null;
    }
  }

  /** Starts a chat as the site does, and returns its id. */
  async startConversation(kind: string, address: string, due = performance.now()): Promise<string | null> {
    const headers = { prefer: 'return=representation' };
    const path = '/rest/v1/conversations?select=id';
    const body = await this.send({ kind, path, address, method: 'POST', body: '{}', headers, due });
    return body && ((JSON.parse(body) as { id: string }[])[0]?.id ?? null);
  }

  /** Returns the number of requests with an outcome, of one kind or of all kinds. */
  total(outcome: Outcome, kind?: string): number {
    const countsByOutcome = kind === undefined ? Object.values(this.counts) : [this.counts[kind] ?? {}];
    return countsByOutcome.reduce((sum, counts) => sum + (counts[outcome] ?? 0), 0);
  }

  #count(kind: string, outcome: Outcome, detail: string): void {
    this.counts[kind] ??= {};
    this.counts[kind][outcome] = (this.counts[kind][outcome] ?? 0) + 1;
    const isUnexpected = outcome === 'broken' || outcome === 'lost';
    if (isUnexpected && this.unexpectedResponses.length < 10) this.unexpectedResponses.push(`${kind}: ${detail}`);
  }
}

function outcomeOf(status: number, body: string): Outcome {
  if (status < 400) return 'served';
  if (status < 500) return 'refused';
  return body.includes('"57014"') ? 'deadline' : 'broken';
}

/**
 * Starts `work` at a fixed interval until the time is over, without waiting for earlier calls. A stalled server therefore
 * gets as many requests as a fast server, and the delay is part of their latency.
 */
export async function runAtInterval(
  milliseconds: number,
  end: number,
  work: (index: number, due: number) => Promise<unknown>,
): Promise<void> {
  const running = new Set<Promise<unknown>>();
  let due = performance.now();
  for (let index = 0; due < end; index += 1, due += milliseconds) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    const call = work(index, due).finally(() => running.delete(call));
    running.add(call);
  }
  await Promise.all(running);
}
