/** Records every request in the metrics and the access log, if enabled. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { requestIdFrom } from '@signalfjord/backend';
import type { Logger } from 'pino';
import type { RequestMetrics } from './metrics/request-metrics.ts';

export interface Observers {
  /** Returns the route pattern for the label. */
  routeOf: (url: string) => string;
  /** Null without metrics. */
  metrics: RequestMetrics | null;
  /** Null without an access log. */
  accessLog: Logger | null;
}

/** Status for a connection that the client closed before the response, as in nginx. */
const CLIENT_CLOSED = 499;

export function observeRequests(listener: RequestListener, observers: Observers): RequestListener {
  const { routeOf, metrics, accessLog } = observers;
  if (!metrics && !accessLog) return listener;
  return (request, response) => {
    const start = performance.now();
    const requestId = accessLog ? setRequestId(request, response) : '';
    const record = () => {
      const milliseconds = performance.now() - start;
      const { method = '' } = request;
      const route = routeOf(request.url ?? '/');
      const status = response.writableEnded ? response.statusCode : CLIENT_CLOSED;
      metrics?.record(method, route, status, milliseconds / 1000);
      accessLog?.info({ requestId, method, route, status, ms: Math.round(milliseconds * 10) / 10 }, 'request');
    };
    listener(request, response);
    // A cached page has already been sent, so no listener is needed.
    if (response.writableEnded) record();
    else response.once('close', record);
  };
}

/** Sets the request id in the request headers for the backend and in the response headers. */
function setRequestId(request: IncomingMessage, response: ServerResponse): string {
  const header = request.headers['x-request-id'];
  const id = requestIdFrom(typeof header === 'string' ? header : null);
  if (id !== header) {
    const raw = request.rawHeaders;
    for (let index = raw.length - 2; index >= 0; index -= 2) {
      if (raw[index]?.toLowerCase() === 'x-request-id') raw.splice(index, 2);
    }
    raw.push('x-request-id', id);
  }
  response.setHeader('x-request-id', id);
  return id;
}
