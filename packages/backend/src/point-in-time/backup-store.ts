/** The backup store of BACKUP_URL: a folder, or a bucket of an S3-compatible store. Names are paths with slashes. */
import { createReadStream, openAsBlob } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { fileURLToPath } from 'node:url';
import { AwsClient } from 'aws4fetch';
import { errorCode } from '../database/errors.ts';

/** Timeout of a request. Uploading a large database takes minutes. */
const TIMEOUT_MS = 10 * 60_000;

export interface BackupStore {
  /** Stores bytes, or the file at a path. The write is atomic, and durable when the promise resolves. */
  write(name: string, content: Uint8Array<ArrayBuffer> | { path: string }): Promise<void>;
  /** @throws Error if the name does not exist, or the store is unavailable */
  read(name: string): Promise<Readable>;
  /** Lists the names that start with a folder such as `files/`, sorted. */
  list(folder: string): Promise<string[]>;
  remove(names: readonly string[]): Promise<void>;
}

/** @param url value of BACKUP_URL */
export function openBackupStore(url: string): BackupStore {
  return url.startsWith('file:') ? openFolder(fileURLToPath(url)) : openBucket(new URL(url));
}

function openFolder(folder: string): BackupStore {
  return {
    async write(name, content) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const part = `${path}.part`;
      if ('path' in content) await copyFile(content.path, part);
      const file = await open(part, 'path' in content ? 'r+' : 'w', 0o600);
      try {
        if (!('path' in content)) await file.writeFile(content);
        await file.chmod(0o600);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, path);
      const parent = await open(dirname(path));
      await parent.sync().finally(() => parent.close());
    },

    async read(name) {
      const file = await open(join(folder, name));
      return createReadStream('', { fd: file });
    },

    async list(prefix) {
      const entries = await readdir(join(folder, prefix), { recursive: true, withFileTypes: true }).catch(
        (error: unknown) => {
          if (errorCode(error) === 'ENOENT') return [];
          throw error;
        },
      );
      return entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
        .sort();
    },

    async remove(names) {
      for (const name of names) await rm(join(folder, name), { force: true });
    },
  };
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
function openBucket(url: URL): BackupStore {
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? 'us-east-1',
    service: 's3',
  });
  const [bucket = '', ...folders] = url.pathname.split('/').filter(Boolean);
  const objectKey = (name: string) => [...folders, name].join('/');

  async function send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const request = await client.sign(`${url.origin}/${bucket}${path}`, { ...init, method });
    const response = await fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.ok || (method === 'DELETE' && response.status === 404)) return response;
    const message = (await response.text()).slice(0, 500);
    throw new Error(`${url.host} responded to ${method} with status ${response.status}: ${message}`);
  }

  return {
    async write(name, content) {
      const body = 'path' in content ? await openAsBlob(content.path) : content;
      const response = await send('PUT', `/${objectKey(name)}`, { body });
      await response.body?.cancel();
    },

    async read(name) {
      const { body } = await send('GET', `/${objectKey(name)}`);
      return body ? Readable.fromWeb(body as NodeReadableStream<Uint8Array>) : Readable.from([]);
    },

    async list(folder) {
      const names: string[] = [];
      for (let lastKey: string | null = null; ; ) {
        const query = new URLSearchParams({ 'list-type': '2', prefix: objectKey(folder) });
        if (lastKey !== null) query.set('start-after', lastKey);
        const xml = await (await send('GET', `/?${query}`)).text();
        const keys = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
        names.push(...keys.map((key) => key.slice(objectKey('').length)));
        lastKey = keys.at(-1) ?? null;
        if (lastKey === null || !/<IsTruncated>true</.test(xml)) return names.sort();
      }
    },

    async remove(names) {
      for (const name of names) await (await send('DELETE', `/${objectKey(name)}`)).body?.cancel();
    },
  };
}
