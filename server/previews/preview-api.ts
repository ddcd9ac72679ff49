/** Reads previews from the Supabase API: the target of a link and the unpublished content. */
import type { IncomingMessage } from 'node:http';
import type { OpenPreview } from '../../app/editing/previews/preview-labels.ts';
import type { PreviewNotice } from '../../app/site/preview/preview-page.tsx';
import { UnavailableError } from '../render-queue.ts';

/** Request header that the database reads the preview token from. */
const TOKEN_HEADER = 'x-preview-token';

/** 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/;

/** Headers that are not forwarded to the API: hop-by-hop headers, and cookies of this site. */
const NOT_FORWARDED = [
  'connection',
  'content-length',
  'cookie',
  'host',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
];

export interface PreviewApi {
  /** Origin of the Supabase API without a trailing slash. */
  url: string;
  publishableKey: string;
  fetch: (request: Request, socketAddress?: string) => Response | Promise<Response>;
}

/** Sender of a request, for rate limits. */
export interface Requester {
  socketAddress: string | undefined;
  forwardedFor: string | undefined;
}

/** Preview with the tables whose reads it replaces. */
export type ReadablePreview = OpenPreview & { tables: string[] };

/** Opened preview, or the reason why it cannot be opened. */
export type PreviewResult =
  | { notice: null; preview: ReadablePreview }
  | { notice: Extract<PreviewNotice, 'unknown' | 'ended' | 'busy'> };

/**
 * Opens the preview of a link. Invalid tokens are counted.
 * @throws UnavailableError if the database is overloaded
 */
export async function openPreview(api: PreviewApi, token: string, requester: Requester): Promise<PreviewResult> {
  if (!TOKEN.test(token)) return { notice: 'unknown' };
  const request = new Request(`${api.url}/rest/v1/rpc/open_preview`, {
    method: 'POST',
    headers: { ...createHeaders(api, requester), 'content-type': 'application/json' },
    body: JSON.stringify({ _token: token }),
  });
  const response = await api.fetch(request, requester.socketAddress);
  return response.status === 429 ? { notice: 'busy' } : readResult(response);
}

/**
 * Reads the preview again for each request, because the link may have expired.
 * @throws UnavailableError if the database is overloaded
 */
export async function readPreview(api: PreviewApi, token: string, requester: Requester): Promise<PreviewResult> {
  if (!TOKEN.test(token)) return { notice: 'unknown' };
  const headers = { ...createHeaders(api, requester), [TOKEN_HEADER]: token };
  const request = new Request(`${api.url}/rest/v1/rpc/preview_state`, { headers });
  return readResult(await api.fetch(request, requester.socketAddress));
}

/** Returns the sender of a request. The API applies rate limits to it. */
export function getRequester({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): Requester {
  return { socketAddress: socket.remoteAddress, forwardedFor: headers['x-forwarded-for']?.toString() };
}

function createHeaders({ publishableKey }: PreviewApi, { forwardedFor }: Requester): Record<string, string> {
  return { apikey: publishableKey, ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }) };
}

async function readResult(response: Response): Promise<PreviewResult> {
  if (response.status === 429 || response.status === 503) {
    throw new UnavailableError('The database is too busy to load a preview.');
  }
  if (!response.ok) throw new Error(`The API responded with status ${response.status} to a preview.`);
  const body: { state: 'open' | 'ended' | 'unknown' } & ReadablePreview = await response.json();
  return body.state === 'open' ? { notice: null, preview: body } : { notice: body.state };
}

/**
 * Rewrites a visitor's read of a content table to a read of the preview. Returns other requests unchanged. Signed-in
 * reads come from admin forms. They must load the published row, because saving the draft would publish it.
 */
export function toPreviewRead(request: Request, tables: readonly string[], token: string): Request {
  const url = new URL(request.url);
  const [, table] = /^\/rest\/v1\/(\w+)$/.exec(url.pathname) ?? [];
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!table || !tables.includes(table) || !isRead || request.headers.has('authorization')) return request;
  url.pathname = `/rest/v1/rpc/preview_${table}`;
  const previewRequest = new Request(url, request);
  previewRequest.headers.set(TOKEN_HEADER, token);
  return previewRequest;
}

/** Turns a browser request inside the preview into an API request. */
export function toApiRequest(request: Request, to: URL): Request {
  const apiRequest = new Request(to, request);
  for (const name of NOT_FORWARDED) apiRequest.headers.delete(name);
  return apiRequest;
}

/** Returns the API response without caching and transport headers. */
export function disableCaching(response: Response): Response {
  const copy = new Response(response.body, response);
  for (const name of ['connection', 'content-encoding', 'content-length', 'transfer-encoding']) {
    copy.headers.delete(name);
  }
  copy.headers.set('cache-control', 'private, no-store');
  return copy;
}
