/** Reads the metadata of library pictures. Loaded only for pages with pictures. */

import type { Database } from './database.types.ts';
import { type KnownPictures, type PictureMetadata, pictureNames, type WithPictures } from './pictures.ts';
import { publicApi } from './visitor-api.ts';

type MetadataColumns = Database['public']['Functions']['picture_facts']['Returns'][number];

/**
 * Adds the metadata of the pictures in all rows, including pictures in texts. Sends one request. If it fails, the
 * pictures are shown without metadata.
 */
export async function addPictureMetadata<Row extends object>(
  rows: Row[],
  signal: AbortSignal,
): Promise<WithPictures<Row>[]> {
  const namesByRow = rows.map((row) => Object.values(row).flatMap((value) => pictureNames(String(value))));
  const { data } = await (await publicApi())
    .rpc('picture_facts', { _names: [...new Set(namesByRow.flat())] })
    .abortSignal(signal);
  const metadataByName = new Map(data?.map((picture) => [picture.name, toMetadata(picture)]));
  return rows.map((row, index) => {
    const entries = namesByRow[index]?.flatMap((name) => {
      const metadata = metadataByName.get(name);
      return metadata ? [[name, metadata] as const] : [];
    });
    const pictures: KnownPictures = Object.fromEntries(entries ?? []);
    return entries?.length ? { ...row, pictures } : row;
  });
}

function toMetadata({ width, height, alt, focal_x, focal_y }: MetadataColumns): PictureMetadata {
  return { width, height, alt, ...(focal_x !== null && focal_y !== null && { focus: { x: focal_x, y: focal_y } }) };
}
