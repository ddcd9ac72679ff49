/**
 * Resumable uploads of large files (Supabase, TUS 1.0.0). An upload resumes when the connection is restored, or when
 * the same file is chosen again within a day.
 */
import { DetailedError, type PreviousUpload, Upload } from 'tus-js-client';
import { browserApiEndpoint } from '../api/api-endpoint.ts';
import { explainRejection } from '../api/rejected-writes.ts';
import { UserError } from '../ui/lib/user-error.ts';
import { readErrorMessage, type UploadOptions } from './upload.ts';

/** Retry delays in seconds while offline. The last delay is repeated. */
const RETRY_DELAYS = [1, 2, 4, 8, 15];

/** Consecutive failures without progress before the upload fails. */
const MAX_FAILURES = 5;

/** Timeout for stalled connections that the browser does not detect. */
const STALL_TIMEOUT_MS = 30_000;

/** Timeout for the last chunk, because the server processes the whole file before it responds. */
const LAST_CHUNK_TIMEOUT_MS = 180_000;

/** Lifetime of incomplete uploads on the server. */
const UPLOAD_LIFETIME_MS = 24 * 60 * 60 * 1000;

interface LargeFile {
  bucket: string;
  folder: string;
  /** Name in the bucket, unless an upload with another name is resumed. */
  name: string;
  file: File;
  /** Stored metadata. */
  metadata: Record<string, string | boolean>;
  /** Reads the current session token. */
  token: () => Promise<string | undefined>;
  chunkBytes: number;
  /** Cache lifetime in seconds. */
  cacheSeconds: string;
}

/**
 * URLs of uploads that are running on this page. They must not be resumed by a second upload, so a file that is chosen
 * twice is uploaded twice.
 */
const activeUploads = new Set<string>();

/**
 * Uploads a large file in chunks, or resumes an earlier upload of it.
 * @returns the final name
 * @throws UserError, Error, or the abort reason
 */
export async function sendResumable(largeFile: LargeFile, options: UploadOptions): Promise<string> {
  const lastRequest = { token: '' };
  const upload = newUpload(largeFile, lastRequest);
  const claimedUrls = new Set<string>();
  const markActive = (url: string) => {
    claimedUrls.add(url);
    activeUploads.add(url);
  };
  const previous = await claimPrevious(upload, largeFile, markActive);
  if (previous) upload.resumeFromPreviousUpload(previous);
  try {
    await uploadWithRetries(upload, lastRequest, markActive, options);
  } catch (error) {
    // Delete the chunks of a cancelled upload. If the request fails, the server expires them.
    if (options.signal?.aborted) upload.abort(true).catch(() => undefined);
    throw error;
  } finally {
    for (const url of claimedUrls) activeUploads.delete(url);
  }
  const hasResumed = previous !== undefined && upload.url === previous.uploadUrl;
  return hasResumed ? (previous.metadata['objectName'] ?? largeFile.name) : largeFile.name;
}

function newUpload(
  { bucket, name, file, metadata, token, chunkBytes, cacheSeconds }: LargeFile,
  lastRequest: { token: string },
): Upload {
  const { url, publishableKey } = browserApiEndpoint();
  return new Upload(file, {
    endpoint: `${url}/storage/v1/upload/resumable`,
    chunkSize: chunkBytes,
    // Create the upload first, so that its URL is known before the first chunk is sent.
    uploadDataDuringCreation: false,
    removeFingerprintOnSuccess: true,
    headers: { apikey: publishableKey, 'x-upsert': 'false' },
    metadata: {
      bucketName: bucket,
      objectName: name,
      contentType: file.type || 'application/octet-stream',
      cacheControl: cacheSeconds,
      metadata: JSON.stringify(metadata),
    },
    // The token can expire during an upload.
    onBeforeRequest: async (request) => {
      lastRequest.token = (await token()) ?? '';
      request.setHeader('authorization', `Bearer ${lastRequest.token || publishableKey}`);
    },
    // The library does not retry while the browser is offline or after a server outage. uploadWithRetries() does.
    retryDelays: null,
  });
}

/**
 * Claims the latest incomplete upload of this file to the same folder, and removes expired uploads from the browser
 * storage.
 */
async function claimPrevious(
  upload: Upload,
  { bucket, folder }: LargeFile,
  claim: (url: string) => void,
): Promise<PreviousUpload | undefined> {
  const { urlStorage } = upload.options;
  for (const { urlStorageKey, creationTime } of (await urlStorage?.findAllUploads()) ?? []) {
    if (Date.now() - Date.parse(creationTime) > UPLOAD_LIFETIME_MS) await urlStorage?.removeUpload(urlStorageKey);
  }
  const candidates = await upload.findPreviousUploads();
  const [previous] = candidates
    .filter(({ metadata, uploadUrl }) => {
      const isSameFolder = metadata['bucketName'] === bucket && getFolder(metadata['objectName'] ?? '') === folder;
      return isSameFolder && uploadUrl !== null && !activeUploads.has(uploadUrl);
    })
    .sort((first, second) => Date.parse(second.creationTime) - Date.parse(first.creationTime));
  // Claim the upload before another one on this page finds it.
  if (previous?.uploadUrl) claim(previous.uploadUrl);
  return previous;
}

