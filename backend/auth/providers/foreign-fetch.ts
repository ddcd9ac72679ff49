/** Requests to providers: their servers are somebody else's, so neither their time nor their size is theirs to choose. */

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 512 * 1024;

/**
 * fetch with a deadline and a bound for the answer; redirects are not followed.
 * @throws Error when the server does not answer in time, or answers with too much
 */
export async function foreignFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`${new URL(url).origin} answered with more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  const { status, headers } = response;
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers });
}
