import { PUBLISHABLE_KEY } from '../../src/http/keys.ts';
import type { TestBackend } from './test-backend.ts';

export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON, or null if it is not JSON. */
  json: unknown;
}

/** Sends a raw request to /rest/v1 as a visitor, for requests that the official client would never send. */
export async function rawRequest(
  api: TestBackend,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<RawResponse> {
  const { body, headers = {} } = options;
  const response = await fetch(`${api.url}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: PUBLISHABLE_KEY,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
