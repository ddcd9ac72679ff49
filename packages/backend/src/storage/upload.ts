/**
 * Uploads. The policies are checked before a byte is received. Then the file is staged, its type is detected, and its
 * bytes are stored under a new version. The row is written last, so every row has its bytes. Bytes without a row are
 * recorded in backend.unnamed_bytes. After a crash, the sweep at the next start deletes them.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Transaction } from '../database/database.ts';
import type { RequestIdentity } from '../database/request-role.ts';
import { discardStagedFile, type StagedFile, stageFile } from './bytes/staged-file.ts';
import { detectContentType, requireAllowedType, textEncoding } from './content-type.ts';
import { copyOriginal } from './media/copy-original.ts';
import { type PreparedPicture, preparePicture } from './media/prepare-picture.ts';
import { requireObjectName } from './names.ts';
import {
  type BucketRow,
  findBucket,
  findObjectAs,
  type Location,
  type NewObject,
  type ObjectMetadata,
  requireMayWrite,
  type WriteMode,
  writeObject,
} from './objects.ts';
import { isRasterPicture, measurePicture, measureSvg } from './pictures.ts';
import { type ReceivedUpload, receiveUpload } from './receive-upload.ts';
import { MAX_FILE_BYTES, type Storage } from './storage.ts';
import { invalidRequest } from './storage-error.ts';
import { sanitizeSvg } from './svg.ts';

/** Maximum size of an SVG, which is parsed in memory. Real drawings are far smaller. */
const MAX_SVG_BYTES = 5_000_000;

export interface UploadTarget extends Location {
  mode: WriteMode;
  ownerId: string | null;
}

/** Response of upload, copy and move. */
export interface StoredObject {
  Id: string;
  Key: string;
}

/** @throws ApiError, DatabaseError */
export async function uploadObject(
  storage: Storage,
  identity: RequestIdentity,
  target: UploadTarget,
  request: Request,
): Promise<StoredObject> {
  requireObjectName(target.name);
  const bucket = await findBucket(storage.database, target.bucketId);
  await requireMayWrite(storage.database, identity, target, target.mode);
  const upload = await receiveUpload(request, storage.stagingFolder, getSizeLimit(bucket));
  return storeReceived(storage, identity, { bucket, target, upload });
}

/** A received file and its target. */
export interface ReceivedFile {
  bucket: BucketRow;
  target: UploadTarget;
  upload: ReceivedUpload;
  /** Runs first in the transaction that writes the row, as the owner of the tables. If it throws, nothing is stored. */
  claim?: (tx: Transaction) => Promise<void>;
}

/** Detects the type of the file, stores its bytes and writes its row. The staged file is always deleted. */
export async function storeReceived(
  storage: Storage,
  identity: RequestIdentity,
  { bucket, target, upload, claim }: ReceivedFile,
): Promise<StoredObject> {
  let file = upload.file;
  let original: StagedFile | undefined;
  try {
    original = await copyOriginal(storage, bucket, upload);
    const inspection = await inspect(storage, bucket, upload);
    file = inspection.file;
    const version = await newVersion(storage);
    const object = { ...target, version, metadata: inspection.metadata, userMetadata: inspection.userMetadata };
    const storedObject = await recordVersion(storage, identity, {
      object,
      mode: target.mode,
      storeBytes: () => storage.bytes.put(version, inspection.file),
      claim,
    });
    const { mediaLibrary } = storage.options;
    const originals = bucket.id === mediaLibrary?.bucket ? mediaLibrary.originals : null;
    if (originals) await removePreviousOriginal(storage, originals, storedObject.Id);
    const isChanged = object.metadata.eTag !== `"${original?.md5}"`;
    if (original && originals && isChanged) {
      await storeOriginal(storage, identity, { original, originals, picture: storedObject, upload });
    }
    return storedObject;
  } finally {
    await discardStagedFile(file);
    if (original) await discardStagedFile(original);
  }
}

/**
 * Stores the original. Called after the prepared picture is stored, so that a caller without permission cannot store an
 * original.
 */
async function storeOriginal(
  storage: Storage,
  identity: RequestIdentity,
  {
    original,
    originals,
    picture,
    upload,
  }: { original: StagedFile; originals: string; picture: StoredObject; upload: ReceivedUpload },
): Promise<void> {
  const mimetype = await detectContentType(original.path, upload.declaredType);
  const version = await newVersion(storage);
  const metadata = toMetadata(original, mimetype, 'no-store');
  await recordVersion(storage, identity, {
    object: { bucketId: originals, name: picture.Id, ownerId: null, version, metadata, userMetadata: null },
    mode: 'upsert',
    storeBytes: () => storage.bytes.put(version, original),
  });
}

/** Returns the maximum file size of a bucket in bytes. */
export function getSizeLimit(bucket: BucketRow): number {
  return Math.min(bucket.file_size_limit ?? MAX_FILE_BYTES, MAX_FILE_BYTES);
}

interface InspectedUpload {
  file: StagedFile;
  metadata: ObjectMetadata;
  userMetadata: Record<string, unknown> | null;
}

