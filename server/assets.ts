import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import { StoredResponse } from './stored-response.ts';

/**
 * Loads the files of a folder into memory (a few MB) by URL path, with the .br and .gz files of the build. Files in
 * assets/ have a hash in their name and are immutable. Other files are revalidated after an hour.
 */
export async function loadAssets(
  folder: string,
  headers: Record<string, string>,
): Promise<ReadonlyMap<string, StoredResponse>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/\.(br|gz|map)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const assets = await Promise.all(
    names.map(async (file) => {
      const path = file.slice(folder.length).replaceAll(sep, '/');
      const [body, br, gzip] = await Promise.all([
        readFile(file),
        readIfExists(`${file}.br`),
        readIfExists(`${file}.gz`),
      ]);
      const response = new StoredResponse(
        200,
        {
          ...headers,
          'content-type': getMimeType(file) ?? 'application/octet-stream',
          'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
        },
        body,
        { ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) },
      );
      return [path, response] as const;
    }),
  );
  return new Map(assets);
}

async function readIfExists(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch(() => undefined);
}
