import { LEGAL_PAGES } from '../data/public-pages.ts';
import { capitalized } from './kind.ts';
import { KINDS } from './kinds.ts';

/** An item of a kind, a page section (titled 'home/hero') or a setting. */
export interface EditedThing {
  /** The table. */
  kind: string;
  id: string;
  title: string;
}

/** What it is, in words, and the admin page where it is changed. */
export function editPlace({ kind: table, id, title }: EditedThing): { words: string; path: string } {
  const kind = KINDS.find((known) => known.table === table);
  if (kind) return { words: `${capitalized(kind.one)} "${title}"`, path: `/admin/${kind.path}/${id}/edit` };
  if (table === 'page_content') return { words: `Page section "${title}"`, path: `/admin/pages/${pagesEditor(title)}` };
  if (table === 'releases') return { words: `Release "${title}"`, path: '/admin/releases' };
  return { words: `Setting "${title}"`, path: '/admin/settings' };
}

/** The editor of a section that is named like 'home/hero' or 'news/header'. */
function pagesEditor(title: string): string {
  const [page] = title.split('/');
  if (LEGAL_PAGES.some(({ header }) => header === page)) return 'legal';
  if (title.endsWith('/header')) return 'headers';
  return title.startsWith('about/') ? 'about' : 'home';
}
