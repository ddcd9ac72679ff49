/** A received upload: a temporary file on the local disk, already measured, hashed and synced. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../http/api-error.ts';

export interface StagedFile {
  path: string;
  /** Size in bytes. */
  size: number;
  /** Hexadecimal. */
  md5: string;
  sha256: string;
}

/**
 * Writes a stream to a new file in `folder`, with backpressure. A failure leaves no file.
 * @throws ApiError EntityTooLarge as soon as more than `limit` bytes have been received
 */
export async function stageFile(
  folder: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): Promise<StagedFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of source) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge(limit);
      md5.update(chunk);
      sha256.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
    await file.close();
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
  return { path, size, md5: md5.digest('hex'), sha256: sha256.digest('hex') };
}

export async function discardStagedFile(file: StagedFile): Promise<void> {
  await rm(file.path, { force: true });
}

/** @param limit bytes */
export function tooLarge(limit: number, message = 'The object exceeded the maximum allowed size'): ApiError {
  const [unit, bytes] = limit < 1e6 ? (['kB', 1e3] as const) : (['MB', 1e6] as const);
  const size = (limit / bytes).toLocaleString('en-US', { maximumFractionDigits: 1 });
  return new ApiError(413, 'EntityTooLarge', message, { details: `this file is larger than ${size} ${unit}.` });
}
