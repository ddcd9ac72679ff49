/**
 * Names in a backup store. It holds chains, each a copy of the database's folder and every byte of its log since, and the bytes
 * of files. A chain is named by the time at which its copy began, so that names are in the order of time.
 *
 *     2026-11-23T19-20-00-000Z/base.zip      the folder, copied while it was written to
 *     2026-11-23T19-20-00-000Z/base.json     written last: a chain without it is none
 *     2026-11-23T19-20-00-000Z/log/<from>-<to>-<time>.gz
 *     files/<version>
 */
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import type { BackupStore } from './backup-store.ts';

export const FILES = 'files/';

const baseSchema = z.object({
  /** Positions of the log: where it is read from, and from where on the copy is whole. */
  from: z.int(),
  whole: z.int(),
  /** File that tells Postgres where to begin: https://www.postgresql.org/docs/18/continuous-archiving.html */
  label: z.string(),
  /** Tells databases apart; Postgres gives each a number of its own. */
  system: z.string(),
});

export type Base = z.infer<typeof baseSchema>;

/** A part of the log, and when Postgres had written it. */
export interface Piece {
  name: string;
  from: number;
  to: number;
  at: Date;
}

export interface Chain {
  id: string;
  /** Milliseconds since 1970. */
  begun: number;
  base: Base;
  /** Without a gap, in order. */
  pieces: Piece[];
}

export function newChainId(): string {
  return new Date().toISOString().replace(/[:.]/g, '-');
}

/** Reads the time in milliseconds at which a chain was begun from its id. */
export function timeOf(id: string): number {
  return Date.parse(id.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z'));
}

export function baseNames(id: string): { zip: string; json: string } {
  return { zip: `${id}/base.zip`, json: `${id}/base.json` };
}

export function pieceName(id: string, { from, to, at }: Omit<Piece, 'name'>): string {
  const hex = (position: number) => position.toString(16).padStart(16, '0');
  return `${id}/log/${hex(from)}-${hex(to)}-${at.getTime()}.gz`;
}

/** Returns the id of the chain that a name belongs to; null for a file. */
function chainOf(name: string): string | null {
  return /^(\d{4}-\d\d-\d\dT[\d-]+Z)\//.exec(name)?.[1] ?? null;
}

/** Removes the chains that no moment since `keptSince` needs. @param keptSince milliseconds since 1970 */
export async function removeOldChains(store: BackupStore, keptSince: number): Promise<void> {
  const names = await store.list('');
  // The newest that begins before the oldest moment leads to it.
  const needed = wholeChains(names).findLast((id) => timeOf(id) <= keptSince);
  if (needed === undefined) return;
  await store.remove(names.filter((name) => (chainOf(name) ?? needed) < needed));
}

/** Returns the ids of the chains whose copy has come to its end, the newest last. */
function wholeChains(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const id = chainOf(name);
    return id !== null && name === baseNames(id).json ? [id] : [];
  });
}

async function readChain(store: BackupStore, id: string): Promise<Chain> {
  const { json } = baseNames(id);
  const base = baseSchema.parse(JSON.parse(String(await buffer(await store.read(json)))));
  const longest = new Map<number, Piece>();
  // A piece whose storing failed on its way back is there, and so is the longer one that was stored in its place.
  for (const piece of (await store.list(`${id}/`)).flatMap(parsePiece)) {
    if (piece.to > (longest.get(piece.from)?.to ?? 0)) longest.set(piece.from, piece);
  }
  const pieces: Piece[] = [];
  for (let piece = longest.get(base.from); piece; piece = longest.get(piece.to)) pieces.push(piece);
  return { id, begun: timeOf(id), base, pieces };
}

/** Reads the newest chain that was begun before `moment` and whose copy has come to its end; null where there is none. */
export async function newestChain(store: BackupStore, moment: Date): Promise<Chain | null> {
  const id = wholeChains(await store.list('')).findLast((one) => timeOf(one) <= moment.getTime());
  return id === undefined ? null : readChain(store, id);
}

function parsePiece(name: string): Piece[] {
  const [, from, to, at] = /\/log\/([0-9a-f]{16})-([0-9a-f]{16})-(\d+)\.gz$/.exec(name) ?? [];
  if (from === undefined || to === undefined || at === undefined) return [];
  return [{ name, from: Number.parseInt(from, 16), to: Number.parseInt(to, 16), at: new Date(Number(at)) }];
}

export async function readPiece(store: BackupStore, { name }: Piece): Promise<Buffer> {
  return promisify(gunzip)(await buffer(await store.read(name)));
}

/** Returns where the log of a chain ends. */
export function endOf({ base, pieces }: Chain): number {
  return pieces.at(-1)?.to ?? base.from;
}

/** Returns the pieces that make the copy whole, and those after them that are not later than `moment`. */
export function piecesUntil({ base, pieces }: Chain, moment: Date): Piece[] {
  return pieces.filter(({ from, at }) => from < base.whole || at <= moment);
}

/** Returns the first moment that a chain can bring back; null while its log does not reach so far. */
export function beginningOf({ base, pieces }: Chain): Date | null {
  return pieces.find(({ to }) => to >= base.whole)?.at ?? null;
}
