/** Pictures and other files of the site, in the storage bucket that visitors may read. */
import { sessionApi } from './api.ts';

const MEDIA_BUCKET = 'content-media';

/**
 * Uploads a file under a random name with its own extension.
 * @returns its public address, without the origin when the site serves it itself, so that content survives a move
 * @throws StorageError
 */
export async function uploadMedia(file: File, folder = ''): Promise<string> {
  const bucket = (await sessionApi()).storage.from(MEDIA_BUCKET);
  const { data, error } = await bucket.upload(folder + randomName(file.name), file, { contentType: file.type });
  if (error) throw error;
  const { publicUrl } = bucket.getPublicUrl(data.path).data;
  return publicUrl.startsWith(`${window.location.origin}/`)
    ? publicUrl.slice(window.location.origin.length)
    : publicUrl;
}

/** randomUUID() is missing where a site is served without TLS, getRandomValues() is not. */
function randomName(originalName: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const name = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const extension = /\.([a-z0-9]{1,10})$/i.exec(originalName)?.[1];
  return extension ? `${name}.${extension.toLowerCase()}` : name;
}
