import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import type { RequestIdentity } from '../database/request-role.ts';
import { ApiError } from '../http/api-error.ts';
import { bufferBody } from '../http/buffered-body.ts';
import type { MemoryBudget } from '../limits/memory-budget.ts';
import type { Location } from './objects.ts';
import { invalidRequest, slowDown } from './storage-error.ts';

/** Maximum size of a body. It is enough for a thousand long names. */
const MAX_JSON_BYTES = 1024 * 1024;

/** Environment of the routes. The identity is set before they run. */
export interface StorageEnv {
  /** The client's network address, '' if unknown. */
  Bindings: { address: string; memory: MemoryBudget };
  Variables: { identity: RequestIdentity };
}
export type StorageHono = Hono<StorageEnv>;
export type StorageHonoContext = Context<StorageEnv>;

/** @throws ApiError InvalidRequest naming the first invalid field */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalidRequest(`${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is not valid'}`);
}

/** @throws ApiError InvalidRequest, EntityTooLarge, SlowDown */
export async function parseBody<Schema extends z.ZodType>(
  context: StorageHonoContext,
  schema: Schema,
): Promise<z.output<Schema>> {
  const text = await readText(context);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw invalidRequest('The body is not valid JSON.', error);
  }
  return parseInput(schema, body);
}

async function readText({ req, env }: StorageHonoContext): Promise<string> {
  const body = bufferBody(req.raw, env.address, env.memory);
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of body.chunks(outOfMemory)) {
      bytes += chunk.byteLength;
      if (bytes > MAX_JSON_BYTES) throw new ApiError(413, 'EntityTooLarge', 'The request body is too large');
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } finally {
    body.release();
  }
}

const outOfMemory = () => slowDown(503, 'Too many large requests are being processed. Please try again in a moment.');

/**
 * End of the path of an object route. It matches any character, so that a name with a line break matches the route and
 * is rejected as an invalid name.
 */
export const OBJECT = ':bucket/:name{[\\s\\S]+}';

/** Returns bucket and name of a route that ends with OBJECT. */
export function toLocation(context: StorageHonoContext): Location {
  return { bucketId: context.req.param('bucket') ?? '', name: context.req.param('name') ?? '' };
}

/** Returns the user id of an identity, or null. */
export function toOwner({ claims }: RequestIdentity): string | null {
  return typeof claims['sub'] === 'string' ? claims['sub'] : null;
}
