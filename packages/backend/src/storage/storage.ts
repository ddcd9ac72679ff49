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
  options: StorageOptions;
  /** Folder of uploads on their way. */
  incoming: string;
  keys: SigningKeys;
  log: Logger;
}

/** Bytes of one file, unless its bucket says less; the default of a hosted Supabase project. */
export const MAX_FILE_BYTES = 52_428_800;

/** Rules for files beyond those of Supabase Storage. Without them every bucket works as there. */
export interface StorageOptions {
  /**
   * Widths in pixels in which visitors without an account can request pictures. Each other size costs time and disk
   * space, so they are rejected. Any size if omitted.
   */
  pictureWidths?: readonly number[];
  mediaLibrary?: MediaLibrary;
  /** Buckets whose signed URLs work only while the policies show the file to the signer, by name. */
  revocableUrls?: Readonly<Record<string, { maxSeconds: number }>>;
}

/** A bucket whose files are published. */
export interface MediaLibrary {
  /** Pictures in it lose their metadata and are turned upright. Deleted files can be restored for 30 days. */
  bucket: string;
  /** Bucket of the pictures as they were uploaded, named by the id of the published one. Filled on request only. */
  originals: string;
}

/** Identity of a request without a key. */
export const NO_IDENTITY: RequestIdentity = {
  role: 'anon',
  claims: { role: 'anon' },
  headers: {},
  method: 'GET',
  path: '/storage/v1',
};
