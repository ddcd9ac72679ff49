/** HTTP server of the site with its timeouts and limits. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** Timeout for the request headers, from the first byte or the start of the connection. */
const HEADERS_TIMEOUT_MS = 10_000;

/** Keep-alive timeout. */
export const IDLE_TIMEOUT_MS = 5_000;

/** A token contains up to 9 kB of user_metadata in base64, and a request may contain two tokens and a long URL. */
const MAX_HEADER_BYTES = 32 * 1024;

/** Maximum pipelined requests. Browsers and proxies do not pipeline. */
const MAX_QUEUED = 16;

export function createSiteServer(): Server {
  return createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    connectionsCheckingInterval: 2_000,
  });
}

type Call = Parameters<RequestListener>;

/** Pipelined requests of a connection. */
interface Pipeline {
  isBusy: boolean;
  queued: Call[];
}

/**
 * Wraps a listener so that it gets one request per connection at a time. The next request starts when the previous
 * response is sent. A connection with too many pipelined requests is closed, because Node keeps reading them.
 */
export function handleOneAtATime(listener: RequestListener): RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>();

  function start(pipeline: Pipeline, [request, response]: Call): void {
    pipeline.isBusy = true;
    response.once('close', () => {
      pipeline.isBusy = false;
      const next = pipeline.queued.shift();
      if (!next) return;
      if (request.socket.destroyed) pipeline.queued.length = 0;
      else start(pipeline, next);
    });
    listener(request, response);
  }

  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    let pipeline = pipelines.get(socket);
    if (!pipeline) {
      pipeline = { isBusy: false, queued: [] };
      pipelines.set(socket, pipeline);
    }
    if (!pipeline.isBusy) start(pipeline, [request, response]);
    else if (pipeline.queued.length < MAX_QUEUED) pipeline.queued.push([request, response]);
    else socket.destroy();
  };
}
