/**
 * Store of the TUS server's uploads. The bytes of an incomplete upload are pieces in the byte store, so that folders
 * and object stores work alike, and any process can continue an upload. The last piece is never stored separately. It
 * is appended to the earlier pieces, and the whole file is inspected, stored and recorded like any upload. An upload is
 * therefore complete exactly when its object exists, even after an interruption.
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import type { ByteStore } from '../bytes/byte-store.ts';
import { discardStagedFile, type StagedFile, stageFile } from '../bytes/staged-file.ts';
import { type BucketRow, findBucket } from '../objects.ts';
import { parseMetadata, toCacheControl } from '../receive-upload.ts';
import type { Storage } from '../storage.ts';
import { asApiError, invalidRequest } from '../storage-error.ts';
import { getSizeLimit, newVersion, removeBytes, storeReceived } from '../upload.ts';
import { splitIntoPieces } from './pieces.ts';
import {
  appendPiece,
  createUpload,
  deleteUpload,
  EXPIRY_MS,
  findUpload,
  finishUpload,
  listPieces,
  type UploadRow,
} from './upload-rows.ts';
import type { Uploader } from './uploader.ts';

/** Maximum number of bytes of an upload that a crash can lose. Supabase's clients send requests of this size. */
const PIECE_BYTES = 6 * 1024 * 1024;

/** Limits the files and rows of an upload, even if a client sends single bytes. */
const MAX_PIECES = 1000;

/** TUS extensions. Deferred lengths are not supported, because limits count the declared length. */
export const EXTENSIONS = ['creation', 'creation-with-upload', 'expiration', 'termination'];

export class PieceStore extends DataStore {
  readonly #storage: Storage;
  readonly #uploader: Uploader;

  /** Gives access to the uploads of one uploader. Uploads of others are not found. */
  constructor(storage: Storage, uploader: Uploader) {
    super();
    this.#storage = storage;
    this.#uploader = uploader;
    this.extensions = EXTENSIONS;
  }

  override getExpiration(): number {
    return EXPIRY_MS;
  }

  override async create(upload: Upload): Promise<Upload> {
    const metadata = upload.metadata ?? {};
    const size = upload.size ?? 0;
    const { bucketId, name } = parseTarget(metadata);
    const deletedPieces = await createUpload(this.#storage.database, this.#uploader, {
      id: upload.id,
      bucketId,
      name,
      metadata,
      size,
    });
    if (deletedPieces.length > 0) await removeBytes(this.#storage, deletedPieces);
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { metadata, size, received, createdAt } = await this.#require(id);
    return new Upload({ id, metadata, size, offset: received, creation_date: createdAt.toISOString() });
  }

  override async remove(id: string): Promise<void> {
    const { received, size } = await this.#require(id);
    if (received === size) throw ERRORS.INVALID_TERMINATION;
    await removeBytes(this.#storage, await deleteUpload(this.#storage.database, id));
  }

  /** Stores the received bytes, even if the request is aborted. @returns the new offset */
  override async write(stream: Readable, id: string): Promise<number> {
    let upload = await this.#require(id);
    const pieces = splitIntoPieces(stream);
    while (upload.received < upload.size && !pieces.hasEnded()) {
      const maxBytes = Math.min(PIECE_BYTES, upload.size - upload.received);
      const piece = await stageFile(this.#storage.stagingFolder, pieces.next(maxBytes), maxBytes);
      try {
        if (piece.size === 0) continue;
        if (upload.received + piece.size === upload.size) await this.#finish(upload, piece);
        else await this.#storePiece(upload, piece);
      } finally {
        await discardStagedFile(piece);
      }
      upload = { ...upload, received: upload.received + piece.size, pieces: upload.pieces + 1 };
    }
    await pieces.drain();
    return upload.received;
  }

  async #require(id: string): Promise<UploadRow> {
    const upload = await findUpload(this.#storage.database, this.#uploader, id);
    if (!upload) throw ERRORS.FILE_NOT_FOUND;
    return upload;
  }

  async #storePiece(upload: UploadRow, piece: StagedFile): Promise<void> {
    if (upload.pieces >= MAX_PIECES) {
      throw invalidRequest(`The upload has more than ${MAX_PIECES} chunks. Please restart it with larger chunks.`);
    }
    const version = await newVersion(this.#storage);
    try {
      await this.#storage.bytes.put(version, piece);
      if (!(await appendPiece(this.#storage.database, upload, { version, size: piece.size })))
        throw ERRORS.INVALID_OFFSET;
    } catch (error) {
      await removeBytes(this.#storage, [version]);
      throw error;
    }
  }

  /** An error that a retry cannot fix ends the upload. After any other error, the last piece can be sent again. */
  async #finish(upload: UploadRow, lastPiece: StagedFile): Promise<void> {
    const { bytes, database, stagingFolder } = this.#storage;
    const pieces = await listPieces(database, upload.id);
    try {
      const bucket = await findBucket(database, upload.bucketId);
      const file = await stageFile(stagingFolder, concatenate(bytes, pieces, lastPiece), getSizeLimit(bucket));
      await this.#storeFile(upload, bucket, file);
    } catch (error) {
      const apiError = asApiError(error);
      if (apiError && apiError.status < 500) await removeBytes(this.#storage, await deleteUpload(database, upload.id));
      throw error;
    }
    await removeBytes(this.#storage, pieces);
  }

  async #storeFile(upload: UploadRow, bucket: BucketRow, file: StagedFile): Promise<void> {
    const { bucketId, name, upsert, metadata } = upload;
    await storeReceived(this.#storage, this.#uploader.identity, {
      bucket,
      target: { bucketId, name, ownerId: this.#uploader.ownerId, mode: upsert ? 'upsert' : 'create' },
      upload: { file, ...parseFileMetadata(metadata) },
      claim: async (tx) => {
        if (!(await finishUpload(tx, upload))) throw ERRORS.INVALID_OFFSET;
      },
    });
  }
}

async function* concatenate(bytes: ByteStore, pieces: readonly string[], last: StagedFile): AsyncGenerator<Uint8Array> {
  for (const version of pieces) yield* await bytes.read(version);
  yield* createReadStream(last.path);
}

/** @throws ApiError InvalidRequest */
export function parseTarget(metadata: Record<string, string | null>): { bucketId: string; name: string } {
  const { bucketName, objectName } = metadata;
  if (!bucketName || !objectName) throw invalidRequest('Upload-Metadata must contain bucketName and objectName.');
  return { bucketId: bucketName, name: objectName };
}

/** @throws ApiError InvalidRequest if the user metadata is not a JSON object */
export function parseFileMetadata(metadata: Record<string, string | null>) {
  return {
    declaredType: metadata['contentType'] ?? '',
    cacheControl: toCacheControl(metadata['cacheControl'] ?? null),
    userMetadata: parseMetadata(metadata['metadata'] ?? null),
  };
}
