/** What the media library knows of pictures that pages show. Loaded only once a page shows one of ours. */
import { publicApi } from './api.ts';
import type { Database } from './database.types.ts';

type Facts = Database['public']['Functions']['picture_facts']['Returns'][number];

/** What a page needs to draw a picture well. */
export interface PictureFacts {
  /** Pixels; null where nobody measured it. */
  width: number | null;
  height: number | null;
  alt: string;
  /** Where its subject is, from the left and from the top, 0 to 1. Missing: in the middle. */
  focus?: { x: number; y: number };
}

/** A row with the facts about its pictures, by their addresses as they stand in the row. */
export type WithPictures<Row> = Row & { pictures?: Record<string, PictureFacts> };

const OWN_PICTURE = /\/content-media\/([^?#\s"]+)/;

/** Asks once for all rows. Without an answer they are drawn as they are. */
export async function withPictureFacts<Row extends object>(
  rows: Row[],
  signal: AbortSignal,
): Promise<WithPictures<Row>[]> {
  const named = rows.map((row) => Object.entries(row).flatMap(([column, value]) => ownPicture(column, value)));
  const names = [...new Set(named.flatMap((pictures) => pictures.map(({ name }) => name)))];
  if (names.length === 0) return rows;
  const { data } = await (await publicApi()).rpc('picture_facts', { _names: names }).abortSignal(signal);
  const facts = new Map(data?.map((one) => [one.name, asFacts(one)]));
  return rows.map((row, index) => {
    const known = named[index]?.flatMap(({ address, name }) => {
      const found = facts.get(name);
      return found ? [[address, found] as const] : [];
    });
    return known?.length ? { ...row, pictures: Object.fromEntries(known) } : row;
  });
}

/** Columns of pictures are named like public.content_origins finds them. */
function ownPicture(column: string, value: unknown): { address: string; name: string }[] {
  if (typeof value !== 'string' || !/image|avatar|src/.test(column)) return [];
  const name = OWN_PICTURE.exec(value)?.[1];
  return name ? [{ address: value, name: decoded(name) }] : [];
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function asFacts({ width, height, alt, focal_x, focal_y }: Facts): PictureFacts {
  return { width, height, alt, ...(focal_x !== null && focal_y !== null && { focus: { x: focal_x, y: focal_y } }) };
}
