/** File stores of a deployment, for export and import. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { z } from 'zod';
import { OperatorError } from '../database/operator-error.ts';
import { type ByteStore, hasBytes } from '../storage/bytes/byte-store.ts';
import { discardStagedFile, stageFile } from '../storage/bytes/staged-file.ts';
import type { StoredFile } from './archive.ts';

export interface FileStore {
  /**
   * True if files are accessed by bucket and name through the API of a Supabase project, which writes their rows
   * itself.
   */
  isProject: boolean;
  read(file: StoredFile): Promise<Readable>;
  /** Returns whether the bytes already exist, as when both deployments share a store. */
  has(file: StoredFile): Promise<boolean>;
  /** Creates missing buckets. The limits of the buckets are imported with their rows. */
  makeBuckets(ids: readonly string[]): Promise<void>;
  /** @throws OperatorError if the stored bytes differ from the expected ones */
  write(file: StoredFile & { sha256: string }, bytes: Readable): Promise<void>;
  remove(files: readonly StoredFile[]): Promise<void>;
}

/** Reads and writes files of the built-in storage: local files, or a bucket of an S3-compatible store. */
export function ownFiles(bytes: ByteStore, dataFolder: string): FileStore {
  return {
    isProject: false,
    read: ({ version }) => bytes.read(version),
    has: ({ version }) => hasBytes(bytes, version),
    // Buckets of the built-in storage are only rows.
    makeBuckets: async () => undefined,
    async write({ version, bucket, name, sha256 }, source) {
      const staged = await stageFile(join(dataFolder, 'incoming'), source, Number.POSITIVE_INFINITY);
      try {
        if (staged.sha256 !== sha256) throw differentFile({ bucket, name });
        await bytes.put(version, staged);
      } finally {
        await discardStagedFile(staged);
      }
    },
    remove: (files) => bytes.remove(files.map(({ version }) => version)),
  };
}

/** Reads and writes files of a Supabase project, through its storage API with its secret key. */
export function projectFiles(projectUrl: string, secretKey: string): FileStore {
  const request = async (method: string, path: string, init: RequestInit & { duplex?: 'half' } = {}) => {
    // New secret keys are not tokens. The project's gateway creates a token from `apikey`.
    const token: Record<string, string> = secretKey.startsWith('sb_') ? {} : { authorization: `Bearer ${secretKey}` };
    const headers = { apikey: secretKey, ...token, ...init.headers };
    const response = await fetch(`${projectUrl}/storage/v1/${path}`, { ...init, method, headers }).catch((cause) => {
      throw new OperatorError(`The storage of ${projectUrl} cannot be reached.`, { cause });
    });
    if (response.ok) return response;
    const message = (await response.text()).slice(0, 300);
    throw new OperatorError(
      `The storage of ${projectUrl} responded to ${method} ${path} with status ${response.status}: ${message}`,
    );
  };
  const objectPath = ({ bucket, name }: StoredFile) =>
    `object/${[bucket, ...name.split('/')].map(encodeURIComponent).join('/')}`;
  return {
    isProject: true,
    async read(file) {
      const { body } = await request('GET', objectPath(file));
      return body ? Readable.fromWeb(body as NodeReadableStream<Uint8Array>) : Readable.from([]);
    },
    // This is called only for a project without files.
    has: async () => false,
    async makeBuckets(ids) {
      const buckets = z.array(z.object({ id: z.string() })).parse(await (await request('GET', 'bucket')).json());
      for (const id of ids.filter((id) => !buckets.some((bucket) => bucket.id === id))) {
        const body = JSON.stringify({ id, name: id, public: false });
        await request('POST', 'bucket', { headers: { 'content-type': 'application/json' }, body });
      }
    },
    async write(file, bytes) {
      const headers = { 'content-type': file.mimetype, 'cache-control': file.cacheControl, 'x-upsert': 'true' };
      const body = Readable.toWeb(bytes) as unknown as ReadableStream;
      await (await request('POST', objectPath(file), { headers, body, duplex: 'half' })).body?.cancel();
      const storedHash = createHash('sha256');
      for await (const chunk of await this.read(file)) storedHash.update(chunk);
      if (storedHash.digest('hex') !== file.sha256) throw differentFile(file);
    },
    async remove(files) {
      // Ignore errors, because some of the files may not have been stored.
      for (const file of files)
        await request('DELETE', objectPath(file)).then(
          ({ body }) => body?.cancel(),
          () => undefined,
        );
    },
  };
}

function differentFile({ bucket, name }: Pick<StoredFile, 'bucket' | 'name'>): OperatorError {
  return new OperatorError(`The file ${bucket}/${name} differs after the upload. Nothing was changed.`);
}
