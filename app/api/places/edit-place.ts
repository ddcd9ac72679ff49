import { capitalized, kindNames } from './kind-names.ts';
import { sectionPlace } from './section-place.ts';

/** An item of a kind, a page section (titled 'home/hero') or a setting. */
export interface EditedThing {
  /** The table. */
  kind: string;
  id: string;
  title: string;
}

/** Names a thing in words, and returns the admin page where it is changed. */
export function editPlace({ kind: table, id, title }: EditedThing): { words: string; path: string } {
  const kind = kindNames(table);
  if (kind) return { words: `${capitalized(kind.one)} "${title}"`, path: `/admin/${kind.path}/${id}/edit` };
  if (table === 'page_content') {
    const [page = '', name = ''] = title.split('/');
    return { words: `Page section "${title}"`, path: sectionPlace(page, name).to };
  }
  if (table === 'releases') return { words: `Release "${title}"`, path: '/admin/releases' };
  return { words: `Setting "${title}"`, path: '/admin/settings' };
}
