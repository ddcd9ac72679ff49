import { createIsomorphicFn } from '@tanstack/react-start';
import { CLOSED_POLICY, isPlainOrigin, type PagePolicy } from '../../api/host/page-policy.ts';
import { requireSiteHost } from '../../api/host/site-host.ts';
import { siteOrigin } from '../../api/host/site-origin.ts';
import { publicApi } from '../../api/visitor-api.ts';
import { everyToken, readMarkdown } from '../../ui/lib/markdown.ts';
import { PLAYERS } from '../../ui/lib/video-address.ts';

/** Beyond so many hosts the header would outgrow what proxies pass on, and pictures may come from any. */
const MAX_PICTURE_HOSTS = 50;

/** The policy by what visitors may read at this moment. A document has it from the server, so the browser asks nothing. */
export const readPagePolicy = createIsomorphicFn()
  .server(async (): Promise<PagePolicy> => {
    const host = requireSiteHost();
    const own = [siteOrigin(), ...(host.publicApiUrl ? [new URL(host.publicApiUrl, siteOrigin()).origin] : [])].filter(
      isPlainOrigin,
    );
    // The hosts of drafts are on no list, and will be once they are published.
    if (host.preview) {
      const media = [...own, 'https:'];
      return { pictures: [...CLOSED_POLICY.pictures, ...media], frames: ['https:'], media };
    }
    const content = await host.remember('page_policy', contentOrigins);
    const foreign = content.pictures.length > MAX_PICTURE_HOSTS ? ['https:'] : content.pictures;
    return {
      pictures: [...CLOSED_POLICY.pictures, ...new Set([...own, ...foreign])],
      // A document with the gate comes before any page, and may show each of them once it opens.
      frames: host.gate ? [...new Set([...content.frames, ...PLAYERS])] : content.frames,
      media: own,
    };
  })
  .client(async (): Promise<PagePolicy> => CLOSED_POLICY);

/**
 * The hosts that a page with these texts may frame for their videos. The server answers with the page; what a page comes
 * to show later in the same document, loads anew (see app/ui/video.tsx).
 */
export const playersIn = createIsomorphicFn()
  .server((...texts: (string | null | undefined)[]): string[] => [
    ...new Set(texts.flatMap((text) => playersOf(text ?? ''))),
  ])
  .client((): string[] => []);

function playersOf(text: string): string[] {
  if (!/youtu|vimeo/i.test(text)) return [];
  return [...everyToken(readMarkdown(text).tokens)].flatMap((token) =>
    token.type === 'video' && token.video.host ? [new URL(token.video.player).origin] : [],
  );
}

async function contentOrigins(): Promise<Pick<PagePolicy, 'pictures' | 'frames'>> {
  const api = await publicApi();
  const { data } = await api.rpc('content_origins', undefined, { get: true }).throwOnError();
  const of = (use: string) => {
    const found = data.filter(({ used_for }) => used_for === use).map(({ origin }) => plainOrigin(origin));
    return [...new Set(found)].filter((origin) => origin !== null).toSorted();
  };
  return { pictures: of('picture'), frames: of('frame') };
}

function plainOrigin(text: string): string | null {
  const origin = URL.canParse(text) ? new URL(text).origin : '';
  return isPlainOrigin(origin) ? origin : null;
}
