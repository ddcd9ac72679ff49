/** Text font of server-drawn images. Server only, and imported on demand. */
import regular from '@fontsource/schibsted-grotesk/files/schibsted-grotesk-latin-400-normal.woff?inline';
import semiBold from '@fontsource/schibsted-grotesk/files/schibsted-grotesk-latin-600-normal.woff?inline';

export const FONTS = [
  { name: 'Schibsted Grotesk', data: fontData(regular), weight: 400, style: 'normal' },
  { name: 'Schibsted Grotesk', data: fontData(semiBold), weight: 600, style: 'normal' },
] as const;

function fontData(url: string): ArrayBuffer {
  return Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0)).buffer;
}
