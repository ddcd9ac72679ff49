/**
 * The archive of a site: a ZIP file with
 * - `schema.sql`: the migrations of the database, in the order in which they ran;
 * - `data.sql`: its rows as COPY blocks, which psql loads after schema.sql;
 * - `files/<version>`: the bytes of each stored file;
 * - `manifest.json`: source, counts and hashes of the other entries.
 * It is written and read as a stream, so tables and files may be larger than memory.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { z } from 'zod';
import { messageOf } from '../database/errors.ts';
import { OperatorError } from '../database/operator-error.ts';
import { isByteKey } from '../storage/bytes/byte-store.ts';
import { damagedArchive } from './damaged-archive.ts';
import { openStrictZip, type StrictZip } from './strict-zip.ts';

/** Incremented with every change of the archive format. */
const FORMAT = 1;

/**
 * Maximum size of the manifest, which is the only entry that is read into memory. It has about 300 bytes per file, so
 * this is enough for 400,000 files.
 */
const MAX_MANIFEST_BYTES = 128_000_000;

const count = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const hashed = { size: count, sha256 };

const storedFile = {
  /** Key of the bytes in our own stores. It is validated, because it is part of a path. */
  version: z.string().refine(isByteKey),
  bucket: z.string(),
  name: z.string(),
  mimetype: z.string(),
  cacheControl: z.string(),
};

export type StoredFile = z.output<z.ZodObject<typeof storedFile>>;

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** Version of the program that wrote the archive, from package.json. */
  version: z.string(),
  madeAt: z.string(),
  isProject: z.boolean(),
  /** Version of Postgres, such as 18. */
  postgres: z.number(),
  /** Names of bootstrap files and versions of migrations, with the file's hash if it is known. */
  applied: z.array(z.object({ name: z.string(), sha256: sha256.nullable() })),
  tables: z.array(
    z.object({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      rows: count,
      sha256,
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
  policies: z.array(z.tuple([z.string(), z.string()])),
  sql: z.object({ 'schema.sql': z.object(hashed), 'data.sql': z.object(hashed) }),
  files: z.array(z.object({ ...storedFile, ...hashed })),
});

export type Manifest = z.output<typeof manifestSchema>;

interface Hashed {
  size: number;
  sha256: string;
}

/** Writes `path.part`, and renames it to `path` when the archive is complete. */
export class ArchiveWriter {
  readonly #path: string;
  readonly #zip = new ZipFile();
  readonly #written: Promise<void>;

  private constructor(path: string, output: NodeJS.WritableStream) {
    this.#path = path;
    this.#written = pipeline(this.#zip.outputStream, output);
    // The error is reported by the methods that await this promise. Without a handler, it would end the process.
    this.#written.catch(() => undefined);
  }

  /** @throws OperatorError if the file already exists, or cannot be created */
  static async create(path: string): Promise<ArchiveWriter> {
    const exists = await open(path).then(
      (file) => file.close().then(() => true),
      () => false,
    );
    if (exists) throw new OperatorError(`${path} already exists. Choose another file name or delete it.`);
    try {
      // Only the owner can read the file, because the archive contains password hashes and keys.
      const file = await open(`${path}.part`, 'w', 0o600);
      return new ArchiveWriter(path, createWriteStream('', { fd: file, flush: true }));
    } catch (error) {
      throw new OperatorError(`${path} cannot be written: ${messageOf(error)}.`);
    }
  }

  /** Adds an entry with the bytes of the source. */
  async add(name: string, source: AsyncIterable<Buffer>, compress: boolean): Promise<Hashed> {
    const sha256 = createHash('sha256');
    let size = 0;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    async function* hashChunks() {
      for await (const chunk of source) {
        sha256.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    }
    const stream = Readable.from(hashChunks(), { objectMode: false });
    stream.once('end', resolve).once('error', reject);
    this.#zip.once('error', reject);
    this.#zip.addReadStream(stream, name, { compress, mode: 0o100600 });
    await Promise.race([promise, this.#written.then(() => promise)]);
    this.#zip.off('error', reject);
    return { size, sha256: sha256.digest('hex') };
  }

  async finish(manifest: Omit<Manifest, 'format'>): Promise<void> {
    const body = Buffer.from(JSON.stringify({ format: FORMAT, ...manifest }, null, 1));
    await this.add('manifest.json', Readable.from([body]), true);
    this.#zip.end();
    await this.#written;
    await rename(`${this.#path}.part`, this.#path);
  }

  async discard(): Promise<void> {
    await rm(`${this.#path}.part`, { force: true });
  }
}

export interface Archive {
  manifest: Manifest;
  read(entry: string): Promise<Readable>;
  close(): void;
}

/**
 * Opens an archive, and verifies all of its entries so that a damaged archive is rejected before anything is changed.
 * @throws OperatorError
 */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await openStrictZip(path, isEntryName);
  const read = async (name: string): Promise<Readable> => {
    const entry = zip.entries.get(name);
    if (!entry) throw damagedArchive(path, `${name} is missing`);
    return zip.read(entry);
  };
  try {
    const manifest = await readManifest(path, zip, read);
    const hashes = new Map<string, Hashed>([
      ...Object.entries(manifest.sql),
      ...manifest.files.map((file): [string, Hashed] => [`files/${file.version}`, file]),
    ]);
    if (hashes.size !== zip.entries.size - 1) {
      throw damagedArchive(path, 'its manifest does not match its files');
    }
    for (const [name, expected] of hashes) await requireHash(path, name, await read(name), expected);
    return { manifest, read, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

function isEntryName(name: string): boolean {
  return (
    ['manifest.json', 'schema.sql', 'data.sql'].includes(name) ||
    (name.startsWith('files/') && isByteKey(name.slice(6)))
  );
}

/** @throws OperatorError */
async function requireHash(path: string, name: string, bytes: Readable, expected: Hashed): Promise<void> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.length;
    }
    if (size !== expected.size || hash.digest('hex') !== expected.sha256) throw new Error('the hash differs');
  } catch (error) {
    throw damagedArchive(path, `${name} does not match its hash`, error);
  }
}

async function readManifest(path: string, { entries }: StrictZip, read: Archive['read']): Promise<Manifest> {
  let content: unknown;
  try {
    if ((entries.get('manifest.json')?.uncompressedSize ?? 0) > MAX_MANIFEST_BYTES) throw new Error('too large');
    content = JSON.parse((await buffer(await read('manifest.json'))).toString());
  } catch (error) {
    throw damagedArchive(path, 'its manifest is unreadable', error);
  }
  const head = z.object({ format: z.number(), version: z.string() }).safeParse(content);
  if (head.success && head.data.format > FORMAT) throw newerArchive(path, head.data.version);
  const manifest = manifestSchema.safeParse(content);
  if (!manifest.success) throw damagedArchive(path, 'its manifest has the wrong format');
  return manifest.data;
}

export function newerArchive(path: string, version: string): OperatorError {
  return new OperatorError(`${path} was made by a newer version (${version}). Update first. Nothing was changed.`);
}