function getFolder(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}

/** Retries until the upload is complete, rejected or cancelled. */
async function uploadWithRetries(
  upload: Upload,
  lastRequest: { token: string },
  claim: (url: string) => void,
  options: UploadOptions,
): Promise<void> {
  const { onProgress, onStall, signal } = options;
  let failures = 0;
  let maxShare = 0;
  let url = upload.url;
  upload.options.onUploadUrlAvailable = () => {
    url = upload.url;
    if (url) claim(url);
  };
  const progress = (share: number) => {
    if (share > maxShare) failures = 0;
    maxShare = Math.max(maxShare, share);
    // The library reports a share of 0 before it sends the first byte, so 0 does not mean that the connection works.
    if (share > 0) onStall?.(false);
    onProgress?.(share);
  };
  for (;;) {
    signal?.throwIfAborted();
    const error = await attempt(upload, progress, signal);
    if (error === null) return;
    signal?.throwIfAborted();
    failures += 1;
    // Restore the URL. After a response such as 502, the library would create a new upload.
    upload.url = url;
    const status = getStatus(error);
    if (status === null ? !onStall : failures >= MAX_FAILURES || isRejection(status)) {
      await waitForSignIn(error, lastRequest.token);
    } else {
      if (status === null) onStall?.(true);
      await pause(RETRY_DELAYS[Math.min(failures, RETRY_DELAYS.length) - 1] ?? 1, signal);
    }
  }
}

/** Starts the upload once. Resolves to the error, or null on success. */
function attempt(upload: Upload, onProgress: (share: number) => void, signal?: AbortSignal): Promise<unknown> {
  return new Promise<unknown>((resolve) => {
    let stallTimer: ReturnType<typeof setTimeout> | undefined;
    const end = (error: unknown) => {
      clearTimeout(stallTimer);
      window.removeEventListener('offline', abort);
      signal?.removeEventListener('abort', abort);
      resolve(error);
    };
    const abort = () => {
      void upload.abort();
      end(new Error('The connection was lost. Try again.'));
    };
    const restartStallTimer = (milliseconds: number) => {
      clearTimeout(stallTimer);
      stallTimer = setTimeout(abort, milliseconds);
    };
    window.addEventListener('offline', abort);
    signal?.addEventListener('abort', abort);
    Object.assign(upload.options, {
      onError: end,
      onSuccess: () => end(null),
      onProgress: (done: number, total: number) => {
        restartStallTimer(done < total ? STALL_TIMEOUT_MS : LAST_CHUNK_TIMEOUT_MS);
        onProgress(total > 0 ? done / total : 0);
      },
    });
    restartStallTimer(STALL_TIMEOUT_MS);
    upload.start();
  });
}

/** Returns the HTTP status, or null without a response. */
function getStatus(error: unknown): number | null {
  return (error instanceof DetailedError && error.originalResponse?.getStatus()) || null;
}

/**
 * True if a retry would fail again. Retries can succeed after 409 (offset mismatch), 423 (an earlier request is still
 * running) and 429.
 */
function isRejection(status: number): boolean {
  return status >= 400 && status < 500 && ![409, 423, 429].includes(status);
}

/** Resolves if the user has signed in again, so that a retry can succeed. Otherwise throws. */
async function waitForSignIn(error: unknown, token: string): Promise<void> {
  const status = getStatus(error);
  if (status === null) throw new Error('The connection was lost. Try again.', { cause: error });
  const response = error instanceof DetailedError ? error.originalResponse : null;
  const rejection = new UserError(readMessage(response?.getBody() ?? '', readResponseHeaders(response), status), {
    cause: error,
  });
  if (status >= 500) throw new Error(rejection.message, { cause: error });
  const explanation = await explainRejection(token);
  if (explanation.cause === 'other') throw rejection;
  if (explanation.cause === 'rejected') throw new Error(explanation.message);
}

/** Extracts the message from a plain-text TUS response. */
function readMessage(body: string, details: string | undefined, status: number): string {
  const text = body.trim();
  if (text === '' || text.length > 300 || /^[<{]/.test(text)) return readErrorMessage(text, status);
  return details ? `${text}: ${details}` : text;
}

/** Reads all response headers, because accessing a header that another origin does not expose logs a console error. */
function readResponseHeaders(response: DetailedError['originalResponse']): string | undefined {
  const request: unknown = response?.getUnderlyingObject();
  const headers = request instanceof XMLHttpRequest ? request.getAllResponseHeaders() : '';
  return /^x-error-details: (.*)$/im.exec(headers)?.[1]?.trim();
}

/**
 * Waits before a retry, or until the browser is online again.
 * @throws the abort reason
 */
function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const end = (finish: () => void) => {
      clearTimeout(timer);
      window.removeEventListener('online', onOnline);
      signal?.removeEventListener('abort', cancel);
      finish();
    };
    const onOnline = () => end(resolve);
    const cancel = () => end(() => reject(signal?.reason));
    const timer = setTimeout(onOnline, seconds * 1000);
    window.addEventListener('online', onOnline);
    signal?.addEventListener('abort', cancel);
  });
}
