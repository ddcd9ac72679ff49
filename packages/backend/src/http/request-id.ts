import { randomUUID } from 'node:crypto';

/** Ids as proxies make them (UUIDs, hexadecimal, ULIDs), and nothing that an address or a sentence would fit into. */
const WELL_FORMED = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;

/** Returns the id that a request carries in `x-request-id` when that is well-formed, and a new one otherwise. */
export function requestIdFrom(given: string | null | undefined): string {
  return given && WELL_FORMED.test(given) ? given : randomUUID();
}
