/** Finds broken internal links in content, for the admin area. */
import { queryOptions } from '@tanstack/react-query';
import { browserApiEndpoint } from '../../api/api-endpoint.ts';
import type { Database } from '../../api/database.types.ts';
import { sessionApi } from '../../api/visitor-api.ts';

type Row = Database['public']['Functions']['dead_links']['Returns'][number];

const PROBLEMS = ['file', 'page', 'missing', 'deleted', 'draft', 'scheduled', 'moved'] as const;

export type LinkProblem = (typeof PROBLEMS)[number];

interface DeadLink {
  url: string;
  problem: LinkProblem;
  /** Item that the link refers to, if any. */
  target: { kind: string; id: string } | null;
}

/** An item, page section or setting that contains broken links. */
export interface LinkLocation {
  /** Table name. */
  kind: string;
  id: string;
  title: string;
  isDraft: boolean;
  links: DeadLink[];
}

/** Reads the broken links, grouped by item, section or setting, and their total count.
 *
 * @param pages route paths such as '/news/$slug'
 */
export function deadLinksQuery(pages: readonly string[]) {
  return queryOptions({
    queryKey: ['dead_links'],
    queryFn: async ({ signal }): Promise<{ locations: LinkLocation[]; total: number }> => {
      const api = await sessionApi();
      const origins = new Set([window.location.origin, new URL(browserApiEndpoint().url).origin]);
      const { data } = await api
        .rpc('dead_links', { _origins: [...origins], _pages: pages.map(toLikePattern) })
        .abortSignal(signal)
        .throwOnError();
      return { locations: groupByLocation(data), total: data[0]?.total ?? 0 };
    },
    // Any save or deletion can change the result.
    staleTime: 0,
    gcTime: 0,
  });
}

/** Converts a route path to a LIKE pattern, such as '/news/%' for '/news/$slug'. */
function toLikePattern(page: string): string {
  return page.replace(/[\\%_]/g, '\\$&').replace(/\$\w+/g, '%');
}

function groupByLocation(rows: readonly Row[]): LinkLocation[] {
  const locations = new Map<string, LinkLocation>();
  for (const { kind, item_id: id, title, status, address: url, fault, target_kind, target_id } of rows) {
    const key = `${kind} ${id}`;
    const location = locations.get(key) ?? { kind, id, title, isDraft: status !== 'published', links: [] };
    const target = target_kind && target_id && fault !== 'deleted' ? { kind: target_kind, id: target_id } : null;
    location.links.push({ url, problem: PROBLEMS.find((problem) => problem === fault) ?? 'missing', target });
    locations.set(key, location);
  }
  return [...locations.values()];
}
