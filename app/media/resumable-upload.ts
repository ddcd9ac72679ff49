/**
 * Resumable uploads of large files (Supabase, TUS 1.0.0). An upload resumes when the connection is restored, or when
 * the same file is chosen again within a day.
 */
import { DetailedError, type PreviousUpload, Upload } from 'tus-js-client';
import { browserApiEndpoint } from '../api/api-endpoint.ts';
import { explainRefusal } from '../api/refused-writes.ts';
import { Refusal } from '../ui/lib/refusal.ts';
import { messageIn, type UploadOptions } from './upload.ts';

/** Retry delays in seconds while offline. The last one repeats. */
const PAUSES = [1, 2, 4, 8, 15];

/** Retries without progress if the server answers with errors. */
const TRIES = 5;

/** Timeout for stalled connections that the browser does not detect. */
const STALL_TIMEOUT_MS = 30_000;

/** The server processes the whole file before it answers the last chunk. */
const STORING_MS = 180_000;

/** Servers keep incomplete uploads for this long. */
const DAY_MS = 24 * 60 * 60 * 1000;

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
  pieceBytes: number;
  /** Cache lifetime in seconds. */
  keptSeconds: string;
}

/** Uploads that this page has already resumed. A file that is chosen twice is uploaded twice. */
const underWay = new Set<string>();

/**
 * @returns the final name
 * @throws Refusal, Error, or the abort reason
 */
export async function sendResumable(largeFile: LargeFile, options: UploadOptions): Promise<string> {
  const sent = { token: '' };
  const upload = newUpload(largeFile, sent);
  const claimed = new Set<string>();
  const claim = (address: string) => {
    claimed.add(address);
    underWay.add(address);
  };
  const previous = await claimPrevious(upload, largeFile, claim);
  if (previous) upload.resumeFromPreviousUpload(previous);
  try {
    await persist(upload, sent, claim, options);
  } catch (error) {
    // Delete the chunks of a cancelled upload. If the request fails, the server expires them.
    if (options.signal?.aborted) upload.abort(true).catch(() => undefined);
    throw error;
  } finally {
    for (const address of claimed) underWay.delete(address);
  }
  const hasResumed = previous !== undefined && upload.url === previous.uploadUrl;
  return hasResumed ? (previous.metadata['objectName'] ?? largeFile.name) : largeFile.name;
}

function newUpload(
  { bucket, name, file, metadata, token, pieceBytes, keptSeconds }: LargeFile,
  sent: { token: string },
): Upload {
  const { url, publishableKey } = browserApiEndpoint();
  return new Upload(file, {
    endpoint: `${url}/storage/v1/upload/resumable`,
    chunkSize: pieceBytes,
    // Create the upload first, so that its URL is known before the first chunk is sent.
    uploadDataDuringCreation: false,
    removeFingerprintOnSuccess: true,
    headers: { apikey: publishableKey, 'x-upsert': 'false' },
    metadata: {
      bucketName: bucket,
      objectName: name,
      contentType: file.type || 'application/octet-stream',
      cacheControl: keptSeconds,
      metadata: JSON.stringify(metadata),
    },
    // An upload can outlive a token.
    onBeforeRequest: async (request) => {
      sent.token = (await token()) ?? '';
      request.setHeader('authorization', `Bearer ${sent.token || publishableKey}`);
    },
    // The library does not retry while the browser is offline or after a server outage. persist() does.
    retryDelays: null,
  });
}

/** Claims the latest incomplete upload of this file and place, and forgets expired ones. */
async function claimPrevious(
  upload: Upload,
  { bucket, folder }: LargeFile,
  claim: (address: string) => void,
): Promise<PreviousUpload | undefined> {
  const { urlStorage } = upload.options;
  for (const { urlStorageKey, creationTime } of (await urlStorage?.findAllUploads()) ?? []) {
    if (Date.now() - Date.parse(creationTime) > DAY_MS) await urlStorage?.removeUpload(urlStorageKey);
  }
  const found = await upload.findPreviousUploads();
  const [previous] = found
    .filter(({ metadata, uploadUrl }) => {
      const isHere = metadata['bucketName'] === bucket && folderOf(metadata['objectName'] ?? '') === folder;
      return isHere && uploadUrl !== null && !underWay.has(uploadUrl);
    })
    .sort((one, other) => Date.parse(other.creationTime) - Date.parse(one.creationTime));
  // Before another file of this page looks for one.
  if (previous?.uploadUrl) claim(previous.uploadUrl);
  return previous;
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}

