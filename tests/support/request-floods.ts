/**
 * Simulates floods of requests from any network. The server must trust the X-Forwarded-For header from this machine.
 */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';

export interface RequestFlood {
  /** Number of responses with at least their status line, by status. */
  responseCounts: Map<number, number>;
  /** Last chunk received with each status. A short response is complete. */
  lastChunks: Map<number, string>;
  /** Closes all connections, including pending ones. */
  close(): void;
}

export interface FloodRequest {
  path: string;
  /** The client address of the request. */
  from: string;
  /** The Cookie header of the request. */
  cookie?: string;
}

/** Pipelines all requests of each connection, without waiting for responses. */
export function sendPipelined(siteUrl: string, connections: readonly (readonly FloodRequest[])[]): RequestFlood {
  const { hostname, port } = new URL(siteUrl);
  const responseCounts = new Map<number, number>();
  const lastChunks = new Map<number, string>();
  const sockets = connections.map((requests) => {
    const socket: Socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      const text = data.toString('latin1');
      for (const [, digits] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
        const status = Number(digits);
        responseCounts.set(status, (responseCounts.get(status) ?? 0) + 1);
        lastChunks.set(status, text);
      }
    });
    socket.write(
      requests
        .map(
          ({ path, from, cookie = '' }) =>
            `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Forwarded-For: ${from}\r\nCookie: ${cookie}\r\n\r\n`,
        )
        .join(''),
    );
    return socket;
  });
  return {
    responseCounts,
    lastChunks,
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Opens a connection for each request. */
export function sendConcurrently(siteUrl: string, requests: readonly FloodRequest[]): RequestFlood {
  return sendPipelined(
    siteUrl,
    requests.map((request) => [request]),
  );
}

/**
 * Simulates `count` clients with one address. Each opens a new connection as soon as its previous request was answered.
 * Runs in a separate thread, so that it does not delay the measurement. @param path requested path, where {n} is
 * replaced with a unique number
 */
export function repeatRequests(siteUrl: string, count: number, path: string) {
  const responses = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./repeat-requests-worker.ts', import.meta.url), {
    workerData: { siteUrl, count, path, responses },
  });
  return {
    /** Number of responses so far. */
    responseCount: () => Atomics.load(responses, 0),
    close: () => worker.terminate(),
  };
}

/** Requests a page as a visitor over a new connection. @returns its status and load time in milliseconds */
export async function readOnNewConnection(siteUrl: string, path: string): Promise<{ status: number; ms: number }> {
  const start = performance.now();
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const [response] = (await once(get(new URL(path, siteUrl), { headers, agent: false }), 'response')) as [
    IncomingMessage,
  ];
  await buffer(response);
  return { status: response.statusCode ?? 0, ms: performance.now() - start };
}

/** Returns the values of a server's metrics without labels, keyed by name. */
export async function readMetricValues(metricsUrl: string): Promise<Map<string, number>> {
  const text = await (await fetch(metricsUrl)).text();
  return new Map([...text.matchAll(/^(\w+) ([\d.e+-]+)$/gm)].map(([, name = '', value]) => [name, Number(value)]));
}
