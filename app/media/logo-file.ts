const MAX_BYTES = 2 * 1024 * 1024;

/** Accepted types: PNG, SVG, JPEG and WEBP. */
export const LOGO_TYPES = ['image/png', 'image/svg+xml', 'image/jpeg', 'image/webp'];

/** Returns the error for a file that cannot be used as a logo, or null. */
export function logoError({ size, type }: File): { title: string; message: string } | null {
  if (size > MAX_BYTES) return { title: 'File too large', message: 'Maximum file size is 2MB' };
  if (LOGO_TYPES.includes(type)) return null;
  return { title: 'Invalid file type', message: 'Only PNG, SVG, JPG, and WEBP files are allowed' };
}
