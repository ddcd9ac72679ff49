/** Plain-text responses of the server. */
import type { ServerResponse } from 'node:http';

/** Minimum time in ms before a 503, so that clients that retry immediately retry only once a second. */
const MIN_503_DELAY_MS = 1_000;

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(text);
}

/** Sends a 503. @param startedAt performance.now() of the request */
export function sendUnavailable(response: ServerResponse, startedAt: number): void {
  const text = 'This page cannot be shown right now. Please try again in a few seconds.';
  const send = () => {
    if (!response.destroyed) sendText(response, 503, text, { 'retry-after': '5', 'cache-control': 'no-store' });
  };
  setTimeout(send, Math.max(0, startedAt + MIN_503_DELAY_MS - performance.now()));
}
