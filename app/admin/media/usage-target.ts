import { capitalized } from '../../content/kind.ts';
import { KINDS } from '../../content/kinds.ts';
import type { MediaUsage } from '../../data/media.ts';
import { LEGAL_PAGES } from '../../data/public-pages.ts';

/** What a file is used in, in words, and the admin page where that is changed. */
export function usageTarget({ kind: table, id, title }: MediaUsage): { words: string; path: string } {
  const kind = KINDS.find((known) => known.table === table);
  if (kind) return { words: `${capitalized(kind.one)} "${title}"`, path: `/admin/${kind.path}/${id}/edit` };
  if (table === 'page_content') return { words: `Page section "${title}"`, path: `/admin/pages/${pagesEditor(title)}` };
  return { words: `Setting "${title}"`, path: '/admin/settings' };
}

/** The editor of a section that is named like 'home/hero' or 'news/header'. */
function pagesEditor(title: string): string {
  const [page] = title.split('/');
  if (LEGAL_PAGES.some(({ header }) => header === page)) return 'legal';
  if (title.endsWith('/header')) return 'headers';
  return title.startsWith('about/') ? 'about' : 'home';
}
