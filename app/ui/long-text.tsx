import { drawnPiece } from './drawn-piece.tsx';

/** A picture, which may fail, or an address at the beginning of a line, which may be a video. */
const DOES_SOMETHING = /!\[|^[^\p{L}\n]*(?:http|\/)/imu;

/**
 * Markdown that stands on a page from its beginning: an article, a case, a legal page. Its code, 20 kB, is loaded only
 * for texts that do something, and for those that the browser draws by itself.
 */
export const LongText = drawnPiece(async () => ({ default: (await import('./markdown.tsx')).Markdown }), {
  Loading: () => <p className="text-muted">Loading...</p>,
  isStill: ({ text }) => !DOES_SOMETHING.test(text),
});
