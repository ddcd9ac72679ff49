/** Reads the files of an import, which may be in a folder or in ZIP archives. */
import { formatBytes } from '../../ui/lib/format-bytes.ts';
import { UserError } from '../../ui/lib/user-error.ts';

export interface ImportFile {
  /** Path with forward slashes, relative to the chosen folder or the archive. */
  path: string;
  size: number;
  read: () => Promise<Blob>;
}

/** Maximum size of an export or a Markdown file, which is read into memory. */
export const MAX_TEXT_BYTES = 50_000_000;
const MAX_ENTRIES = 50_000;

/** Metadata files that operating systems add to archives and folders. */
const IGNORED = /(^|\/)(\.[^/]*|__MACOSX|node_modules|Thumbs\.db)(\/|$)/;

/**
 * Replaces ZIP archives with their files. Each file is unpacked when it is read.
 * @throws UserError if an archive is damaged or one of its paths points outside of it
 */
export async function unpackArchives(files: readonly ImportFile[]): Promise<ImportFile[]> {
  const unpacked: ImportFile[] = [];
  for (const file of files) {
    if (/\.zip$/i.test(file.path)) unpacked.push(...(await listEntries(file)));
    else unpacked.push(file);
  }
  return unpacked.filter(({ path }) => !IGNORED.test(path));
}

async function listEntries(archive: ImportFile): Promise<ImportFile[]> {
  const { BlobReader, configure, ERR_UNSAFE_FILENAME, ZipReader } = await import(
    '@zip.js/zip.js/lib/zip-core-native.js'
  );
  // The content security policy forbids workers from blob URLs.
  configure({ useWebWorkers: false });
  const files: ImportFile[] = [];
  try {
    for await (const entry of new ZipReader(new BlobReader(await archive.read())).getEntriesGenerator()) {
      if (entry.directory) continue;
      if (entry.encrypted) throw new UserError(`${archive.path} is password-protected. Create it without a password.`);
      if (files.length === MAX_ENTRIES)
        throw new UserError(`${archive.path} contains more than ${MAX_ENTRIES.toLocaleString('en')} files. Split it.`);
      const path = entry.filename.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
      files.push({
        path,
        size: entry.uncompressedSize,
        read: () => inflate((target) => entry.getData(target, { checkSignature: true }), path, entry.uncompressedSize),
      });
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (error instanceof Error && error.message === ERR_UNSAFE_FILENAME && 'filename' in error) {
      throw new UserError(
        `${archive.path} contains the path "${error.filename}", which points outside of the archive.`,
      );
    }
    throw new UserError(`${archive.path} is incomplete or not a ZIP archive.`, { cause: error });
  }
  return files;
}

/** Inflates an entry. Counts the bytes, because the size that the header declares may be too small. */
async function inflate(
  write: (target: WritableStream<Uint8Array<ArrayBuffer>>) => Promise<unknown>,
  path: string,
  size: number,
): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const target = new WritableStream<Uint8Array<ArrayBuffer>>({
    write(chunk) {
      bytes += chunk.length;
      if (bytes > size) throw new Error('The entry is larger than declared');
      chunks.push(chunk);
    },
  });
  try {
    await write(target);
  } catch (error) {
    throw new UserError(`"${path}" in the archive is damaged.`, { cause: error });
  }
  return new Blob(chunks);
}

/** @throws UserError if the file is too large or not UTF-8 */
export async function readText({ path, size, read }: ImportFile): Promise<string> {
  if (size > MAX_TEXT_BYTES) {
    throw new UserError(
      `${path} is ${formatBytes(size)}. At most ${formatBytes(MAX_TEXT_BYTES)} can be imported at once. Export the posts in several parts, for example one per year.`,
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await (await read()).arrayBuffer());
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${path} is not UTF-8 text.`, { cause: error });
  }
}
