/** Names of items, page sections and settings. */
import { capitalized, kindNames } from '../api/places/kind-names.ts';
import { sectionTitle } from '../api/places/section-place.ts';
import { settingOf } from '../settings/settings.ts';
import { fieldLabel } from '../ui/form/field-label.ts';

/** 'post', 'section', 'setting' or another kind, in lower case. */
export function oneOf(kind: string): string {
  if (kind === 'page_content') return 'section';
  if (kind === 'site_settings') return 'setting';
  return kindNames(kind)?.one ?? kind;
}

/** 'Post' from 'posts'. */
export function kindWord(kind: string): string {
  return capitalized(kind === 'page_content' ? 'page section' : oneOf(kind));
}

/** Returns the title of a section or a setting: 'Home: Hero', 'Site name'; undefined for items. */
export function titleOfText(kind: string, itemId: string): string | undefined {
  if (kind === 'page_content') {
    const [page = '', name = ''] = itemId.split('/');
    return sectionTitle(page, name);
  }
  return kind === 'site_settings' ? (settingOf(itemId)?.label ?? fieldLabel(itemId)) : undefined;
}
