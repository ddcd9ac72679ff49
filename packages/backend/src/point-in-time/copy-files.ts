/** Copies stored files to the backup store. Stored bytes never change, so each version is copied once. */
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { ApiError } from '../http/api-error.ts';
import type { ByteStore } from '../storage/bytes/byte-store.ts';
import { discardStagedFile, stageFile } from '../storage/bytes/staged-file.ts';
import type { BackupStore } from './backup-store.ts';
import { FILES } from './chains.ts';

/** Maximum duration of a transaction in milliseconds. Rows can become visible this long after their `updated_at`. */
const OVERLAP_MS = 60_000;

/** Lists the orphaned copies, which have no row, each with the time in milliseconds at which that was first noticed. */
const ORPHANS_FILE = 'unnamed/files.json';
const orphansSchema = z.record(z.string(), z.number());

export class FileCopies {
  readonly #bytes: ByteStore;
  readonly #store: BackupStore;
  readonly #staging: string;
  readonly #copied: Set<string>;
  #listedUntil = new Date(0);

  private constructor(bytes: ByteStore, store: BackupStore, staging: string, copied: Set<string>) {
    this.#bytes = bytes;
    this.#store = store;
    this.#staging = staging;
    this.#copied = copied;
  }

  /** @param staging folder for bytes in transit */
  static async open(bytes: ByteStore, store: BackupStore, staging: string): Promise<FileCopies> {
    return new FileCopies(bytes, store, staging, new Set(await listCopies(store)));
  }

  /** Copies new files. The first run copies all files, including those in the trash. */
  async copyNew(database: Database): Promise<void> {
    const startedAt = Date.now();
    const isFirst = this.#listedUntil.getTime() === 0;
    const { rows } = await database.query<{ version: string }>(
      `select version from storage.objects where updated_at >= $1 and version is not null
       ${isFirst ? 'union select version from backend.deleted_objects' : ''}`,
      [this.#listedUntil],
    );
    for (const { version } of rows) if (!this.#copied.has(version)) await this.#copy(version);
    this.#listedUntil = new Date(startedAt - OVERLAP_MS);
  }

  async #copy(version: string): Promise<void> {
    const source = await this.#bytes.read(version).catch((error: unknown) => {
      // The file was permanently deleted after it was listed.
      if (error instanceof ApiError && error.code === 'NoSuchKey') return null;
      throw error;
    });
    if (!source) return;
    const staged = await stageFile(this.#staging, source, Number.POSITIVE_INFINITY);
    await this.#store.write(FILES + version, staged).finally(() => discardStagedFile(staged));
    this.#copied.add(version);
  }

  /** Deletes copies that have been orphaned for `keepMs`. */
  async removeOrphans(database: Database, keepMs: number): Promise<void> {
    const { rows } = await database.query<{ version: string }>(
      'select version from storage.objects where version is not null union select version from backend.deleted_objects',
    );
    const usedVersions = new Set(rows.map(({ version }) => version));
    const previous = await this.#readOrphans();
    const orphans: Record<string, number> = {};
    for (const version of this.#copied) {
      if (usedVersions.has(version)) continue;
      const firstMissingAt = previous[version] ?? Date.now();
      if (Date.now() - firstMissingAt < keepMs) orphans[version] = firstMissingAt;
      else {
        await this.#store.remove([FILES + version]);
        this.#copied.delete(version);
      }
    }
    await this.#store.write(ORPHANS_FILE, Buffer.from(JSON.stringify(orphans)));
  }

  async #readOrphans(): Promise<Record<string, number>> {
    const [name] = await this.#store.list('unnamed/');
    return name ? orphansSchema.parse(JSON.parse(String(await buffer(await this.#store.read(ORPHANS_FILE))))) : {};
  }
}

/** Lists the versions that have copies. */
export async function listCopies(store: BackupStore): Promise<string[]> {
  return (await store.list(FILES)).map((name) => name.slice(FILES.length));
}
