import { uploadMedia } from '../../../media/media.ts';
import type { LogoPicture } from '../brand-logo.ts';

/** Maximum width in pixels. Larger bitmaps are scaled down, because every page loads the logo. */
const MAX_WIDTH = 1200;
/** Maximum height in pixels. The logo stays sharp on high-density screens. */
const MAX_HEIGHT = 400;

/** Size of an SVG without dimensions, in pixels. */
const DEFAULT_SIDE = 100;

/** Uploads a logo and measures it. */
export const uploadBrandLogoMutation = {
  mutationKey: ['media', 'upload', 'brand/'],
  mutationFn: async (file: File): Promise<LogoPicture> => {
    const address = await uploadMedia(await scaleDown(file), 'brand/');
    return { address, ...(await measure(address)) };
  },
};

async function scaleDown(file: File): Promise<File> {
  if (file.type === 'image/svg+xml') return file;
  const bitmap = await createImageBitmap(file).catch(() => null);
  // The server may support formats that this browser does not.
  if (!bitmap) return file;
  const scale = Math.min(1, MAX_WIDTH / bitmap.width, MAX_HEIGHT / bitmap.height);
  if (scale === 1) return file;
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const context = canvas.getContext('2d');
  if (!context) return file;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob ? new File([blob], file.name.replace(/\.\w+$/, '.png'), { type: 'image/png' }) : file;
}

/** @throws Error if the browser cannot display the image */
async function measure(address: string): Promise<{ width: number; height: number }> {
  const image = new Image();
  image.src = address;
  await image.decode().catch(() => {
    throw new Error('The browser cannot show this picture.');
  });
  const { naturalWidth: width, naturalHeight: height } = image;
  return width && height ? { width, height } : { width: DEFAULT_SIDE, height: DEFAULT_SIDE };
}
