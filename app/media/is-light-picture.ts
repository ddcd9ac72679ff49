/** Side length of the scaled-down copy in pixels. */
const SIDE = 48;

/** Lightness threshold, from 0 (black) to 1. A logo of white letters beside a coloured symbol exceeds it. */
const LIGHT_THRESHOLD = 0.72;

/**
 * True if a transparent picture is only visible on dark backgrounds. False for cross-origin pictures, whose pixels
 * cannot be read.
 */
export function isLightPicture(picture: HTMLImageElement): boolean {
  const canvas = Object.assign(document.createElement('canvas'), { width: SIDE, height: SIDE });
  const context = canvas.getContext('2d');
  if (!context) return false;
  context.drawImage(picture, 0, 0, SIDE, SIDE);
  let pixels: Uint8ClampedArray;
  try {
    pixels = context.getImageData(0, 0, SIDE, SIDE).data;
  } catch {
    return false;
  }
  let opaqueArea = 0;
  let lightArea = 0;
  for (let offset = 0; offset < pixels.length; offset += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(offset, offset + 4);
    opaqueArea += alpha / 255;
    lightArea += ((0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255) * (alpha / 255);
  }
  return opaqueArea > 0 && opaqueArea < 0.95 * SIDE * SIDE && lightArea / opaqueArea > LIGHT_THRESHOLD;
}
