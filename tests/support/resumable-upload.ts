import sharp from 'sharp';
import { Upload, type UploadOptions } from 'tus-js-client';

/** Creates an incompressible PNG of slightly more than 3 bytes per pixel. */
export async function createNoisyImage(width: number, height: number): Promise<Buffer> {
  const noise = Buffer.allocUnsafe(width * height * 3);
  for (let index = 0; index < noise.length; index += 4) {
    noise.writeUInt32LE(Math.trunc(Math.random() * 2 ** 32), Math.min(index, noise.length - 4));
  }
  return sharp(noise, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

export interface ResumableUpload {
  /** Origin of the server. */
  site: string;
  token: string;
  name: string;
  bucket?: string;
  contentType?: string;
}

/** Returns the options that Supabase's guide recommends for the TUS client, but without retries. */
export function resumableOptions({
  site,
  token,
  name,
  bucket = 'content-media',
  contentType = 'image/png',
}: ResumableUpload): UploadOptions {
  return {
    endpoint: `${site}/storage/v1/upload/resumable`,
    headers: { authorization: `Bearer ${token}` },
    metadata: { bucketName: bucket, objectName: name, contentType, cacheControl: '3600' },
    chunkSize: 6 * 1024 * 1024,
    uploadDataDuringCreation: true,
    removeFingerprintOnSuccess: true,
    retryDelays: null,
  };
}

/** Resolves with the URL of the upload when it is complete. @throws DetailedError */
export function uploadResumably(bytes: Buffer, options: UploadOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes, {
      ...options,
      onSuccess: () => resolve(upload.url ?? ''),
      onError: reject,
    });
    upload.start();
  });
}

/** Starts an upload with the official client and sends the first chunks. @returns its URL */
export function beginUpload(bytes: Buffer, options: UploadOptions, chunks: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let sentChunks = 0;
    const upload = new Upload(bytes, {
      ...options,
      onChunkComplete: () => {
        sentChunks += 1;
        if (sentChunks < chunks) return;
        void upload.abort();
        resolve(upload.url ?? '');
      },
      onError: reject,
    });
    upload.start();
  });
}
