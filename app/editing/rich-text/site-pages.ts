import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { PUBLIC_PAGES, projectPath } from '../../api/places/public-pages.ts';
import { sessionApi } from '../../api/visitor-api.ts';
import { containsPattern } from '../../ui/lib/contains-filter.ts';

/** Link target on this site. */
export interface SitePage {
  path: string;
  title: string;
  kind: 'Page' | 'Post' | 'Project' | 'Service';
  isDraft: boolean;
}

/** Maximum number of results per kind. */
const MAX_RESULTS = 5;

const SOURCES = [
  { table: 'posts', kind: 'Post', path: (slug: string) => `/news/${encodeURIComponent(slug)}` },
  { table: 'projects', kind: 'Project', path: projectPath },
  { table: 'services', kind: 'Service', path: (slug: string) => `/services#${encodeURIComponent(slug)}` },
] as const;

/** Finds pages by title, including drafts, which may be published before the text. */
export function sitePagesQuery(search: string) {
  const term = search.trim();
  return queryOptions({
    queryKey: ['site pages', term],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<SitePage[]> => {
      const api = await sessionApi();
      const resultsByKind = await Promise.all(
        SOURCES.map(async ({ table, kind, path }) => {
          const { data } = await api
            .from(table)
            .select('title, slug, status')
            .ilike('title', containsPattern(term))
            .order('updated_at', { ascending: false })
            .limit(MAX_RESULTS)
            .abortSignal(signal)
            .throwOnError();
          return data.map(({ title, slug, status }) => ({
            path: path(slug),
            title,
            kind,
            isDraft: status !== 'published',
          }));
        }),
      );
      const pages = PUBLIC_PAGES.filter(({ label }) => label.toLowerCase().includes(term.toLowerCase()));
      return [
        ...pages.map(({ to, label }) => ({ path: to, title: label, kind: 'Page' as const, isDraft: false })),
        ...resultsByKind.flat(),
      ];
    },
  });
}
