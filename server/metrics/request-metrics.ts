/** Request counts and durations by method and route. */
import { Counter, Histogram, Registry } from 'prom-client';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export class RequestMetrics {
  readonly registry = new Registry();
  readonly #requests = new Counter({
    name: 'http_requests_total',
    help: 'Completed requests.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  });
  readonly #durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the response was sent completely. For cached pages: until it was passed to the socket.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers: [this.registry],
  });

  /** Records a request. @param status 499 if the client disconnected before the response */
  record(method: string, route: string, status: number, seconds: number): void {
    const labels = { method: METHODS.has(method) ? method : 'OTHER', route };
    this.#requests.inc({ ...labels, status });
    this.#durations.observe(labels, seconds);
  }
}
