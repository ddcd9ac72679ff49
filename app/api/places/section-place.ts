import { capitalized } from './kind-names.ts';
import { LEGAL_PAGES } from './public-pages.ts';

/** Returns the screen with the editor of a section, and its tab there. */
export function sectionPlace(page: string, name: string) {
  if (LEGAL_PAGES.some(({ header }) => header === page)) return { to: '/admin/pages/legal', tab: page } as const;
  if (name === 'header') return { to: '/admin/pages/headers', tab: page } as const;
  if (page === 'about') return { to: '/admin/pages/about', tab: name } as const;
  return { to: '/admin/pages/home', tab: name } as const;
}

/** 'Home: Logo banner'; of a legal page, which is one section, its name. */
export function sectionTitle(page: string, name: string): string {
  if (LEGAL_PAGES.some(({ header }) => header === page)) return wordsOf(page);
  return `${wordsOf(page)}: ${name === 'usps' ? 'USPs' : wordsOf(name)}`;
}

function wordsOf(slug: string): string {
  return capitalized(slug.replaceAll('-', ' '));
}
