/** Names and hashes of files in the media library. Runs in Node and in browsers. */

export const MEDIA_BUCKET = 'content-media';

/** Cache lifetime of one year. Names are never reused, see randomName(). */
export const CACHE_SECONDS = '31536000';

/**
 * Maximum size of files that are hashed. Larger files are rejected by the server, and hashing reads the whole file into
 * memory.
 */
const MAX_HASHED_BYTES = 60_000_000;

/**
 * Returns the SHA-256 hash of a file in hex. Returns undefined for large files, and on pages without HTTPS, which lack
 * `crypto.subtle`.
 */
export async function hashFile(file: Blob): Promise<string | undefined> {
  if (!globalThis.crypto.subtle || file.size > MAX_HASHED_BYTES) return undefined;
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns a random name with the original extension. randomUUID() is unavailable without HTTPS. */
export function randomName(originalName: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const name = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const extension = /\.([a-z0-9]{1,10})$/i.exec(originalName)?.[1]?.toLowerCase();
  // The built-in storage converts HEIC to JPEG. The extension matters only to users, because browsers use the content
  // type.
  if (extension === 'heic' || extension === 'heif') return `${name}.jpg`;
  return extension ? `${name}.${extension}` : name;
}
