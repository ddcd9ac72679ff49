import { randomUUID } from 'node:crypto';

/** Request ids in common formats (UUID, hexadecimal, ULID). An email address or a sentence does not match. */
const WELL_FORMED = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;

/** Returns the request's `x-request-id` if it is well-formed, and a new one otherwise. */
export function requestIdFrom(header: string | null | undefined): string {
  return header && WELL_FORMED.test(header) ? header : randomUUID();
}
