/** Requests to external servers, such as providers and webhooks, with limits for time and size. */
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { isPrivate, lookUpPublic, PrivateAddressError } from './public-address.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 512 * 1024;

/** User agent, because some providers reject requests without one. */
export const USER_AGENT = 'signalfjord-backend';

export type ExternalFetch = (url: string, init?: RequestInit) => Promise<Response>;

/**
 * fetch with a timeout and a size limit. Redirects are not followed.
 * @throws Error if the server does not respond in time, or the response is too large
 */
export const externalFetch: ExternalFetch = async (url, init = {}) => {
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  return readBounded(url, response.status, response.headers, response.body ?? []);
};

/**
 * Like externalFetch, for URLs that the operator did not set. Only https is allowed. Private networks are rejected,
 * even if a public name resolves to them.
 * @throws the errors of externalFetch, PrivateAddressError
 */
export const publicFetch = async (href: string, init: RequestInit = {}, maxBytes = MAX_BYTES): Promise<Response> => {
  const url = new URL(href);
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'https:' || (isIP(literal) && isPrivate(literal))) {
    throw new PrivateAddressError(`${url.origin} is not a public https address`);
  }
  const normalized = new Request(url, init);
  const body = Buffer.from(await normalized.arrayBuffer());
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: normalized.method,
        headers: Object.fromEntries(normalized.headers),
        lookup: lookUpPublic,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
  const headers = new Headers(
    Object.entries(response.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
  return readBounded(href, response.statusCode ?? 0, headers, response, maxBytes);
};

async function readBounded(
  url: string,
  status: number,
  headers: Headers,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes = MAX_BYTES,
): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`${new URL(url).origin} responded with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers });
}
