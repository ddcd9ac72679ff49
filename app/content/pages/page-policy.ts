import { createIsomorphicFn } from '@tanstack/react-start';
import { CLOSED_POLICY, isPlainOrigin, type PagePolicy } from '../../api/host/page-policy.ts';
import { requireSiteHost } from '../../api/host/site-host.ts';
import { siteOrigin } from '../../api/host/site-origin.ts';
import { publicApi } from '../../api/visitor-api.ts';
import { everyToken, readMarkdown } from '../../ui/lib/markdown.ts';
import { PLAYER_ORIGINS } from '../../ui/lib/video-url.ts';

/**
 * Maximum number of picture hosts in the header, because proxies limit its length. If there are more, pictures are
 * allowed from any host.
 */
const MAX_PICTURE_HOSTS = 50;

/**
 * Returns the page policy for the current public content. The server sends it with the document, so the browser makes
 * no request.
 */
export const readPagePolicy = createIsomorphicFn()
  .server(async (): Promise<PagePolicy> => {
    const host = requireSiteHost();
    const ownOrigins = [
      siteOrigin(),
      ...(host.publicApiUrl ? [new URL(host.publicApiUrl, siteOrigin()).origin] : []),
    ].filter(isPlainOrigin);
    // The list contains only the hosts in published content, but a preview may show drafts with other hosts.
    if (host.preview) {
      const media = [...ownOrigins, 'https:'];
      return { pictures: [...CLOSED_POLICY.pictures, ...media], frames: ['https:'], media };
    }
    const content = await host.remember('page_policy', contentOrigins);
    const externalHosts = content.pictures.length > MAX_PICTURE_HOSTS ? ['https:'] : content.pictures;
    return {
      pictures: [...CLOSED_POLICY.pictures, ...new Set([...ownOrigins, ...externalHosts])],
      // The gate page becomes any page of the site when the gate opens, without loading another document.
      frames: host.gate ? [...new Set([...content.frames, ...PLAYER_ORIGINS])] : content.frames,
      media: ownOrigins,
    };
  })
  .client(async (): Promise<PagePolicy> => CLOSED_POLICY);

/**
 * Returns the video hosts that a page with these texts may embed. A document keeps its CSP header during client-side
 * navigation, so a page that needs other hosts is reloaded (see app/ui/video.tsx).
 */
export const findPlayers = createIsomorphicFn()
  .server((...texts: (string | null | undefined)[]): string[] => [
    ...new Set(texts.flatMap((text) => findPlayersInText(text ?? ''))),
  ])
  .client((): string[] => []);

function findPlayersInText(text: string): string[] {
  if (!/youtu|vimeo/i.test(text)) return [];
  return [...everyToken(readMarkdown(text).tokens)].flatMap((token) =>
    token.type === 'video' && token.video.host ? [new URL(token.video.player).origin] : [],
  );
}

async function contentOrigins(): Promise<Pick<PagePolicy, 'pictures' | 'frames'>> {
  const api = await publicApi();
  const { data } = await api.rpc('content_origins', undefined, { get: true }).throwOnError();
  const originsFor = (use: string) => {
    const origins = data.filter(({ used_for }) => used_for === use).map(({ origin }) => plainOrigin(origin));
    return [...new Set(origins)].filter((origin) => origin !== null).toSorted();
  };
  return { pictures: originsFor('picture'), frames: originsFor('frame') };
}

function plainOrigin(text: string): string | null {
  const origin = URL.canParse(text) ? new URL(text).origin : '';
  return isPlainOrigin(origin) ? origin : null;
}
