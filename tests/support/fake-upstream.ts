/** An OpenAI-compatible server on loopback whose responses, including failures, are set by the test. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readBody } from './read-body.ts';

interface UpstreamRequest {
  authorization: string | undefined;
  body: { model: string; stream: boolean; messages: { role: string; content: string }[] };
  /** Resolves if the caller disconnects before the response is complete. */
  abandoned: Promise<void>;
}

/** Responds to one request. */
export type UpstreamBehaviour = (response: ServerResponse, request: UpstreamRequest) => void | Promise<void>;

export interface FakeUpstream {
  /** Value for AI_BASE_URL. */
  url: string;
  requests: UpstreamRequest[];
  /** Sets the behaviour for the next requests, in this order. The last one stays. */
  behave(...behaviours: UpstreamBehaviour[]): void;
  close(): Promise<void>;
}

export async function startFakeUpstream(): Promise<FakeUpstream> {
  const requests: UpstreamRequest[] = [];
  let behaviours: UpstreamBehaviour[] = [reply('Hello', ' there')];
  const server = createServer((request, response) => void handleRequest(request, response));

  async function handleRequest(request: IncomingMessage, response: ServerResponse) {
    if (request.method === 'GET') return response.end('{"data":[{"id":"test-model"}]}');
    const body = await readBody(request);
    if (!body) return;
    const abandoned = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve();
      });
    });
    const recordedRequest = {
      authorization: request.headers.authorization,
      body: JSON.parse(body.toString()),
      abandoned,
    };
    requests.push(recordedRequest);
    const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0];
    await behaviour?.(response, recordedRequest);
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The fake upstream has no port');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    behave(...next) {
      behaviours = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Sends a complete reply in chunks. */
export function reply(...pieces: string[]): UpstreamBehaviour {
  return (response) => {
    startStream(response);
    for (const piece of pieces) response.write(event(piece));
    response.end('data: [DONE]\n\n');
  };
}

/** Sends exactly these bytes, each in a separate packet. */
export function raw(...packets: (string | Uint8Array)[]): UpstreamBehaviour {
  return async (response) => {
    startStream(response);
    for (const packet of packets) {
      await new Promise<unknown>((resolve) => response.write(packet, resolve));
      await new Promise((nextTurn) => setImmediate(nextTurn));
    }
    response.end();
  };
}

/** Responds with a status and a body, such as a proxy's error page. */
export function failWith(status: number, body: string, contentType = 'text/html'): UpstreamBehaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': contentType }).end(body);
  };
}

/** Closes the connection after these chunks. */
export function breakAfter(...pieces: string[]): UpstreamBehaviour {
  return async (response) => {
    startStream(response);
    for (const piece of pieces) await new Promise<unknown>((resolve) => response.write(event(piece), resolve));
    response.destroy();
  };
}

/** Writes these chunks, and the rest after `signal` resolves. */
export function pauseAfter(
  pieces: string[],
  signal: Promise<unknown>,
  ...remainingPieces: string[]
): UpstreamBehaviour {
  return async (response) => {
    startStream(response);
    for (const piece of pieces) response.write(event(piece));
    await signal;
    for (const piece of remainingPieces) response.write(event(piece));
    response.end('data: [DONE]\n\n');
  };
}

/** Accepts the request and never responds. */
export const stall: UpstreamBehaviour = () => undefined;

export function event(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

function startStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}
