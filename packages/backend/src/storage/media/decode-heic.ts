/** HEIC is the format of iPhone photos. Only Safari displays it, and sharp cannot decode it for patent reasons. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { ApiError } from '../../http/api-error.ts';
import { invalidRequest } from '../storage-error.ts';
import type { DecodedHeic, HeicJob } from './heic-worker.ts';

const MAX_MS = 60_000;

export function isHeic(type: string): boolean {
  return /^image\/hei[cf](?:-sequence)?$/.test(type);
}

/** @throws ApiError InvalidRequest if the picture cannot be decoded */
export async function decodeHeic(
  path: string,
  maxPixels: number,
): Promise<DecodedHeic & { profile: Buffer | undefined }> {
  const file = await readFile(path);
  const workerData: HeicJob = { file, maxPixels };
  const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), { workerData, stdout: true, stderr: true });
  try {
    const [decoded]: DecodedHeic[] = await once(worker, 'message', { signal: AbortSignal.timeout(MAX_MS) });
    if (!decoded) throw new Error('The worker did not respond');
    return { ...decoded, profile: findProfile(file) };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw invalidRequest(
      'This HEIC picture cannot be read. Please save it as JPEG (on a Mac: Preview, File, Export) and upload that.',
      error,
    );
  } finally {
    await worker.terminate();
  }
}

/** Returns the ICC profile in the first `colr` box, which belongs to the main picture. */
function findProfile(file: Buffer): Buffer | undefined {
  const offset = file.indexOf('colrprof', 0, 'latin1');
  if (offset < 4) return undefined;
  const profile = file.subarray(offset + 8, offset - 4 + file.readUInt32BE(offset - 4));
  // Each profile starts with its length and has this signature.
  const isComplete = profile.length >= 128 && profile.readUInt32BE(0) === profile.length;
  return isComplete && profile.toString('latin1', 36, 40) === 'acsp' ? profile : undefined;
}
