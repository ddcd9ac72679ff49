/** A picture that is not ours, as a file. Its bytes come through this browser: the server asks no address of a stranger. */

import { Refusal } from '../../ui/lib/refusal.ts';

/**
 * Fetches the picture of a paste. One of another site is drawn onto a canvas, which the browser allows when that site
 * does (CORS); so the policy of the page need not let scripts speak with every host.
 * @throws Refusal
 */
export async function fetchPicture(source: string, name: string): Promise<File> {
  const blob = source.startsWith('data:') ? decodeDataAddress(source) : await redraw(source);
  const extension = blob.type.split('/')[1]?.replace('jpeg', 'jpg').replace(/\+.*/, '') ?? 'png';
  return new File([blob], `${name || 'picture'}.${extension}`, { type: blob.type });
}

function decodeDataAddress(source: string): Blob {
  const [, type = '', base64 = ''] = /^data:(image\/[\w.+-]+);base64,(.+)$/s.exec(source) ?? [];
  try {
    if (type) return new Blob([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))], { type });
  } catch {
    // The refusal follows.
  }
  throw new Refusal('This picture came damaged. Save it in the other program and drag it into the text.');
}

async function redraw(source: string): Promise<Blob> {
  const image = new Image();
  image.crossOrigin = 'anonymous';
  image.src = source;
  try {
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), {
      width: image.naturalWidth,
      height: image.naturalHeight,
    });
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    // Photographs stay small and drawings sharp; a browser that cannot write WebP writes PNG.
    const type = /\.jpe?g($|\?)/i.test(source) ? 'image/jpeg' : 'image/webp';
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.92));
    if (blob) return blob;
  } catch {
    // The refusal follows.
  }
  const { hostname } = new URL(source);
  throw new Refusal(
    `${hostname} does not hand its pictures to other sites. Save the picture and drag it into the text, or keep its address.`,
  );
}