async function inspect(storage: Storage, bucket: BucketRow, upload: ReceivedUpload): Promise<InspectedUpload> {
  const { cacheControl, declaredType, userMetadata } = upload;
  const type = await detectContentType(upload.file.path, declaredType);
  requireAllowedType(type, bucket.allowed_mime_types);
  const isMedia = bucket.id === storage.options.mediaLibrary?.bucket;
  const { file, mimetype, dimensions } = await prepare(storage, upload.file, type, isMedia);
  // Media keep the hash of the uploaded bytes, so that duplicates are found even though metadata is removed.
  const { sha256 } = isMedia ? upload.file : file;
  const metadata = { ...toMetadata(file, mimetype, cacheControl), ...dimensions, sha256 };
  return { file, metadata, userMetadata };
}

async function prepare(
  storage: Storage,
  file: StagedFile,
  mimetype: string,
  isMedia: boolean,
): Promise<PreparedPicture> {
  if (mimetype === 'image/svg+xml') {
    const svg = await readSvg(file);
    const sanitized = await stageFile(storage.stagingFolder, [Buffer.from(svg)], MAX_FILE_BYTES);
    await discardStagedFile(file);
    return { file: sanitized, mimetype, dimensions: await measureSvg(svg) };
  }
  if (isMedia && mimetype.startsWith('image/')) return preparePicture(storage, file, mimetype);
  return { file, mimetype, dimensions: isRasterPicture(mimetype) ? await measurePicture(file.path) : undefined };
}

async function readSvg(file: StagedFile): Promise<string> {
  if (file.size > MAX_SVG_BYTES) throw invalidRequest('The SVG is larger than 5 MB.');
  const bytes = await readFile(file.path);
  return sanitizeSvg(new TextDecoder(textEncoding(bytes)).decode(bytes));
}

function toMetadata(file: StagedFile, mimetype: string, cacheControl: string): ObjectMetadata {
  return {
    eTag: `"${file.md5}"`,
    size: file.size,
    mimetype,
    cacheControl,
    lastModified: new Date().toISOString(),
    contentLength: file.size,
    httpStatusCode: 200,
  };
}

/** Creates a key for new bytes, and records it as unnamed until its row is written. */
export async function newVersion({ database }: Storage): Promise<string> {
  const version = randomUUID();
  await database.query('insert into backend.unnamed_bytes (version) values ($1)', [version]);
  return version;
}

interface NewVersion {
  object: NewObject;
  mode: WriteMode;
  storeBytes: () => Promise<void>;
  claim?: ReceivedFile['claim'];
}

/** Stores bytes and writes their row. Deletes the bytes if either fails. */
async function recordVersion(
  storage: Storage,
  identity: RequestIdentity,
  { object, mode, storeBytes, claim }: NewVersion,
): Promise<StoredObject> {
  try {
    await storeBytes();
    const { id, replacedVersion } = await writeObject(storage.database, identity, object, mode, claim);
    if (replacedVersion) await removeBytes(storage, [replacedVersion]);
    return { Id: id, Key: `${object.bucketId}/${object.name}` };
  } catch (error) {
    await removeBytes(storage, [object.version]);
    throw error;
  }
}

/** Deletes the stored original of the previous picture after the picture was replaced. */
async function removePreviousOriginal(storage: Storage, originals: string, id: string): Promise<void> {
  const { rows } = await storage.database.query<{ version: string }>(
    'delete from storage.objects where bucket_id = $1 and name = $2 returning version',
    [originals, id],
  );
  if (rows.length > 0)
    await removeBytes(
      storage,
      rows.map(({ version }) => version),
    );
}

/**
 * Deletes bytes without a row. After a failure, the next sweep deletes them. During a backup, they are also left to the
 * sweep, because the backup may have read their rows already.
 * @returns whether the bytes were deleted
 */
export async function removeBytes({ bytes, database, log }: Storage, versions: readonly string[]): Promise<boolean> {
  try {
    const backups = await database.query('select from backend.running_backups where until > clock_timestamp() limit 1');
    if (backups.rowCount > 0) return false;
    await bytes.remove(versions);
    await database.query('delete from backend.unnamed_bytes where version = any($1::text[])', [versions]);
    return true;
  } catch (error) {
    log.warn({ err: error }, 'The data of deleted files could not be removed and is left to the next sweep');
    return false;
  }
}

/** Copies bytes and metadata under a new name. @throws ApiError NoSuchKey, NoSuchBucket; DatabaseError */
export async function copyObject(
  storage: Storage,
  identity: RequestIdentity,
  from: Location,
  target: UploadTarget,
  copyMetadata: boolean,
): Promise<StoredObject> {
  requireObjectName(target.name);
  const bucket = await findBucket(storage.database, target.bucketId);
  const source = await findObjectAs(storage.database, identity, from);
  requireAllowedType(source.metadata.mimetype, bucket.allowed_mime_types);
  await requireMayWrite(storage.database, identity, target, target.mode);
  const version = await newVersion(storage);
  const metadata = { ...source.metadata, lastModified: new Date().toISOString() };
  const userMetadata = copyMetadata ? source.user_metadata : null;
  const object = { ...target, version, metadata, userMetadata };
  const storeBytes = () => storage.bytes.copy(source.version, version);
  return recordVersion(storage, identity, { object, mode: target.mode, storeBytes });
}
