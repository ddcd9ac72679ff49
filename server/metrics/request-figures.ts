/**
 * Requests and their durations by route. Written for the kept pages, of which one process answers 30,000 a second: a
 * request costs two look-ups and a few additions (docs/decisions/process.md).
 */
import type { Metric } from './exposition.ts';

/** Upper ends, in seconds. */
const BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Durations of one method and route. */
class Durations {
  /** Counts by bucket, and one more than BUCKETS for what took longer than all. */
  readonly counts = new Float64Array(BUCKETS.length + 1);
  readonly statuses = new Map<number, number>();
  seconds = 0;
}

export class RequestFigures {
  readonly #byMethod = new Map<string, Map<string, Durations>>();

  /** @param status of the answer; 499 for one that the client did not wait for */
  note(method: string, route: string, status: number, seconds: number): void {
    const durations = this.#durationsOf(METHODS.has(method) ? method : 'OTHER', route);
    let bucket = 0;
    for (const end of BUCKETS) if (seconds > end) bucket++;
    durations.counts[bucket] = (durations.counts[bucket] ?? 0) + 1;
    durations.seconds += seconds;
    durations.statuses.set(status, (durations.statuses.get(status) ?? 0) + 1);
  }

  #durationsOf(method: string, route: string): Durations {
    const known = this.#byMethod.get(method)?.get(route);
    if (known) return known;
    const byRoute = this.#byMethod.get(method) ?? new Map<string, Durations>();
    const durations = new Durations();
    this.#byMethod.set(method, byRoute.set(route, durations));
    return durations;
  }

  metrics(): Metric[] {
    const requests: Metric['samples'] = [];
    const seconds: Metric['samples'] = [];
    for (const [method, byRoute] of this.#byMethod) {
      for (const [route, durations] of byRoute) {
        const labels = { method, route };
        for (const [status, value] of durations.statuses) {
          requests.push({ labels: { ...labels, status: String(status) }, value });
        }
        seconds.push(...samplesOf(durations, labels));
      }
    }
    return [
      { name: 'http_requests_total', help: 'Answered requests.', type: 'counter', samples: requests },
      {
        name: 'http_request_duration_seconds',
        help: 'Time until an answer was sent whole, of a kept page until it was handed to the network.',
        type: 'histogram',
        samples: seconds,
      },
    ];
  }
}

function samplesOf(durations: Durations, labels: Record<string, string>): Metric['samples'] {
  let sum = 0;
  const buckets = [...BUCKETS, Number.POSITIVE_INFINITY].map((end, index) => {
    sum += durations.counts[index] ?? 0;
    const le = end === Number.POSITIVE_INFINITY ? '+Inf' : String(end);
    return { suffix: '_bucket', labels: { ...labels, le }, value: sum } as const;
  });
  return [...buckets, { suffix: '_sum', labels, value: durations.seconds }, { suffix: '_count', labels, value: sum }];
}
