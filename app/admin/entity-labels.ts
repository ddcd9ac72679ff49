/** Labels of items, page sections and settings. */
import { capitalized, kindNames } from '../api/places/kind-names.ts';
import { sectionTitle } from '../api/places/section-link.ts';
import { findSetting } from '../settings/settings.ts';
import { fieldLabel } from '../ui/form/field-label.ts';

/** Returns the singular in lower case: 'post', 'section', 'setting'. */
export function singularLabel(kind: string): string {
  if (kind === 'page_content') return 'section';
  if (kind === 'site_settings') return 'setting';
  return kindNames(kind)?.singular ?? kind;
}

/** Returns the capitalized singular: 'Post' for 'posts'. */
export function kindLabel(kind: string): string {
  return capitalized(kind === 'page_content' ? 'page section' : singularLabel(kind));
}

/** Returns the title of a section or setting: 'Home: Hero', 'Site name'. Undefined for items. */
export function textTitle(kind: string, itemId: string): string | undefined {
  if (kind === 'page_content') {
    const [page = '', name = ''] = itemId.split('/');
    return sectionTitle(page, name);
  }
  return kind === 'site_settings' ? (findSetting(itemId)?.label ?? fieldLabel(itemId)) : undefined;
}
