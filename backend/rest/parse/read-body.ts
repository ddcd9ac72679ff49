/** The body of a request as text, read within the limit of whoever sends it. */
import type { HeldBody } from '../held-bodies.ts';
import { bodyTooLarge, invalidBody, tooManyBodies } from '../rest-errors.ts';

export interface SentBody {
  /** Without parameters, in lower case; JSON unless the client said otherwise. */
  contentType: string;
  /** Empty for bytes. */
  text: string;
  /** What was sent as application/octet-stream, which need not be text; else empty. */
  bytes: Uint8Array;
}

/**
 * @throws ApiError PGRST102 for what is no UTF-8, PGRST192 for more bytes than `maxBytes`, declared or sent, PGRST196 when
 * `held` has no room for them
 */
export async function readBody(request: Request, maxBytes: number, held: HeldBody): Promise<SentBody> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  const named = (request.headers.get('content-type') ?? 'application/json').split(';')[0] ?? '';
  const contentType = named.trim().toLowerCase();
  const chunks = readChunks(request, maxBytes, held);
  if (contentType === 'application/octet-stream') {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    return { contentType, text: '', bytes: Buffer.concat(parts) };
  }
  return { contentType, text: await readText(chunks), bytes: new Uint8Array() };
}

async function* readChunks(request: Request, maxBytes: number, held: HeldBody): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // Leaving the loop early cancels the stream, so that nothing more of it is read.
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw bodyTooLarge(maxBytes);
    if (!held.add(chunk.byteLength)) throw tooManyBodies();
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
