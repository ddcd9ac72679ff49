/** `node scripts/draw-icons.ts` draws the icons in public/ from the brand. Run it after a change of app/lib/brand.ts. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { DARK, LIGHT, MARK } from '../app/lib/brand.ts';

/** Heavier than the mark in the page, because most icons are small; `corners` is the radius of the tile. */
export function iconSvg(corners: number): string {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Signalfjord</title>' +
    `<rect width="32" height="32" rx="${corners}" fill="${LIGHT.accent}"/>` +
    '<g transform="translate(16 16) scale(.8) translate(-16 -16.6)" fill="none">' +
    `<path d="${MARK.wave}" stroke="${LIGHT.onAccent}" stroke-width="3.9" stroke-linecap="round"/>` +
    `<circle cx="${MARK.sun.cx}" cy="10.8" r="4" fill="${DARK.signal}"/></g></svg>\n`
  );
}

function drawPng(corners: number, size: number): Promise<Buffer> {
  return sharp(Buffer.from(iconSvg(corners)), { density: (72 * size) / 32 })
    .resize(size)
    .png({ palette: corners === 0 })
    .toBuffer();
}

/** An ICO file of one PNG of 32 pixels. */
function toIco(png: Buffer): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // an icon
  header.writeUInt16LE(1, 4); // one picture
  header.writeUInt8(32, 6);
  header.writeUInt8(32, 7);
  header.writeUInt16LE(1, 10); // colour planes
  header.writeUInt16LE(32, 12); // bits a pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '../public');
  await writeFile(join(folder, 'favicon.svg'), iconSvg(8));
  await writeFile(join(folder, 'favicon.ico'), toIco(await drawPng(8, 32)));
  await writeFile(join(folder, 'apple-touch-icon.png'), await drawPng(0, 180));
  await writeFile(join(folder, 'icon-192.png'), await drawPng(0, 192));
  await writeFile(join(folder, 'icon-512.png'), await drawPng(0, 512));
}
