/** Small sample files of the types that editors upload, created in memory. */
import sharp from 'sharp';

/** Creates a single-colour JPEG, PNG or WebP. */
export function picture(width: number, height: number, format: 'jpeg' | 'png' | 'webp' = 'png'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
    .toFormat(format)
    .toBuffer();
}

/** The smallest file with a PDF header. */
export const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

export const html = Buffer.from('<!doctype html><html><body><script>alert(1)</script></body></html>');

export const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="#36c"/></svg>';

/** Creates an OLE compound file, the container format of .doc, .xls and .ppt, with a stream of the given name. */
export function createCompoundFile(streamName: string): Buffer {
  const file = Buffer.alloc(1536);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  Buffer.from(streamName, 'utf16le').copy(file, 1024);
  return file;
}
