/** Sends requests to the tested instance with its keys, and reads its exposed schema. */
import { z } from 'zod';

export interface Keys {
  /** Origin without a trailing slash. */
  url: string;
  publishableKey: string;
  secretKey: string;
  /** Replaces fetch for in-process requests. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  /** Error code of the table API, or ''. */
  code: string;
  /** Parsed body, or null. */
  json: unknown;
  /** Returns the body parsed by a schema, or `fallback` if it does not match. */
  read<Shape extends z.ZodType>(shape: Shape, fallback: z.output<Shape>): z.output<Shape>;
}

/** Sends a request. `token` is an access token, the secret key, or null for a visitor. */
export type Send = (token: string | null, method: string, path: string, options?: SendOptions) => Promise<ApiResponse>;

interface SendOptions {
  prefer?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, or unchanged for bytes. */
  body?: unknown;
}

/** Maximum concurrent requests, so that visitors are not slowed down. */
const MAX_CONCURRENT = 12;

/** Returns a function that sends one request. It rejects if the instance cannot be reached. */
export function sender({ url, publishableKey, secretKey, fetch = globalThis.fetch }: Keys): Send {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (token, method, path, { prefer, headers, body } = {}) => {
    // A finished request passes its slot on, so that it is not counted twice.
    if (running < MAX_CONCURRENT) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          apikey: token === secretKey ? secretKey : publishableKey,
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined || body instanceof Uint8Array ? {} : { 'content-type': 'application/json' }),
          ...(prefer ? { prefer } : {}),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body) }),
      });
      const text = await response.text();
      const json = parseJson(text);
      const read: ApiResponse['read'] = (shape, fallback) => {
        const result = shape.safeParse(json);
        return result.success ? result.data : fallback;
      };
      return {
        status: response.status,
        headers: response.headers,
        text,
        code: response.ok ? '' : read(z.object({ code: z.string() }), { code: '' }).code,
        json,
        read,
      };
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export interface Column {
  name: string;
  /** True if NOT NULL without a default. */
  isRequired: boolean;
  isKey: boolean;
}

export interface Exposed {
  tables: Record<string, Column[]>;
  /** Functions with their arguments and types. */
  functions: Record<string, Record<string, string>>;
  buckets: string[];
}

export const IDS = z.array(z.object({ id: z.string() }));

const exposed = z.object({
  tables: z.record(z.string(), z.array(z.object({ name: z.string(), isRequired: z.boolean(), isKey: z.boolean() }))),
  functions: z.record(z.string(), z.record(z.string(), z.string())),
});

/**
 * Lists all tables, functions and buckets of the exposed schema, including those that no role can access.
 * @throws Error with a message if the instance does not return them
 */
export async function discover(send: Send, secretKey: string): Promise<Exposed> {
  const [objects, buckets] = await Promise.all([
    send(secretKey, 'GET', '/rest/v1/rpc/list_exposed_objects'),
    send(secretKey, 'GET', '/storage/v1/bucket'),
  ]);
  if (objects.status === 401 || objects.status === 403) throw new Error('The instance does not accept the secret key.');
  if (objects.status !== 200 || buckets.status !== 200) {
    const { status, text } = objects.status === 200 ? buckets : objects;
    throw new Error(
      `The instance did not list its tables and functions. Check that its migrations are up to date. Response: ${status} ${text.slice(0, 200)}`,
    );
  }
  return { ...exposed.parse(objects.json), buckets: buckets.read(IDS, []).map(({ id }) => id) };
}
