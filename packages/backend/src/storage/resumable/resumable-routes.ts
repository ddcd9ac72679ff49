/**
 * /upload/resumable: uploads in several requests with TUS 1.0.0 (https://tus.io/protocols/resumable-upload). The keys
 * of Upload-Metadata are the same as in Supabase Storage: bucketName, objectName, contentType, cacheControl, metadata.
 * Below /sign, the header x-signature contains a token of createSignedUploadUrl(), and no account is needed. The
 * policies are checked when an upload starts, at each of its requests, and when its row is written.
 */
import { randomUUID } from 'node:crypto';
import { DataStore, ERRORS, type Locker, Server } from '@tus/server';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { ApiError } from '../../http/api-error.ts';
import { tooLarge } from '../bytes/staged-file.ts';
import { requireObjectName } from '../names.ts';
import { findBucket, requireMayWrite } from '../objects.ts';
import type { StorageHono } from '../request-input.ts';
import { MAX_FILE_BYTES, type Storage } from '../storage.ts';
import { asApiError, invalidRequest } from '../storage-error.ts';
import { getSizeLimit } from '../upload.ts';
import { EXTENSIONS, PieceStore, parseFileMetadata, parseTarget } from './piece-store.ts';
import { createUploadLocker } from './upload-locker.ts';
import { findUpload } from './upload-rows.ts';
import { identifySignedUploader, identifyUploader, type Uploader } from './uploader.ts';

const PATH = '/storage/v1/upload/resumable';

// Hono routes HEAD as GET.
const METHODS = ['POST', 'PATCH', 'GET', 'DELETE'];

/** `open` needs no key: protocol features and signed uploads. `authenticated` needs an API key or access token. */
export function resumableRoutes(storage: Storage): { open: StorageHono; authenticated: StorageHono } {
  const locker = createUploadLocker();
  const open: StorageHono = new Hono();
  const authenticated: StorageHono = new Hono();
  open.on('OPTIONS', ['/', '/sign', '/:id', '/sign/:id'], ({ req }) => capabilities(req.raw));
  open.on(METHODS, ['/sign', '/sign/:id'], async (context) => {
    const uploader = await identifySignedUploader(storage, context);
    return handle({ storage, locker, uploader, path: `${PATH}/sign` }, context.req.raw, context.req.param('id'));
  });
  authenticated.on(METHODS, ['/', '/:id'], (context) => {
    const uploader = identifyUploader(context);
    return handle({ storage, locker, uploader, path: PATH }, context.req.raw, context.req.param('id'));
  });
  return { open, authenticated };
}

interface HandlerOptions {
  storage: Storage;
  locker: Locker;
  uploader: Uploader;
  path: string;
}

function capabilities(request: Request): Promise<Response> {
  const datastore = Object.assign(new DataStore(), { extensions: EXTENSIONS });
  return new Server({ path: PATH, datastore, maxSize: MAX_FILE_BYTES }).handleWeb(request);
}

/** Handles a request with a new TUS server, whose callbacks act on behalf of the uploader. */
async function handle(
  { storage, locker, uploader, path }: HandlerOptions,
  request: Request,
  id: string | undefined,
): Promise<Response> {
  let apiError: ApiError | undefined;
  const server = new Server({
    path,
    datastore: new PieceStore(storage, uploader),
    locker,
    maxSize: MAX_FILE_BYTES,
    // Behind a proxy, the origin of the request may differ from the one that the client used.
    relativeLocation: true,
    // Time for a replaced request to store its received bytes.
    lockDrainTimeout: 250,
    getFileIdFromRequest: () => id,
    namingFunction: (_request, metadata) => authorizeUpload(storage, uploader, request, metadata ?? {}),
    onIncomingRequest: (_request, uploadId) => requireOwner(storage, uploader, request, uploadId),
    onResponseError: (_request, error) => {
      apiError = asApiError(error);
      return apiError ? { status_code: apiError.status, body: apiError.message } : maskError(error, storage.log);
    },
  });
  const response = await server.handleWeb(request);
  if (apiError?.details) response.headers.set('x-error-details', apiError.details);
  return response;
}

/** Checks whether an upload may start. @returns its id @throws ApiError, DatabaseError */
async function authorizeUpload(
  { database }: Storage,
  uploader: Uploader,
  request: Request,
  metadata: Record<string, string | null>,
): Promise<string> {
  const { bucketId, name } = parseTarget(metadata);
  requireObjectName(name);
  uploader.requireMatchingFile({ bucketId, name });
  const bucket = await findBucket(database, bucketId);
  await requireMayWrite(database, uploader.identity, { bucketId, name, ownerId: uploader.ownerId }, modeFor(uploader));
  parseFileMetadata(metadata);
  const size = Number(request.headers.get('upload-length'));
  if (size === 0) throw invalidRequest('The file is empty: it has 0 bytes.');
  if (size > getSizeLimit(bucket)) throw tooLarge(getSizeLimit(bucket), 'Maximum size exceeded');
  return randomUUID();
}

/** @throws the library's 404, ApiError, DatabaseError */
async function requireOwner({ database }: Storage, uploader: Uploader, { method }: Request, id: string): Promise<void> {
  if (method === 'POST') return;
  const upload = await findUpload(database, uploader, id);
  if (!upload) throw ERRORS.FILE_NOT_FOUND;
  uploader.requireMatchingFile(upload);
  if (method !== 'PATCH' || upload.received === upload.size) return;
  await requireMayWrite(database, uploader.identity, { ...upload, ownerId: uploader.ownerId }, modeFor(upload));
}

function modeFor({ upsert }: { upsert: boolean }): 'upsert' | 'create' {
  return upsert ? 'upsert' : 'create';
}

/** Passes on the library's errors. For any other error, returns only the id of its log entry. */
function maskError(error: unknown, log: Logger): { status_code: number; body: string } | undefined {
  if (typeof error === 'object' && error !== null && 'status_code' in error) return undefined;
  const requestId = crypto.randomUUID();
  log.error({ err: error, requestId }, 'A resumable upload failed');
  return { status_code: 500, body: `Internal Server Error (request ${requestId})` };
}
