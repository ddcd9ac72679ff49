/**
 * Store of the bytes of files. A key is the version of an object (a random UUID), never its name. Bytes are
 * therefore immutable, renaming does not change them, and names that users chose are never paths.
 */
import type { Readable } from 'node:stream';
import { ApiError } from '../../http/api-error.ts';
import type { StagedFile } from './staged-file.ts';

/** Returns whether a text is a valid key, which is safe in a path. Our own keys are UUIDs. */
export function isByteKey(key: string): boolean {
  return /^[\w-]{1,64}$/.test(key);
}

export interface ByteRange {
  /** First and last byte, inclusive. */
  start: number;
  end: number;
}

export interface ByteStore {
  /** Stores a staged file. The bytes are durable when this resolves. The staged file may have been moved. */
  put(key: string, file: StagedFile): Promise<void>;
  /** @throws ApiError NoSuchKey */
  copy(from: string, to: string): Promise<void>;
  /** @throws ApiError NoSuchKey */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Ignores keys that do not exist. */
  remove(keys: readonly string[]): Promise<void>;
  /** Returns whether bytes can be read and written. @throws Error if the store does not respond */
  isAvailable(): Promise<boolean>;
}

/** Returns whether the bytes of a key exist. */
export async function hasBytes(store: ByteStore, key: string): Promise<boolean> {
  try {
    (await store.read(key, { start: 0, end: 0 })).destroy();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NoSuchKey') return false;
    throw error;
  }
}
