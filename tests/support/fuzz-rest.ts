/** Sends random requests to the table API and checks every response. */
import type { Backend } from '../../packages/backend/src/create-backend.ts';
import { loadSchemaCache } from '../../packages/backend/src/rest/schema/load-schema-cache.ts';
import { Grammar, type GrammarRequest, pick, seededRandom } from './rest-grammar.ts';

/** Text in rows that visitors and clients may not read. */
export const CANARY = 'canary-7f3a';

export interface Caller {
  headers: Record<string, string>;
  canSeeCanary: boolean;
}

export interface FuzzResult {
  /** Number of responses by status. */
  statuses: Map<number, number>;
  slowestMs: number;
}

/**
 * Sends requests with the seeds from `from` to `from + count`, each as one of `callers`.
 * @throws Error with the seed and the request if a response is malformed, contains a row that the caller must not see,
 * or has a status of 500 or more without a timeout
 */
export async function fuzzRest(
  backend: Backend,
  callers: readonly Caller[],
  { from, count }: { from: number; count: number },
): Promise<FuzzResult> {
  const schema = await loadSchemaCache(backend.database);
  const statuses = new Map<number, number>();
  let slowestMs = 0;
  for (let seed = from; seed < from + count; seed++) {
    const random = seededRandom(seed);
    const caller = pick(random, callers);
    const request = new Grammar(schema, random).request();
    const start = performance.now();
    const response = await backend.fetch(toRequest(request, caller));
    const text = await response.text();
    slowestMs = Math.max(slowestMs, performance.now() - start);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    const fault = findFault(response, text, caller);
    if (fault)
      throw new Error(`Seed ${seed}: ${fault}\n${describe(request)}\n${response.status} ${text.slice(0, 500)}`);
  }
  return { statuses, slowestMs };
}

function toRequest({ method, path, headers, body }: GrammarRequest, caller: Caller): Request {
  const url = `http://localhost/rest/v1/${path}`;
  return new Request(url, { method, headers: { ...headers, ...caller.headers }, body });
}

function findFault(response: Response, text: string, { canSeeCanary }: Caller): string | null {
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
  const body = isJson ? parseJson(text) : null;
  if (isJson && body === undefined) return 'the response is not JSON';
  if (response.status >= 500 && readErrorCode(body) !== '57014') return 'a server error';
  if (
    response.status >= 300 &&
    isJson &&
    Object.keys(body ?? {})
      .sort()
      .join() !== 'code,details,hint,message'
  ) {
    return 'the error has an unexpected shape';
  }
  return !canSeeCanary && text.includes(CANARY) ? 'a row that this caller must not see' : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readErrorCode(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
}

function describe({ method, path, headers, body }: GrammarRequest): string {
  return `${method} ${decodeURIComponent(path)}\n${JSON.stringify(headers)}\n${body ?? ''}`;
}
