import { totalmem } from 'node:os';

/** Memory from which a machine has room for the 600 MB that V8 takes at each start to make Postgres faster. */
const ENOUGH_BYTES = 1.5 * 1024 ** 3;

/** Tells whether the machine, or the container, has less memory than that. */
export function isShortOfMemory(): boolean {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) < ENOUGH_BYTES;
}
