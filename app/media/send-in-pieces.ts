/**
 * Large files, by Supabase's resumable uploads (TUS 1.0.0). Pieces that have arrived stay: an upload goes on by itself
 * when the connection is back, and when the same file is chosen again after the page was closed, within a day.
 */
import { DetailedError, type PreviousUpload, Upload } from 'tus-js-client';
import { browserApiEndpoint } from '../api/api-endpoint.ts';
import { explainRefusal } from '../api/refused-writes.ts';
import { Refusal } from '../ui/lib/refusal.ts';
import { messageIn, type UploadOptions } from './upload.ts';

/** Seconds between tries while the connection is away; the last one repeats. */
const PAUSES = [1, 2, 4, 8, 15];

/** Tries in a row without a byte of progress, of a server that answers but not as it should. */
const TRIES = 5;

/** A connection over which nothing moves for so long is dead, also when the browser has not noticed. */
const SILENCE_MS = 30_000;

/** The server looks at the whole file before it answers the last piece. */
const STORING_MS = 180_000;

/** Time for which servers keep what has arrived. */
const DAY_MS = 24 * 60 * 60 * 1000;

interface LargeFile {
  bucket: string;
  folder: string;
  /** Name within the bucket, unless an upload of this file goes on that has another one. */
  name: string;
  file: File;
  /** Metadata that is kept with it. */
  metadata: Record<string, string | boolean>;
  /** Reads the token of the session as it is now. */
  token: () => Promise<string | undefined>;
  pieceBytes: number;
  /** Time for which browsers keep it. */
  keptSeconds: string;
}

/** Uploads that this page goes on with already; a file that is chosen twice becomes two. */
const underWay = new Set<string>();

/** @returns the name that the file has now @throws Refusal, Error, the signal's reason */
export async function sendInPieces(largeFile: LargeFile, options: UploadOptions): Promise<string> {
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
    // Pieces of a cancelled upload need not be kept. Without a connection the server forgets them by itself.
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
    // The address is known before the first byte is sent, so that nothing of the first piece is lost with its answer.
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
    // It may run for longer than a token lives.
    onBeforeRequest: async (request) => {
      sent.token = (await token()) ?? '';
      request.setHeader('authorization', `Bearer ${sent.token || publishableKey}`);
    },
    // The library does not try again while the browser is offline, nor after a server was away; persist() does.
    retryDelays: null,
  });
}

/** Claims the last upload of this very file to the same place; those that are too old are forgotten. */
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
  // At once, before another file of this page looks.
  if (previous?.uploadUrl) claim(previous.uploadUrl);
  return previous;
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}

/** Tries until the file is whole, the server refuses it, or the person cancels. */
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
    // A share of 0 says nothing: it comes before the first byte is sent.
    if (share > 0) onStall?.(false);
    onProgress?.(share);
  };
  for (;;) {
    signal?.throwIfAborted();
    const error = await attempt(upload, progress, signal);
    if (error === null) return;
    signal?.throwIfAborted();
    failures += 1;
    // After an answer such as 502 the library would begin anew.
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

/** @returns what went wrong, or null when the file is whole */
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
      end(new Error('The connection broke off.'));
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
        listen(done < total ? SILENCE_MS : STORING_MS);
        onProgress(total > 0 ? done / total : 0);
      },
    });
    listen(SILENCE_MS);
    upload.start();
  });
}

/** Returns the status of the answer; null when there was none. */
function statusOf(error: unknown): number | null {
  return (error instanceof DetailedError && error.originalResponse?.getStatus()) || null;
}

/**
 * Tells whether the same request would be answered alike. 409: at another place than we thought; 423: an earlier
 * request runs.
 */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && ![409, 423, 429].includes(status);
}

/** Returns when the session had ended and the person has signed in again, which is reason for another try. */
async function explain(error: unknown, token: string): Promise<void> {
  const status = statusOf(error);
  if (status === null) throw new Error('The connection broke off.', { cause: error });
  const response = error instanceof DetailedError ? error.originalResponse : null;
  const refusal = new Refusal(messageOf(response?.getBody() ?? '', detailsIn(response), status), {
    cause: error,
  });
  if (status >= 500) throw new Error(refusal.message, { cause: error });
  const explanation = await explainRefusal(token);
  if (explanation.cause === 'other') throw refusal;
  if (explanation.cause === 'refused') throw new Error(explanation.sentence);
}

/** Reads the message of the protocol, which answers in plain text. */
function messageOf(body: string, details: string | undefined, status: number): string {
  const text = body.trim();
  if (text === '' || text.length > 300 || /^[<{]/.test(text)) return messageIn(text, status);
  return details ? `${text}: ${details}` : text;
}

/**
 * Reads the details of an answer from all of its headers, because asking another origin for one that it does not expose
 * is an error in the console.
 */
function detailsIn(response: DetailedError['originalResponse']): string | undefined {
  const request: unknown = response?.getUnderlyingObject();
  const headers = request instanceof XMLHttpRequest ? request.getAllResponseHeaders() : '';
  return /^x-error-details: (.*)$/im.exec(headers)?.[1]?.trim();
}

/** Ends early when the browser is online again. @throws the signal's reason */
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
