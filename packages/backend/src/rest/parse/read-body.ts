/** Reads the body of a request as text, within the caller's limit. */
import type { BufferedBody } from '../../http/buffered-body.ts';
import { bodyTooLarge, invalidBody, tooManyBodies } from '../rest-errors.ts';

export interface RequestBody {
  /** Content type without parameters, in lower case. Default: JSON. */
  contentType: string;
  /** Empty for application/octet-stream. */
  text: string;
  /** Body of type application/octet-stream, which may not be text. Empty for other types. */
  bytes: Uint8Array;
}

/**
 * @throws ApiError PGRST102 for invalid UTF-8, PGRST192 for more bytes than `maxBytes`, declared or sent, PGRST196 if
 * memory is short
 */
export async function readBody(request: Request, maxBytes: number, body: BufferedBody): Promise<RequestBody> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  const header = (request.headers.get('content-type') ?? 'application/json').split(';')[0] ?? '';
  const contentType = header.trim().toLowerCase();
  const chunks = limitBytes(body.chunks(tooManyBodies), maxBytes);
  if (contentType === 'application/octet-stream') {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    return { contentType, text: '', bytes: Buffer.concat(parts) };
  }
  return { contentType, text: await readText(chunks), bytes: new Uint8Array() };
}

async function* limitBytes(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw bodyTooLarge(maxBytes);
    yield chunk;
  }
}

async function readText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  for await (const chunk of chunks) parts.push(decode(decoder, chunk));
  parts.push(decode(decoder));
  return parts.join('');
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw invalidBody('The body is not valid UTF-8');
  }
}
