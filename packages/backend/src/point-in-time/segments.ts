/** Names of the segments of Postgres' log: timeline, then the number of the segment. */
import { WAL_SEGMENT_BYTES } from '../postgres/data-folder.ts';

const SEGMENTS_PER_LOG = 2 ** 32 / WAL_SEGMENT_BYTES;

export const SEGMENT_NAME = /^[0-9A-F]{24}$/;

/** Returns the number of a segment, which is one more than that of the segment before it. */
export function segmentNumber(name: string): number {
  return Number.parseInt(name.slice(8, 16), 16) * SEGMENTS_PER_LOG + Number.parseInt(name.slice(16), 16);
}
