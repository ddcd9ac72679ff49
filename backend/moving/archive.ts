/**
 * The archive that moves a site: a ZIP file with
 * - `schema.sql`: the migrations that made the database, in the order in which they ran;
 * - `data.sql`: its rows as COPY blocks, which psql loads after schema.sql;
 * - `files/<version>`: the bytes of each stored file;
 * - `manifest.json`: what it is of, with counts and hashes of all of that.
 * It is written and read as a stream: neither a table nor a file must fit into memory.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, type ZipFile as OpenZip, openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { z } from 'zod';
import { MovingError } from './moving-error.ts';

/** Raised with every change of what is in an archive. */
const FORMAT = 1;

const hashed = { size: z.number(), sha256: z.string() };

const storedFile = {
  /** Names the bytes in our own stores. */
  version: z.string(),
  bucket: z.string(),
  name: z.string(),
  mimetype: z.string(),
  cacheControl: z.string(),
};

export type StoredFile = z.output<z.ZodObject<typeof storedFile>>;

const manifestSchema = z.object({
  format: z.number(),
  /** Of the program that wrote it, from package.json. */
  version: z.string(),
  madeAt: z.string(),
  isProject: z.boolean(),
  /** Of Postgres, such as 18. */
  postgres: z.number(),
  /** Names of bootstrap files and versions of migrations, with the hash of the file where it is known. */
  applied: z.array(z.object({ name: z.string(), sha256: z.string().nullable() })),
  tables: z.array(
    z.object({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number(),
      sha256: z.string(),
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

/** Writes `path` when all is well; until then, and after an error, there is only `path.part`, and then nothing. */
export class ArchiveWriter {
  readonly #path: string;
  readonly #zip = new ZipFile();
  readonly #written: Promise<void>;

  private constructor(path: string, output: NodeJS.WritableStream) {
    this.#path = path;
    this.#written = pipeline(this.#zip.outputStream, output);
    // Each step waits for it, and tells of it.
    this.#written.catch(() => undefined);
  }

  /** @throws MovingError when there is such a file already, or none can be made */
  static async create(path: string): Promise<ArchiveWriter> {
    const isThere = await open(path).then(
      (file) => file.close().then(() => true),
      () => false,
    );
    if (isThere) throw new MovingError(`${path} exists already: name another file, or remove it.`);
    try {
      // Hashes of passwords and keys are in it.
      const file = await open(`${path}.part`, 'w', 0o600);
      return new ArchiveWriter(path, createWriteStream('', { fd: file, flush: true }));
    } catch (error) {
      throw new MovingError(`${path} cannot be written: ${(error as Error).message}.`);
    }
  }

  /** Adds an entry of what the source yields, to its end. */
  async add(name: string, source: AsyncIterable<Buffer>, compress: boolean): Promise<Hashed> {
    const sha256 = createHash('sha256');
    let size = 0;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    async function* counted() {
      for await (const chunk of source) {
        sha256.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    }
    const stream = Readable.from(counted(), { objectMode: false });
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
 * Opens an archive and reads all of it once, so that what is damaged is refused before anything is changed.
 * @throws MovingError
 */
export async function openArchive(path: string): Promise<Archive> {
  const { zip, entries } = await openZip(path);
  const read = async (name: string): Promise<Readable> => {
    const entry = entries.get(name);
    if (!entry) throw damaged(path, `${name} is missing`);
    return zip.openReadStreamPromise(entry);
  };
  try {
    const manifest = await readManifest(path, entries.get('manifest.json'), read);
    const hashes: [string, Hashed][] = [
      ...Object.entries(manifest.sql),
      ...manifest.files.map((file): [string, Hashed] => [`files/${file.version}`, file]),
    ];
    for (const [name, { sha256 }] of hashes) {
      const found = createHash('sha256');
      try {
        for await (const chunk of await read(name)) found.update(chunk as Buffer);
      } catch (error) {
        throw error instanceof MovingError ? error : damaged(path, `${name} cannot be read`);
      }
      if (found.digest('hex') !== sha256) throw damaged(path, `${name} is not what was written`);
    }
    return { manifest, read, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function openZip(path: string): Promise<{ zip: OpenZip; entries: Map<string, Entry> }> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code) throw new MovingError(`${path} cannot be read: ${error.message}.`);
    throw damaged(path, 'it is cut off, or no archive at all');
  });
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  } catch {
    zip.close();
    throw damaged(path, 'its list of files cannot be read');
  }
  return { zip, entries };
}

async function readManifest(path: string, entry: Entry | undefined, read: Archive['read']): Promise<Manifest> {
  let content: unknown;
  try {
    const body = await buffer(await read('manifest.json'));
    // The hashes of everything else are in it; its own is that of the ZIP file.
    if (crc32(body) !== entry?.crc32) throw new Error('its checksum is another');
    content = JSON.parse(body.toString());
  } catch {
    throw damaged(path, 'its manifest cannot be read');
  }
  const head = z.object({ format: z.number(), version: z.string() }).safeParse(content);
  if (head.success && head.data.format > FORMAT) throw newerArchive(path, head.data.version);
  const manifest = manifestSchema.safeParse(content);
  if (!manifest.success) throw damaged(path, 'its manifest is not one of ours');
  return manifest.data;
}

function damaged(path: string, why: string): MovingError {
  return new MovingError(`${path} is damaged: ${why}. Nothing was changed.`);
}

export function newerArchive(path: string, version: string): MovingError {
  return new MovingError(
    `${path} was made by a newer version (${version}): update this program first. Nothing was changed.`,
  );
}
