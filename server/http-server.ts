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
const MAX_AHEAD = 16;

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
interface Line {
  isBusy: boolean;
  ahead: Call[];
}

/**
 * Wraps a listener so that it gets one request per connection at a time. The next request starts when the previous
 * response is sent. A connection with too many pipelined requests is closed, because Node keeps reading them.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>();

  function begin(line: Line, [request, response]: Call): void {
    line.isBusy = true;
    response.once('close', () => {
      line.isBusy = false;
      const next = line.ahead.shift();
      if (!next) return;
      if (request.socket.destroyed) line.ahead.length = 0;
      else begin(line, next);
    });
    listener(request, response);
  }

  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    let line = lines.get(socket);
    if (!line) {
      line = { isBusy: false, ahead: [] };
      lines.set(socket, line);
    }
    if (!line.isBusy) begin(line, [request, response]);
    else if (line.ahead.length < MAX_AHEAD) line.ahead.push([request, response]);
    else socket.destroy();
  };
}
