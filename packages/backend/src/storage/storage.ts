import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { RequestIdentity } from '../database/request-role.ts';
import type { SigningKeys } from '../http/keys.ts';
import type { ByteStore } from './bytes/byte-store.ts';
import type { RenderQueue } from './render-queue.ts';
import type { RenditionCache } from './rendition-cache.ts';

/** Dependencies of the file store, shared by its routes. */
export interface Storage {
  database: Database;
  bytes: ByteStore;
  renditions: RenditionCache;
  renderQueue: RenderQueue;
  options: StorageOptions;
  /** Folder of unfinished uploads. */
  stagingFolder: string;
  keys: SigningKeys;
  log: Logger;
}

/** Default maximum file size in bytes, as on hosted Supabase. A bucket can set its own. */
export const MAX_FILE_BYTES = 52_428_800;

/** Options that Supabase Storage does not have. */
export interface StorageOptions {
  /**
   * Widths in pixels in which visitors can request pictures. Other widths are rejected, because each costs time and
   * disk space. Default: any width.
   */
  pictureWidths?: readonly number[];
  mediaLibrary?: MediaLibrary;
  /** Buckets by name whose signed URLs stop working when the signer may no longer read the file. */
  revocableUrls?: Readonly<Record<string, { maxSeconds: number }>>;
}

/** A bucket with published files. */
export interface MediaLibrary {
  /** Pictures in it lose their metadata and are rotated upright. Deleted files can be restored for 30 days. */
  bucket: string;
  /**
   * Bucket of original pictures, named by the id of the published picture. An original is stored only if the upload
   * requests it.
   */
  originals: string;
}

/** Identity of a request without an API key. */
export const NO_IDENTITY: RequestIdentity = {
  role: 'anon',
  claims: { role: 'anon' },
  headers: {},
  method: 'GET',
  path: '/storage/v1',
};
