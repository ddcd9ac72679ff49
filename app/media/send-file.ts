import { browserApiEndpoint } from '../api/api-endpoint.ts';
import { explainRejection } from '../api/rejected-writes.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { UserError } from '../ui/lib/user-error.ts';
import { CACHE_SECONDS, randomName } from './media-file.ts';
import { readErrorMessage, type UploadOptions } from './upload.ts';

/** Chunk size for resumable uploads (Supabase recommends 6 MB). */
const CHUNK_BYTES = 6 * 1024 * 1024;

interface SentFile {
  bucket: string;
  /** Path prefix in the bucket, with a trailing slash. */
  folder: string;
  file: File;
  /** Stored metadata. */
  metadata: Record<string, string | boolean>;
}

/**
 * Uploads a file under a random name.
 * @returns the name
 * @throws UserError, Error, or the abort reason
 */
export async function sendFile(upload: SentFile, options: UploadOptions): Promise<string> {
  const { bucket, folder, file, metadata } = upload;
  const name = folder + randomName(file.name);
  const token = async () => (await (await sessionApi()).auth.getSession()).data.session?.access_token;
  if (file.size > CHUNK_BYTES) {
    const { sendResumable } = await import('./resumable-upload.ts');
    return sendResumable({ ...upload, name, token, chunkBytes: CHUNK_BYTES, cacheSeconds: CACHE_SECONDS }, options);
  }
  const form = new FormData();
  form.append('cacheControl', CACHE_SECONDS);
  form.append('metadata', JSON.stringify(metadata));
  form.append('', file);
  await sendAsSignedIn(`${bucket}/${name}`, form, await token(), options);
  return name;
}

/** Sends the file. Retries if the session had expired and the user has signed in again. */
async function sendAsSignedIn(path: string, form: FormData, token: string | undefined, options: UploadOptions) {
  try {
    await send(path, form, token, options);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const explanation = await explainRejection(token);
    if (explanation.cause === 'other') throw error;
    if (explanation.cause === 'rejected') throw new Error(explanation.message);
    await sendAsSignedIn(path, form, explanation.accessToken, options);
  }
}

/**
 * Sends the same request as the storage client. Uses XMLHttpRequest, because fetch() does not report upload progress.
 */
function send(path: string, form: FormData, token: string | undefined, { onProgress, signal }: UploadOptions) {
  const { url, publishableKey } = browserApiEndpoint();
  return new Promise<void>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    request.open('POST', `${url}/storage/v1/object/${path}`);
    request.setRequestHeader('apikey', publishableKey);
    request.setRequestHeader('authorization', `Bearer ${token ?? publishableKey}`);
    request.setRequestHeader('x-upsert', 'false');
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onload = () =>
      request.status < 300 ? resolve() : reject(new UserError(readErrorMessage(request.responseText, request.status)));
    request.onerror = () => reject(new Error('The connection was lost. Try again.'));
    request.onabort = () => reject(signal?.reason);
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}
