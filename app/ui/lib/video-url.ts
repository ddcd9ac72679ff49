/** Videos that can be embedded from YouTube, Vimeo and our media library. */

export type Video =
  | { host: 'YouTube' | 'Vimeo' /** Player URL with autoplay. */; player: string; page: string }
  | { host: null; file: string };

/** Origins of the players. */
export const PLAYER_ORIGINS = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com'];

const YOUTUBE = /^(?:www\.|m\.|music\.)?youtube(?:-nocookie)?\.com$/;
const VIMEO = /^(?:www\.|player\.)?vimeo\.com$/;
const LIBRARY_VIDEO = /\/storage\/v1\/object\/public\/[^/]+\/.+\.(?:mp4|webm)$/i;

/** Placeholder origin for relative URLs, which are on this site. */
const BASE = 'https://the-site.invalid';

/** Returns the video at a URL, or null. Hosts are compared exactly. */
export function parseVideoUrl(href: string): Video | null {
  if (!/^(?:https?:\/\/|\/(?!\/))/i.test(href) || !URL.canParse(href, BASE)) return null;
  const url = new URL(href, BASE);
  if (url.username || url.password) return null;
  if (LIBRARY_VIDEO.test(url.pathname)) return { host: null, file: url.origin === BASE ? url.pathname : url.href };
  if (url.port || url.origin === BASE) return null;
  return youtubeVideo(url) ?? vimeoVideo(url);
}

function youtubeVideo(url: URL): Video | null {
  const id =
    url.hostname === 'youtu.be'
      ? /^\/([\w-]+)\/?$/.exec(url.pathname)?.[1]
      : YOUTUBE.test(url.hostname)
        ? (/^\/(?:shorts|live|embed|v)\/([\w-]+)\/?$/.exec(url.pathname)?.[1] ??
          (url.pathname === '/watch' ? url.searchParams.get('v') : null))
        : null;
  if (!id || !/^[\w-]{11}$/.test(id)) return null;
  const start = parseSeconds(url.searchParams.get('t') ?? url.searchParams.get('start'));
  const query = start ? `&start=${start}` : '';
  return {
    host: 'YouTube',
    player: `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0${query}`,
    page: `https://www.youtube.com/watch?v=${id}${start ? `&t=${start}s` : ''}`,
  };
}

function vimeoVideo(url: URL): Video | null {
  if (!VIMEO.test(url.hostname)) return null;
  const [, id, pathSecret] =
    /^\/(?:video\/|channels\/[\w-]+\/|groups\/[\w-]+\/videos\/)?(\d{1,12})(?:\/([\da-f]{6,20}))?\/?$/.exec(
      url.pathname,
    ) ?? [];
  if (!id) return null;
  // Unlisted videos require the second part of their URL.
  const secretText = pathSecret ?? url.searchParams.get('h') ?? '';
  const secret = /^[\da-f]{6,20}$/.test(secretText) ? secretText : '';
  const start = parseSeconds(new URLSearchParams(url.hash.slice(1)).get('t') ?? url.searchParams.get('t'));
  const fragment = start ? `#t=${start}s` : '';
  return {
    host: 'Vimeo',
    player: `https://player.vimeo.com/video/${id}?${secret ? `h=${secret}&` : ''}autoplay=1&dnt=1${fragment}`,
    page: `https://vimeo.com/${id}${secret ? `/${secret}` : ''}${fragment}`,
  };
}

/** Parses '90', '90s' and '1h2m3s' to seconds. 0 if invalid. */
function parseSeconds(time: string | null): number {
  const [matchedTime, hours = 0, minutes = 0, seconds = 0] =
    /^(?:(\d{1,2})h)?(?:(\d{1,4})m)?(?:(\d{1,5})s?)?$/.exec(time ?? '') ?? [];
  return matchedTime === undefined ? 0 : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
