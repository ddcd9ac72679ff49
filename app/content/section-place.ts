import { LEGAL_PAGES } from '../data/public-pages.ts';

/** The screen with the editor of a section, and its tab there. */
export function sectionPlace(page: string, name: string) {
  if (LEGAL_PAGES.some(({ header }) => header === page)) return { to: '/admin/pages/legal', tab: page } as const;
  if (name === 'header') return { to: '/admin/pages/headers', tab: page } as const;
  if (page === 'about') return { to: '/admin/pages/about', tab: name } as const;
  return { to: '/admin/pages/home', tab: name } as const;
}
