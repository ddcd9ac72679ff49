/**
 * Store of the bytes of files. A key is the version of an object (a random UUID), never its name: bytes are written
 * once and never changed, renaming touches no byte, and no name can reach a path.
 */
import type { Readable } from 'node:stream';
import { ApiError } from '../../http/api-error.ts';
import type { StagedFile } from './staged-file.ts';

/** Returns whether a text can be a key: a word, which leads nowhere when it is part of a path. Ours are UUIDs. */
export function isByteKey(key: string): boolean {
  return /^[\w-]{1,64}$/.test(key);
}

export interface ByteRange {
  /** First and last byte, both included. */
  start: number;
  end: number;
}

export interface ByteStore {
  /** Stores a staged file. When this resolves the bytes are durable; the staged file may have been moved away. */
  put(key: string, file: StagedFile): Promise<void>;
  /** @throws ApiError NoSuchKey */
  copy(from: string, to: string): Promise<void>;
  /** @throws ApiError NoSuchKey */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Keys that do not exist are no error. */
  remove(keys: readonly string[]): Promise<void>;
  /** Returns whether bytes could be read and written now. @throws when the place does not answer at all */
  isThere(): Promise<boolean>;
}

/** Returns whether the bytes of a key are there. */
export async function hasBytes(store: ByteStore, key: string): Promise<boolean> {
  try {
    (await store.read(key, { start: 0, end: 0 })).destroy();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NoSuchKey') return false;
    throw error;
  }
}
