/** Cache of renditions as files in a folder, limited in size. The least recently used files are evicted. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface RenditionCache {
  /** Returns the cached bytes of a key. */
  find(key: string): Promise<Buffer | undefined>;
  /** Returns the cached bytes. If they are missing, calls `render` once for all concurrent requests. */
  get(key: string, render: () => Promise<Buffer>): Promise<Buffer>;
}

/** @param maxBytes total size of the files */
export function openRenditionCache(folder: string, maxBytes: number): RenditionCache {
  /** File sizes by key, least recently used first. */
  let sizes: Promise<Map<string, number>> | undefined;
  let total = 0;
  const rendering = new Map<string, Promise<Buffer>>();

  async function load(): Promise<Map<string, number>> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = await readdir(folder);
    const files = await Promise.all(names.map(async (name) => ({ name, ...(await stat(join(folder, name))) })));
    files.sort((a, b) => a.mtimeMs - b.mtimeMs);
    total = files.reduce((sum, { size }) => sum + size, 0);
    return new Map(files.map(({ name, size }) => [name, size]));
  }

  function readFileSizes(): Promise<Map<string, number>> {
    sizes ??= load();
    return sizes;
  }

  async function store(entries: Map<string, number>, key: string, bytes: Buffer): Promise<void> {
    const temporary = join(folder, `${key}.${randomUUID()}`);
    await writeFile(temporary, bytes, { mode: 0o600 });
    await rename(temporary, join(folder, key));
    entries.set(key, bytes.byteLength);
    total += bytes.byteLength;
    for (const [oldest, size] of entries) {
      if (total <= maxBytes) break;
      entries.delete(oldest);
      total -= size;
      await rm(join(folder, oldest), { force: true });
    }
  }

  async function renderAndStore(key: string, render: () => Promise<Buffer>): Promise<Buffer> {
    const bytes = await render();
    // A rendition that cannot be stored, for example because the disk is full, is still returned.
    await store(await readFileSizes(), key, bytes).catch(() => undefined);
    return bytes;
  }

  function renderOnce(key: string, render: () => Promise<Buffer>): Promise<Buffer> {
    const pending = rendering.get(key) ?? renderAndStore(key, render).finally(() => rendering.delete(key));
    rendering.set(key, pending);
    return pending;
  }

  async function find(key: string): Promise<Buffer | undefined> {
    const entries = await readFileSizes();
    const size = entries.get(key);
    if (size === undefined) return undefined;
    entries.delete(key);
    entries.set(key, size);
    const bytes = await readFile(join(folder, key)).catch(() => undefined);
    if (!bytes && entries.delete(key)) total -= size;
    return bytes;
  }

  return {
    find,
    async get(key, render) {
      const cached = await find(key);
      if (cached) return cached;
      const pending = rendering.get(key);
      // A render started by another request may fail because of that request, for example its rate limit.
      return pending ? pending.catch(() => renderOnce(key, render)) : renderOnce(key, render);
    },
  };
}
