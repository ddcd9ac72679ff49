import { createIsomorphicFn } from '@tanstack/react-start';
import { CLOSED_POLICY, isPlainOrigin, type PagePolicy } from '../lib/page-policy.ts';
import { requireSiteHost } from '../lib/site-host.ts';
import { siteOrigin } from '../lib/site-origin.ts';
import { publicApi } from './api.ts';

/** Beyond so many hosts the header would outgrow what proxies pass on, and pictures may come from any. */
const MAX_PICTURE_HOSTS = 50;

/** The policy by what visitors may read at this moment. A document has it from the server, so the browser asks nothing. */
export const readPagePolicy = createIsomorphicFn()
  .server(async (): Promise<PagePolicy> => {
    const host = requireSiteHost();
    const content = await host.remember('page_policy', contentOrigins);
    const own = [siteOrigin(), ...(host.publicApiUrl ? [new URL(host.publicApiUrl).origin] : [])].filter(isPlainOrigin);
    const foreign = content.pictures.length > MAX_PICTURE_HOSTS ? ['https:'] : content.pictures;
    return {
      pictures: [...CLOSED_POLICY.pictures, ...new Set([...own, ...foreign])],
      frames: content.frames,
    };
  })
  .client(async (): Promise<PagePolicy> => CLOSED_POLICY);

async function contentOrigins(): Promise<PagePolicy> {
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
