/** Counts every request and writes its line into the access log, whichever of the two is on. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { requestIdFrom } from '@signalfjord/backend';
import type { Logger } from 'pino';
import type { RequestFigures } from './metrics/request-figures.ts';

export interface Observers {
  /** The pattern of the route that answers an address, which is all that is told of it. */
  routeOf: (url: string) => string;
  /** Null while there are no metrics. */
  figures: RequestFigures | null;
  /** Null while there is no access log. */
  accessLog: Logger | null;
}

/** The status that stands for an answer that the client did not wait for, as nginx writes it. */
const CLIENT_WENT = 499;

export function observeRequests(listener: RequestListener, observers: Observers): RequestListener {
  const { routeOf, figures, accessLog } = observers;
  if (!figures && !accessLog) return listener;
  return (request, response) => {
    const start = performance.now();
    const requestId = accessLog ? giveRequestId(request, response) : '';
    const note = () => {
      const milliseconds = performance.now() - start;
      const { method = '' } = request;
      const route = routeOf(request.url ?? '/');
      const status = response.writableEnded ? response.statusCode : CLIENT_WENT;
      figures?.note(method, route, status, milliseconds / 1000);
      accessLog?.info({ requestId, method, route, status, ms: Math.round(milliseconds * 10) / 10 }, 'request');
    };
    listener(request, response);
    // A kept page is on its way already, and needs no listener to say so.
    if (response.writableEnded) note();
    else response.once('close', note);
  };
}

/**
 * Gives the id of the request, which the services of the backend find in its headers and the client in those of the
 * answer.
 */
function giveRequestId(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id'];
  const id = requestIdFrom(typeof given === 'string' ? given : null);
  if (id !== given) {
    const raw = request.rawHeaders;
    for (let index = raw.length - 2; index >= 0; index -= 2) {
      if (raw[index]?.toLowerCase() === 'x-request-id') raw.splice(index, 2);
    }
    raw.push('x-request-id', id);
  }
  response.setHeader('x-request-id', id);
  return id;
}
