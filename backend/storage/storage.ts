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

/** Identity for what the store itself has decided already, by a signature or because the bucket is public. */
export const STORE_IDENTITY: RequestIdentity = {
  role: 'service_role',
  claims: { role: 'service_role' },
  headers: {},
  method: 'POST',
  path: '/storage/v1',
};