/** Retries until the upload is complete, rejected or cancelled. */
async function persist(
  upload: Upload,
  sent: { token: string },
  claim: (address: string) => void,
  options: UploadOptions,
): Promise<void> {
  const { onProgress, onStall, signal } = options;
  let failures = 0;
  let furthest = 0;
  let address = upload.url;
  upload.options.onUploadUrlAvailable = () => {
    address = upload.url;
    if (address) claim(address);
  };
  const progress = (share: number) => {
    if (share > furthest) failures = 0;
    furthest = Math.max(furthest, share);
    // A share of 0 is reported before the first byte is sent.
    if (share > 0) onStall?.(false);
    onProgress?.(share);
  };
  for (;;) {
    signal?.throwIfAborted();
    const error = await attempt(upload, progress, signal);
    if (error === null) return;
    signal?.throwIfAborted();
    failures += 1;
    // After a response such as 502 the library would start over.
    upload.url = address;
    const status = statusOf(error);
    if (status === null ? !onStall : failures >= TRIES || isRefusal(status)) {
      await explain(error, sent.token);
    } else {
      if (status === null) onStall?.(true);
      await pause(PAUSES[Math.min(failures, PAUSES.length) - 1] ?? 1, signal);
    }
  }
}

/** @returns the error, or null on success */
function attempt(upload: Upload, onProgress: (share: number) => void, signal?: AbortSignal): Promise<unknown> {
  return new Promise<unknown>((resolve) => {
    let silence: ReturnType<typeof setTimeout> | undefined;
    const end = (error: unknown) => {
      clearTimeout(silence);
      window.removeEventListener('offline', giveUp);
      signal?.removeEventListener('abort', giveUp);
      resolve(error);
    };
    const giveUp = () => {
      void upload.abort();
      end(new Error('The connection was lost. Try again.'));
    };
    const listen = (milliseconds: number) => {
      clearTimeout(silence);
      silence = setTimeout(giveUp, milliseconds);
    };
    window.addEventListener('offline', giveUp);
    signal?.addEventListener('abort', giveUp);
    Object.assign(upload.options, {
      onError: end,
      onSuccess: () => end(null),
      onProgress: (done: number, total: number) => {
        listen(done < total ? STALL_TIMEOUT_MS : STORING_MS);
        onProgress(total > 0 ? done / total : 0);
      },
    });
    listen(STALL_TIMEOUT_MS);
    upload.start();
  });
}

/** HTTP status, or null without a response. */
function statusOf(error: unknown): number | null {
  return (error instanceof DetailedError && error.originalResponse?.getStatus()) || null;
}

/** True if a retry would fail in the same way. 409: offset mismatch. 423: an earlier request is still running. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && ![409, 423, 429].includes(status);
}

/** Resolves if a retry makes sense because the user has signed in again. Otherwise throws. */
async function explain(error: unknown, token: string): Promise<void> {
  const status = statusOf(error);
  if (status === null) throw new Error('The connection was lost. Try again.', { cause: error });
  const response = error instanceof DetailedError ? error.originalResponse : null;
  const refusal = new Refusal(messageOf(response?.getBody() ?? '', detailsIn(response), status), {
    cause: error,
  });
  if (status >= 500) throw new Error(refusal.message, { cause: error });
  const explanation = await explainRefusal(token);
  if (explanation.cause === 'other') throw refusal;
  if (explanation.cause === 'refused') throw new Error(explanation.sentence);
}

/** Extracts the message from a plain-text TUS response. */
function messageOf(body: string, details: string | undefined, status: number): string {
  const text = body.trim();
  if (text === '' || text.length > 300 || /^[<{]/.test(text)) return messageIn(text, status);
  return details ? `${text}: ${details}` : text;
}

/** Reads all response headers, because accessing a header that another origin does not expose logs a console error. */
function detailsIn(response: DetailedError['originalResponse']): string | undefined {
  const request: unknown = response?.getUnderlyingObject();
  const headers = request instanceof XMLHttpRequest ? request.getAllResponseHeaders() : '';
  return /^x-error-details: (.*)$/im.exec(headers)?.[1]?.trim();
}

/**
 * Resolves early when the browser is online again.
 * @throws the abort reason
 */
function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      window.removeEventListener('online', goOn);
      signal?.removeEventListener('abort', cancel);
      settle();
    };
    const goOn = () => end(resolve);
    const cancel = () => end(() => reject(signal?.reason));
    const timer = setTimeout(goOn, seconds * 1000);
    window.addEventListener('online', goOn);
    signal?.addEventListener('abort', cancel);
  });
}
