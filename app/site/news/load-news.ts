/** Loader of the News page. Separate from the route, to keep the code out of the main chunk. */
import type { QueryClient } from '@tanstack/react-query';
import { notFound } from '@tanstack/react-router';
import { pageWithHeader } from '../../api/places/public-pages.ts';
import { type NewsView, newsCategoriesQuery, newsQuery } from '../../content/posts/published-news.ts';
import type { SiteSettings } from '../../settings/site-settings.ts';
import { breadcrumbJsonLd, type SeoPage } from '../../ui/lib/seo.ts';
import { loadPage } from '../page-with-header.ts';
import { seoSite } from '../seo-site.ts';
import type { NewsSearch } from './read-news-search.ts';

const NEWS = pageWithHeader('news');

export interface LoadedNews {
  settings: SiteSettings;
  players: string[];
  seo: SeoPage;
}

/** @throws notFound for a page or category without posts, if the loader awaits them */
export async function loadNews(queryClient: QueryClient, search: NewsSearch): Promise<LoadedNews> {
  const view = toView(search);
  const { settings, description, players } = await loadPage(
    queryClient,
    NEWS,
    queryClient.prefetchQuery(newsQuery(view)),
    queryClient.prefetchQuery(newsCategoriesQuery),
  );
  const cached = queryClient.getQueryData(newsQuery(view).queryKey);
  if (cached?.posts.length === 0 && (view.page > 1 || (view.category && !view.words))) throw notFound();
  return { settings, players, seo: buildSeo(view, settings, description) };
}

export function toView({ page = 1, category = '', q = '' }: NewsSearch): NewsView {
  return { page, category, words: q };
}

function buildSeo(view: NewsView, settings: SiteSettings, description: string): SeoPage {
  const { page, category, words } = view;
  const parts = [words && `“${words}”`, category, page > 1 && `Page ${page}`].filter(Boolean);
  const path = buildPath(view);
  return {
    title: [...parts, NEWS.label].join(' · '),
    description: [...parts, description].join(' · '),
    path,
    // Keep search results out of search engines.
    isHidden: words !== '',
    jsonLd: [
      breadcrumbJsonLd(seoSite(settings), [
        { name: NEWS.label, path: NEWS.to },
        ...(category ? [{ name: category, path: buildPath({ ...view, page: 1 }) }] : []),
      ]),
    ],
  };
}

/** Returns the URL in the router's format. */
function buildPath({ page, category, words }: NewsView): string {
  const query = new URLSearchParams({
    ...(category && { category }),
    ...(words && { q: words }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size > 0 ? `${NEWS.to}?${query}` : NEWS.to;
}
