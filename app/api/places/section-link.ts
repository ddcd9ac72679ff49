import { capitalized } from './kind-names.ts';
import { LEGAL_PAGES } from './public-pages.ts';

/** Returns the link target for the editor of a section: its path and tab. */
export function sectionLink(page: string, name: string) {
  if (LEGAL_PAGES.some(({ header }) => header === page)) return { to: '/admin/pages/legal', tab: page } as const;
  if (name === 'header') return { to: '/admin/pages/headers', tab: page } as const;
  if (page === 'about') return { to: '/admin/pages/about', tab: name } as const;
  return { to: '/admin/pages/home', tab: name } as const;
}

/** Returns a title such as 'Home: Logo banner'. A legal page has only one section, so its title is the page name. */
export function sectionTitle(page: string, name: string): string {
  if (LEGAL_PAGES.some(({ header }) => header === page)) return titleFromSlug(page);
  return `${titleFromSlug(page)}: ${name === 'usps' ? 'USPs' : titleFromSlug(name)}`;
}

function titleFromSlug(slug: string): string {
  return capitalized(slug.replaceAll('-', ' '));
}
