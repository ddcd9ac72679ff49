/** Decodes a HEIC picture with libheif (WebAssembly). Runs in a worker thread, because decoding takes seconds. */
import { parentPort, workerData } from 'node:worker_threads';
import libheif from 'libheif-js/wasm-bundle.js';

export interface HeicJob {
  file: Uint8Array;
  maxPixels: number;
}

export interface DecodedHeic {
  width: number;
  height: number;
  /** Four bytes per pixel, upright. Undefined if there are too many pixels. */
  rgba?: Uint8Array<ArrayBuffer>;
}

const { file, maxPixels }: HeicJob = workerData;
const images = new libheif.HeifDecoder().decode(file);
const image = images.find((candidate) => candidate.is_primary()) ?? images[0];
if (!image) throw new Error('The file contains no picture that libheif can decode');
const width = image.get_width();
const height = image.get_height();
if (width * height > maxPixels) {
  parentPort?.postMessage({ width, height } satisfies DecodedHeic);
} else {
  const rgba = new Uint8ClampedArray(width * height * 4);
  image.display({ data: rgba, width, height }, (result) => {
    if (!result) throw new Error('libheif cannot draw the picture');
    const message: DecodedHeic = { width, height, rgba: new Uint8Array(rgba.buffer) };
    parentPort?.postMessage(message, [rgba.buffer]);
  });
}
