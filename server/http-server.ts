/** The HTTP server of the site, with the bounds of a connection. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** Time for the headers of a request, from its first byte, or from the beginning of the connection. */
const HEADERS_TIMEOUT_MS = 10_000;

/** Time until the next request on a connection. */
export const IDLE_TIMEOUT_MS = 5_000;

/** A token carries up to 9 kB of user_metadata in base64, and a request may carry two tokens beside the longest address. */
const MAX_HEADER_BYTES = 32 * 1024;

/** Requests that a connection may send ahead of the answers. Browsers and proxies send none. */
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

/** Requests that a connection has sent. */
interface Line {
  isBusy: boolean;
  ahead: Call[];
}

/**
 * Wraps a listener so that it gets one request of each connection at a time: the next is begun when the answer to the
 * one before it has left. A connection that sends more than a few ahead is ended, because Node reads on whatever waits.
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
