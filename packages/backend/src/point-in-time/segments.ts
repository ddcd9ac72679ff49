/** Names of WAL segments: timeline, then segment number. */
import { WAL_SEGMENT_BYTES } from '../postgres/data-folder.ts';

const SEGMENTS_PER_LOG = 2 ** 32 / WAL_SEGMENT_BYTES;

export const SEGMENT_NAME = /^[0-9A-F]{24}$/;

/** Returns the number of a segment. Numbers are consecutive. */
export function segmentNumber(name: string): number {
  return Number.parseInt(name.slice(8, 16), 16) * SEGMENTS_PER_LOG + Number.parseInt(name.slice(16), 16);
}
