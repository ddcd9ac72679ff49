/** Loads a pasted picture as a file. The browser downloads it, so the server never requests URLs of other sites. */

import { UserError } from '../../ui/lib/user-error.ts';

/**
 * Fetches a pasted picture. Pictures of other sites are drawn onto a canvas, so that connect-src can stay restricted.
 * The other site must allow this with CORS.
 * @throws UserError
 */
export async function fetchPicture(source: string, name: string): Promise<File> {
  const blob = source.startsWith('data:') ? decodeDataUrl(source) : await redraw(source);
  const extension = blob.type.split('/')[1]?.replace('jpeg', 'jpg').replace(/\+.*/, '') ?? 'png';
  return new File([blob], `${name || 'picture'}.${extension}`, { type: blob.type });
}

function decodeDataUrl(source: string): Blob {
  const [, type = '', base64 = ''] = /^data:(image\/[\w.+-]+);base64,(.+)$/s.exec(source) ?? [];
  try {
    if (type) return new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], { type });
  } catch {
    // The error is handled below.
  }
  throw new UserError('This picture is damaged. Save it as a file and drag it into the text.');
}

async function redraw(source: string): Promise<Blob> {
  const image = new Image();
  image.crossOrigin = 'anonymous';
  image.src = source;
  try {
    await image.decode();
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    // WebP keeps photographs small and drawings sharp. Browsers without WebP encoding fall back to PNG.
    const type = /\.jpe?g($|\?)/i.test(source) ? 'image/jpeg' : 'image/webp';
    return await canvas.convertToBlob({ type, quality: 0.92 });
  } catch {
    throw new UserError(
      `${new URL(source).hostname} does not allow other sites to copy its pictures. Save the picture and drag it into the text, or keep the link to it.`,
    );
  }
}
