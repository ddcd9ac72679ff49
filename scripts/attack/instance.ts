/** The instance under attack: plain HTTP with its keys, and what its own description says it exposes. */
import { z } from 'zod';

export interface Keys {
  /** Origin of the instance, without a trailing slash. */
  url: string;
  publishableKey: string;
  secretKey: string;
  /** Sends a request in another way than over HTTP. */
  fetch?: (address: string, init: RequestInit) => Promise<Response>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The code of an error of the table API, or ''. */
  code: string;
  /** The parsed body, or null. */
  json: unknown;
  /** Returns what the shape lets through of the parsed body; `otherwise` for a body of another shape. */
  read<Shape extends z.ZodType>(shape: Shape, otherwise: z.output<Shape>): z.output<Shape>;
}

/** `token` is an access token, the secret key, or null for a visitor. */
export type Send = (token: string | null, method: string, path: string, options?: SendOptions) => Promise<Answer>;

interface SendOptions {
  prefer?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, bytes as they are. */
  body?: unknown;
}

/** Requests under way at once: a bulk of them from one machine must not crowd out visitors. */
const AT_ONCE = 12;

/** @returns a function that sends one request; it rejects when the instance cannot be reached */
export function sender({ url, publishableKey, secretKey, fetch = globalThis.fetch }: Keys): Send {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  return async (token, method, path, { prefer, headers, body } = {}) => {
    // A request that ends hands its place on, so that it is never counted twice.
    if (underWay < AT_ONCE) underWay += 1;
    else await new Promise<void>((go) => waiting.push(go));
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
      const json = parsed(text);
      const read: Answer['read'] = (shape, otherwise) => {
        const found = shape.safeParse(json);
        return found.success ? found.data : otherwise;
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
      else underWay -= 1;
    }
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export interface Column {
  name: string;
  /** True when it may not be null. */
  isRequired: boolean;
  isKey: boolean;
}

export interface Exposed {
  tables: Record<string, Column[]>;
  /** Arguments by name, with their types. */
  functions: Record<string, Record<string, string>>;
  buckets: string[];
}

export const IDS = z.array(z.object({ id: z.string() }));

const exposed = z.object({
  tables: z.record(z.string(), z.array(z.object({ name: z.string(), isRequired: z.boolean(), isKey: z.boolean() }))),
  functions: z.record(z.string(), z.record(z.string(), z.string())),
});

/**
 * Lists everything in the exposed schema, also what no role of requests has a privilege on, and every bucket.
 * @throws Error with a sentence when the instance does not say it
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
