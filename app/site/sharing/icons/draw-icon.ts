/** Draws the site's icons. Server only. Imported on demand to keep the libraries out of the browser. */
import satori from 'satori';
import sharp from 'sharp';
import { acceptedAccent } from '../../../settings/brand/accent.ts';
import { DARK, LIGHT, MARK } from '../../../settings/brand/brand.ts';
import type { BrandLogo } from '../../../settings/brand/brand-logo.ts';
import { FONTS } from '../fonts.ts';
import { drawLogo } from '../logo-picture.ts';

export interface IconBrand {
  siteName: string;
  /** Accent colour as saved in the settings. */
  accent: string;
  logo: BrandLogo | null;
}

interface IconShape {
  /** Corner radius, for a tile of 32 x 32. */
  corners: number;
  /** Share of the tile that the symbol fills. Systems that mask icons show at least a circle of 80% of the tile. */
  share: number;
}

export const ROUNDED: IconShape = { corners: 8, share: 0.8 };
export const SQUARE: IconShape = { corners: 0, share: 0.8 };
export const MASKABLE: IconShape = { corners: 0, share: 0.62 };

/** Maximum aspect ratio of a logo. For a wider logo, the icon shows the first letter of the name. */
const MAX_ASPECT_RATIO = 2;

/** Draws the icon as a self-contained SVG. */
export async function drawIconSvg(brand: IconBrand, shape: IconShape): Promise<string> {
  const { siteName, logo } = brand;
  const accent = acceptedAccent(brand.accent);
  if (!logo) return tile(siteName, accent, shape, drawMark(shape));
  const { width, height } = logo.light;
  if (Math.max(width / height, height / width) <= MAX_ASPECT_RATIO) {
    const picture = await drawLogo(logo.light, { width: 384, height: 384 });
    if (picture) return tile(siteName, LIGHT.surface, shape, placeLogo(picture, shape));
  }
  return tile(siteName, accent, shape, await drawLetter(siteName, shape));
}

/** Draws the icon as a square PNG. */
export async function drawIconPng(brand: IconBrand, shape: IconShape, size: number): Promise<Buffer<ArrayBuffer>> {
  const svg = Buffer.from(await drawIconSvg(brand, shape));
  return sharp(svg, { density: (72 * size) / 32 })
    .resize(size)
    .png({ palette: !brand.logo && shape.corners === 0 })
    .toBuffer();
}

/** Draws an ICO file with one PNG of 32 px. */
export async function drawIco(brand: IconBrand): Promise<Buffer<ArrayBuffer>> {
  const png = await drawIconPng(brand, ROUNDED, 32);
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // type: icon
  header.writeUInt16LE(1, 4); // number of images
  header.writeUInt8(32, 6);
  header.writeUInt8(32, 7);
  header.writeUInt16LE(1, 10); // colour planes
  header.writeUInt16LE(32, 12); // bits per pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

function tile(title: string, background: string, { corners }: IconShape, symbol: string): string {
  const name = title.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>${name}</title>` +
    `<rect width="32" height="32" rx="${corners}" fill="${background}"/>${symbol}</svg>\n`
  );
}

/** Draws the mark with bolder strokes than on pages, because most icons are small. */
function drawMark({ share }: IconShape): string {
  return (
    `<g transform="translate(16 16) scale(${share}) translate(-16 -16.6)" fill="none">` +
    `<path d="${MARK.wave}" stroke="${LIGHT.onAccent}" stroke-width="3.9" stroke-linecap="round"/>` +
    `<circle cx="${MARK.sun.cx}" cy="10.8" r="4" fill="${DARK.signal}"/></g>`
  );
}

function placeLogo(
  { url, width, height }: { url: string; width: number; height: number },
  { share }: IconShape,
): string {
  const scale = (32 * share * 0.95) / Math.max(width, height);
  const [shownWidth, shownHeight] = [width * scale, height * scale];
  const [x, y] = [(32 - shownWidth) / 2, (32 - shownHeight) / 2];
  return `<image href="${url}" x="${x}" y="${y}" width="${shownWidth}" height="${shownHeight}"/>`;
}

/** Draws the letter as paths, because viewers may not have the font. */
async function drawLetter(siteName: string, { share }: IconShape): Promise<string> {
  const [letter = ''] = siteName.trim().toUpperCase();
  const style = {
    display: 'flex',
    width: 32,
    height: 32,
    alignItems: 'center',
    justifyContent: 'center',
    color: LIGHT.onAccent,
    fontFamily: 'Schibsted Grotesk',
    fontWeight: 600,
    fontSize: 28 * share,
  };
  const svg = await satori({ type: 'div', props: { style, children: letter } } as never, {
    width: 32,
    height: 32,
    fonts: [...FONTS],
  });
  return svg.replace(/^<svg[^>]*>|<\/svg>$/g, '');
}
