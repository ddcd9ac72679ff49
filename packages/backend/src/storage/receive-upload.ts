/**
 * Receives the file of an upload request from the official client. The file is either the raw body, with
 * parameters in headers, or a part of a multipart form, after the fields `cacheControl` and `metadata`.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { discardStagedFile, type StagedFile, stageFile, tooLarge } from './bytes/staged-file.ts';
import { invalidRequest } from './storage-error.ts';

export interface ReceivedUpload {
  file: StagedFile;
  /** Type declared by the client, which is not trusted. */
  declaredType: string;
  /** A Cache-Control value. */
  cacheControl: string;
  userMetadata: Record<string, unknown> | null;
}

/** Bytes allowed for the boundaries and fields of a multipart form. */
const FORM_OVERHEAD = 256 * 1024;

/**
 * Streams the file to `folder`. An error leaves no file.
 * @throws ApiError EntityTooLarge, InvalidRequest
 */
export async function receiveUpload(request: Request, folder: string, limit: number): Promise<ReceivedUpload> {
  const contentType = request.headers.get('content-type') ?? '';
  const isForm = /^multipart\/form-data\b/i.test(contentType);
  const declaredSize = Number(request.headers.get('content-length') ?? 0);
  if (declaredSize > limit + (isForm ? FORM_OVERHEAD : 0)) throw tooLarge(limit);
  const upload = isForm
    ? await receiveForm(request, contentType, folder, limit)
    : await receiveBody(request, contentType, folder, limit);
  if (upload.file.size > 0) return upload;
  await discardStagedFile(upload.file);
  throw invalidRequest('The file is empty: it has 0 bytes.');
}

async function receiveBody(
  request: Request,
  declaredType: string,
  folder: string,
  limit: number,
): Promise<ReceivedUpload> {
  const cacheControl = toCacheControl(request.headers.get('cache-control'));
  const userMetadata = parseMetadata(fromBase64(request.headers.get('x-metadata')));
  const body: AsyncIterable<Uint8Array> | [] = request.body ?? [];
  const file = await stageFile(folder, body, limit).catch(rethrowInterruption);
  return { file, declaredType, cacheControl, userMetadata };
}

async function receiveForm(
  request: Request,
  contentType: string,
  folder: string,
  limit: number,
): Promise<ReceivedUpload> {
  const fields = new Map<string, string>();
  let part: { stream: Readable; declaredType: string; staging: Promise<StagedFile> } | undefined;
  const parser = newParser(contentType);
  // Ignore further `error` events: a truncated form causes several, even after the pipeline has settled.
  parser.on('error', () => undefined);
  parser.on('field', (name, value) => fields.set(name, value));
  parser.on('file', (_name, stream, _filename, _encoding, declaredType) => {
    stream.on('error', () => undefined);
    const staging = stageFile(folder, stream, limit);
    staging.catch((error) => parser.destroy(error));
    part = { stream, declaredType, staging };
  });
  try {
    await pipeline(Readable.from(request.body ?? []), parser);
  } catch (error) {
    part?.stream.destroy(error instanceof Error ? error : undefined);
    const file = await part?.staging.catch(() => undefined);
    if (file) await discardStagedFile(file);
    return rethrowInterruption(error);
  }
  if (!part) throw invalidRequest('No content provided');
  const file = await part.staging;
  try {
    return {
      file,
      declaredType: part.declaredType,
      cacheControl: toCacheControl(fields.get('cacheControl') ?? null),
      userMetadata: parseMetadata(fields.get('metadata') ?? null),
    };
  } catch (error) {
    await discardStagedFile(file);
    throw error;
  }
}

function newParser(contentType: string) {
  try {
    return Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fields: 20, fieldSize: 64 * 1024 },
      isPartAFile: (_field, type, filename) => filename !== undefined || type === 'application/octet-stream',
    });
  } catch (error) {
    throw invalidRequest('The multipart form has no boundary.', error);
  }
}

/** Matches names and messages of errors of Node's streams and the parser for an aborted or malformed request. */
const INTERRUPTION = /abort|premature|closed|terminated|ECONNRESET|multipart|malformed/i;

function rethrowInterruption(error: unknown): never {
  const isInterruption = error instanceof Error && INTERRUPTION.test(`${error.name} ${error.message}`);
  throw isInterruption ? invalidRequest('The upload was aborted before its end.', error) : error;
}

/** Converts the form field (seconds) or the header of an upload to a Cache-Control value. */
export function toCacheControl(value: string | null): string {
  if (value === null) return 'no-cache';
  if (/^\d{1,10}$/.test(value)) return `max-age=${value}`;
  return /^[\w\-=, ]{1,100}$/.test(value) ? value : 'no-cache';
}

function fromBase64(text: string | null): string | null {
  return text === null ? null : Buffer.from(text, 'base64').toString('utf8');
}

export function parseMetadata(text: string | null): Record<string, unknown> | null {
  if (text === null || text === '') return null;
  let metadata: unknown;
  try {
    metadata = JSON.parse(text);
  } catch (error) {
    throw invalidRequest('The metadata of the file is not valid JSON.', error);
  }
  if (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)) return { ...metadata };
  throw invalidRequest('The metadata of the file must be a JSON object.');
}
