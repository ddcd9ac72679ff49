/** Stores bytes as objects in a bucket of an S3-compatible server, with path-style URLs and the prefix files/. */
import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import { noSuchKey, storeUnavailable } from '../storage-error.ts';
import type { ByteStore } from './byte-store.ts';

const CONCURRENT_REMOVALS = 10;
/** Timeout of isAvailable() in milliseconds. */
const TIMEOUT_MS = 2_000;

export interface S3Settings {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export function openS3ByteStore({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Settings): ByteStore {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  const objectPath = (key: string) => `/${bucket}/files/${key}`;

  async function send(method: string, key: string, init: RequestInit = {}): Promise<Response> {
    const request = await client.sign(`${endpoint}${objectPath(key)}`, { ...init, method });
    const response = await fetch(request).catch((error: unknown) => {
      throw storeUnavailable(error);
    });
    if (response.ok || (method === 'DELETE' && response.status === 404)) return response;
    const text = await response.text();
    if (response.status === 404) throw noSuchKey(new Error(text));
    throw storeUnavailable(
      new Error(`The object store responded to ${method} with status ${response.status}: ${text.slice(0, 500)}`),
    );
  }

  return {
    async put(key, file) {
      // A blob of a file is streamed from the disk and has a known length, which S3 requires.
      const body = await openAsBlob(file.path);
      const response = await send('PUT', key, { body, headers: { 'x-amz-content-sha256': file.sha256 } });
      await response.body?.cancel();
    },

    async copy(from, to) {
      const response = await send('PUT', to, { headers: { 'x-amz-copy-source': objectPath(from) } });
      const text = await response.text();
      // A copy that fails midway already has a success status.
      if (!text.includes('<Error>')) return;
      throw storeUnavailable(new Error(`The object store could not copy: ${text.slice(0, 500)}`));
    },

    async read(key, range) {
      const headers = range ? { range: `bytes=${range.start}-${range.end}` } : undefined;
      const response = await send('GET', key, headers ? { headers } : {});
      if (!response.body) return Readable.from([]);
      return Readable.from(readChunks(response.body), { objectMode: false });
    },

    async isAvailable() {
      const request = await client.sign(`${endpoint}${objectPath('missing-object')}`);
      const response = await fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      const text = await response.text();
      if (response.ok || text.includes('<Code>NoSuchKey</Code>')) return true;
      // AWS returns 403 for a missing object if the key is not allowed to list the bucket.
      return response.status === 403 && text.includes('<Code>AccessDenied</Code>');
    },

    async remove(keys) {
      for (let index = 0; index < keys.length; index += CONCURRENT_REMOVALS) {
        const removals = keys.slice(index, index + CONCURRENT_REMOVALS).map((key) => send('DELETE', key));
        for (const response of await Promise.all(removals)) await response.body?.cancel();
      }
    },
  };
}

/** Reports an interrupted stream as an unavailable store, not as a damaged file. */
async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* body;
  } catch (error) {
    throw storeUnavailable(error);
  }
}
