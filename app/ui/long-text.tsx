import { lazy } from './lazy.tsx';

/** Matches a picture, or a URL at the start of a line. The picture may fail to load, and the URL may be a video. */
const NEEDS_CODE = /!\[|^[^\p{L}\n]*(?:http|\/)/imu;

/** Markdown of an article, project or legal page. Its code (20 kB) is loaded only for texts that need it. */
export const LongText = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }), {
  Loading: () => <p className="text-muted">Loading...</p>,
  ssr: true,
  isStatic: ({ text }) => !NEEDS_CODE.test(text),
});
