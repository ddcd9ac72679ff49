import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { RequestIdentity } from '../database/request-role.ts';
import type { SigningKeys } from '../http/keys.ts';
import type { ByteStore } from './bytes/byte-store.ts';
import type { RenderQueue } from './render-queue.ts';
import type { RenditionCache } from './rendition-cache.ts';

/** Parts of the file store that its routes share. */
export interface Storage {
  database: Database;
  bytes: ByteStore;
  renditions: RenditionCache;
  renderQueue: RenderQueue;
  /** Widths in pixels. Visitors without an account get pictures in these only. */
  pictureWidths: readonly number[];
  /** Folder of uploads on their way. */
  incoming: string;
  keys: SigningKeys;
  log: Logger;
}

/** Bytes of one file, unless its bucket says less; the default of a hosted Supabase project. */
export const MAX_FILE_BYTES = 52_428_800;

/** The pictures, films and documents of the site. Uploads to it are prepared for visitors. */
export const MEDIA_BUCKET = 'content-media';

/** Pictures as they were sent, where somebody asked for that: named by the id of the prepared one, and for admins alone. */
export const ORIGINALS_BUCKET = 'media-originals';

/** Files of clients. A signed URL of one is short-lived and opens only while its signer may read the file. */
export const CLIENT_FILES_BUCKET = 'client-files';
export const MAX_CLIENT_FILE_SECONDS = 60 * 60;

/** Identity of a request without a key. */
export const NO_IDENTITY: RequestIdentity = {
  role: 'anon',
  claims: { role: 'anon' },
  headers: {},
  method: 'GET',
  path: '/storage/v1',
};
