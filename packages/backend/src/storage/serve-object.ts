/** File responses: validators, ranges, and headers that prevent an upload from running as a page of the site. */
import { Readable } from 'node:stream';
import { ApiError } from '../http/api-error.ts';
import type { ByteRange } from './bytes/byte-store.ts';
import type { ObjectRow } from './objects.ts';
import type { Storage } from './storage.ts';

export interface ServeOptions {
  /**
   * Value of the `download` parameter: a file name, or empty for the file's own name. Null if the parameter is missing.
   */
  download: string | null;
  /** True if everyone may read the file. Other files are never cached, because access can be revoked at any time. */
  isPublic: boolean;
  /** Expiry of the signature. */
  expires?: Date;
}

/** Cache-Control of a file that is not public. */
export const PRIVATE = 'private, no-store';

/** @throws ApiError InvalidRange, NoSuchKey */
export async function serveObject(
  storage: Storage,
  request: Request,
  object: ObjectRow,
  options: ServeOptions,
): Promise<Response> {
  const { metadata } = object;
  const modified = new Date(metadata.lastModified);
  const headers = new Headers({
    ...contentHeaders(metadata.mimetype, object.name, options.download),
    'accept-ranges': 'bytes',
    etag: metadata.eTag,
    'last-modified': modified.toUTCString(),
    'cache-control': options.isPublic ? metadata.cacheControl : PRIVATE,
    ...(options.expires ? { expires: options.expires.toUTCString() } : {}),
  });
  if (isNotModified(request.headers, metadata.eTag, modified)) return new Response(null, { status: 304, headers });
  const range = requestedRange(request.headers, metadata.size, metadata.eTag, modified);
  const length = range ? range.end - range.start + 1 : metadata.size;
  headers.set('content-length', String(length));
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${metadata.size}`);
  const status = range ? 206 : 200;
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const bytes = await storage.bytes.read(object.version, range);
  return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array<ArrayBuffer>>, { status, headers });
}

/**
 * Only images, videos, audio, text and PDF are displayed in the browser. Other files are downloaded. Text that a browser
 * might interpret as HTML is sent as plain text, and an SVG can neither run scripts nor load resources.
 */
export function contentHeaders(type: string, name: string, download: string | null): Record<string, string> {
  const isDisplayed = /^(?:image|video|audio|text)\/|^application\/(?:pdf|json|xml)$/.test(type);
  const isMarkup = /^text\/(?!plain|csv)|xml$|html$/.test(type) && type !== 'image/svg+xml';
  const fileName = download || name.slice(name.lastIndexOf('/') + 1);
  const isDownload = download !== null || !isDisplayed;
  return {
    'content-type': isMarkup ? 'text/plain; charset=utf-8' : type,
    'x-content-type-options': 'nosniff',
    ...(isDownload ? { 'content-disposition': `attachment; filename*=UTF-8''${encodeRfc5987(fileName)}` } : {}),
    ...(type === 'application/pdf' || /^(?:video|audio)\//.test(type)
      ? {}
      : { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox" }),
  };
}

function encodeRfc5987(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

export function isNotModified(headers: Headers, etag: string, modified: Date): boolean {
  const ifNoneMatch = headers.get('if-none-match');
  if (ifNoneMatch !== null) {
    return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
  }
  const modifiedSince = Date.parse(headers.get('if-modified-since') ?? '');
  // HTTP dates have no fractions of a second.
  return !Number.isNaN(modifiedSince) && Math.floor(modified.getTime() / 1000) * 1000 <= modifiedSince;
}

/** Returns the range of a request. For several ranges, the whole file is returned, as RFC 9110 allows. */
function requestedRange(headers: Headers, size: number, etag: string, modified: Date): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.get('range')?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const condition = headers.get('if-range');
  if (condition !== null && condition !== etag && condition !== modified.toUTCString()) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start < size && start <= end) return { start, end };
  throw new ApiError(416, 'InvalidRange', `The requested range is outside the ${size} bytes of the file.`);
}
