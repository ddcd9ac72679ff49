/**
 * Names in a backup store, which contains chains and file copies. A chain is a copy of the data folder (base backup)
 * and the WAL segments since then. Its id is the time at which the copy began, so ids sort by time.
 *
 *     2026-11-23T19-20-00-000Z/base.zip                   the data folder, copied while the server ran
 *     2026-11-23T19-20-00-000Z/backup.json                written last, so a chain without it is ignored
 *     2026-11-23T19-20-00-000Z/log/<segment>-<time>.gz    a WAL segment
 *     files/<version>                                     a file copy
 */
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import type { BackupStore } from './backup-store.ts';
import { segmentNumber } from './segments.ts';

export const FILES = 'files/';

const baseSchema = z.object({
  /** First segment to replay, and the segment with the end of the base backup. */
  first: z.string(),
  last: z.string(),
  /** End of the base backup in milliseconds since 1970. Earlier times cannot be restored from it. */
  since: z.int(),
  /** Content of `backup_label`: https://www.postgresql.org/docs/18/continuous-archiving.html */
  label: z.string(),
  /** System identifier of the database. */
  system: z.string(),
});

export type Base = z.infer<typeof baseSchema>;

/** A WAL segment. */
export interface StoredSegment {
  name: string;
  segment: string;
  /** Time at which Postgres had archived the segment. All of its commits are earlier. */
  at: Date;
}

export interface Chain {
  id: string;
  /** Start of the base backup in milliseconds since 1970. */
  startedAt: number;
  base: Base;
  /** In order, up to the first gap. */
  segments: StoredSegment[];
  /** True if there are later segments after a gap. */
  hasGap: boolean;
}

export function newChainId(): string {
  return new Date().toISOString().replace(/[:.]/g, '-');
}

/** Returns the start of a chain in milliseconds, from its id. */
export function chainTime(id: string): number {
  return Date.parse(id.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z'));
}

export function baseNames(id: string): { zip: string; json: string } {
  return { zip: `${id}/base.zip`, json: `${id}/backup.json` };
}

/** @param file name of an archived segment: the segment and its time in milliseconds since 1970 */
export function segmentName(id: string, file: string): string {
  return `${id}/log/${file}`;
}

/** Parses the segment and time of a file name; null for another name. */
export function parseSegmentName(name: string): StoredSegment | null {
  const [, segment, time] = /(?:^|\/)([0-9A-F]{24})-(\d+)\.gz$/.exec(name) ?? [];
  return segment === undefined || time === undefined ? null : { name, segment, at: new Date(Number(time)) };
}

/** Returns the chain id of a name; null for a file copy. */
function parseChainId(name: string): string | null {
  return /^(\d{4}-\d\d-\d\dT[\d-]+Z)\//.exec(name)?.[1] ?? null;
}

/**
 * Deletes the chains that are not needed to restore any time since `retainedSince`.
 * @param retainedSince milliseconds since 1970
 */
export async function removeOldChains(store: BackupStore, retainedSince: number): Promise<void> {
  const names = await store.list('');
  // The newest chain that starts before the oldest time to retain.
  const oldestNeeded = completeChains(names).findLast((id) => chainTime(id) <= retainedSince);
  if (oldestNeeded === undefined) return;
  await store.remove(names.filter((name) => (parseChainId(name) ?? oldestNeeded) < oldestNeeded));
}

/** Returns the ids of the chains with a complete base backup, newest last. */
function completeChains(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const id = parseChainId(name);
    return id !== null && name === baseNames(id).json ? [id] : [];
  });
}

async function readChain(store: BackupStore, id: string): Promise<Chain> {
  const { json } = baseNames(id);
  const base = baseSchema.parse(JSON.parse(String(await buffer(await store.read(json)))));
  const stored = new Map<number, StoredSegment>();
  // A segment that Postgres archived again after a crash exists twice, with the same content.
  for (const name of await store.list(`${id}/`)) {
    const segment = parseSegmentName(name);
    if (segment && !stored.has(segmentNumber(segment.segment))) stored.set(segmentNumber(segment.segment), segment);
  }
  const segments: StoredSegment[] = [];
  const first = segmentNumber(base.first);
  for (let next = stored.get(first); next; next = stored.get(first + segments.length)) segments.push(next);
  const end = first + segments.length;
  return { id, startedAt: chainTime(id), base, segments, hasGap: [...stored.keys()].some((number) => number > end) };
}

/**
 * Reads the newest chain whose base backup is complete and was started before `moment`. Returns null if none exists.
 */
export async function newestChain(store: BackupStore, moment: Date): Promise<Chain | null> {
  const id = completeChains(await store.list('')).findLast((chainId) => chainTime(chainId) <= moment.getTime());
  return id === undefined ? null : readChain(store, id);
}

export async function readSegment(store: BackupStore, { name }: StoredSegment): Promise<Buffer> {
  return promisify(gunzip)(await buffer(await store.read(name)));
}

/** Returns the number of the segment after a chain. */
export function nextSegment({ base, segments }: Chain): number {
  return segmentNumber(base.first) + segments.length;
}

/**
 * Returns the segments up to the first one that was archived after a time. The segment after it can also contain
 * changes from before that time.
 */
export function segmentsUntil({ base, segments }: Chain, moment: Date): StoredSegment[] {
  const last = segments.findIndex(({ segment, at }) => segment >= base.last && at > moment);
  return last < 0 ? segments : segments.slice(0, last + 1);
}

/** Returns the earliest time that a chain can restore; null until the WAL of its base backup is stored. */
export function earliestTime({ base, segments }: Chain): Date | null {
  return segments.some(({ segment }) => segment >= base.last) ? new Date(base.since) : null;
}
