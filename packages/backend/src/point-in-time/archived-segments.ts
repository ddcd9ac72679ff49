/** WAL segments that Postgres has archived below its data folder, but that are not uploaded yet. */
import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { archiveFolder } from '../postgres/archive.ts';
import { parseSegmentName, type StoredSegment } from './chains.ts';
import { SEGMENT_NAME } from './segments.ts';

/** Fast compression, because it runs alongside the server. */
const COMPRESSION = { level: 1 };

/**
 * File with the id of the chain that the segments belong to. A restored database has no such file, so it starts a new
 * chain.
 */
const CHAIN_FILE = 'chain';

const POLL_INTERVAL_MS = 20;

export class ArchivedSegments {
  readonly #folder: string;
  readonly #statusFolder: string;

  /** @param folder data folder of the built-in server */
  constructor(folder: string) {
    this.#folder = archiveFolder(folder);
    this.#statusFolder = join(folder, 'pg_wal/archive_status');
  }

  /** Returns the id of the chain that the segments belong to, or null. */
  readChain(): Promise<string | null> {
    return readFile(join(this.#folder, CHAIN_FILE), 'utf8').catch(() => null);
  }

  async writeChain(id: string): Promise<void> {
    const path = join(this.#folder, CHAIN_FILE);
    await writeFile(`${path}.part`, id, { mode: 0o600, flush: true });
    await rename(`${path}.part`, path);
  }

  /** Compresses new segments, and returns all archived segments in order. Their names are paths. */
  async list(): Promise<StoredSegment[]> {
    for (const name of await readdir(this.#folder)) {
      if (SEGMENT_NAME.test(name)) await this.#compress(name);
      // A restore does not need timeline and backup history files.
      else if (/\.(history|backup|partial)$/.test(name)) await rm(join(this.#folder, name));
    }
    const segments = (await readdir(this.#folder)).map((name) => parseSegmentName(join(this.#folder, name)));
    return segments.filter((segment) => segment !== null).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Compresses a segment, because a segment archived before it is full is mostly zeros. */
  async #compress(name: string): Promise<void> {
    const path = join(this.#folder, name);
    const { mtimeMs } = await stat(path);
    const compressed = join(this.#folder, `${name}-${Math.ceil(mtimeMs)}.gz`);
    const file = await open(`${compressed}.part`, 'w', 0o600);
    try {
      await file.writeFile(await promisify(gzip)(await readFile(path), COMPRESSION));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${compressed}.part`, compressed);
    await rm(path);
  }

  /** Returns the total size in bytes. */
  async size(): Promise<number> {
    let bytes = 0;
    for (const name of await readdir(this.#folder)) {
      // A file may be missing, because Postgres renames the file that it is copying.
      bytes += await stat(join(this.#folder, name)).then(
        ({ size }) => size,
        () => 0,
      );
    }
    return bytes;
  }

  /** Deletes all archived segments. */
  async clear(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (SEGMENT_NAME.test(name) || parseSegmentName(name)) await rm(join(this.#folder, name));
    }
  }

  /** Waits until Postgres has archived all finished segments. */
  async waitUntilArchived(): Promise<void> {
    while ((await readdir(this.#statusFolder)).some((name) => name.endsWith('.ready'))) await wait(POLL_INTERVAL_MS);
  }
}
