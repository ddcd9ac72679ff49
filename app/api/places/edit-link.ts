import { capitalized, kindNames } from './kind-names.ts';
import { sectionLink } from './section-link.ts';

/** An item, a page section (its title is 'home/hero'), a release or a setting. */
export interface EditedEntry {
  /** Table name. */
  kind: string;
  id: string;
  title: string;
}

/** Returns the label and the path of a link to the edit page of an entry. */
export function editLink({ kind: table, id, title }: EditedEntry): { label: string; path: string } {
  const kind = kindNames(table);
  if (kind) return { label: `${capitalized(kind.singular)} "${title}"`, path: `/admin/${kind.path}/${id}/edit` };
  if (table === 'page_content') {
    const [page = '', name = ''] = title.split('/');
    return { label: `Page section "${title}"`, path: sectionLink(page, name).to };
  }
  if (table === 'releases') return { label: `Release "${title}"`, path: '/admin/releases' };
  return { label: `Setting "${title}"`, path: '/admin/settings' };
}
