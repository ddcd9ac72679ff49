/**
 * Public pages, used by the navigation, the sitemap, the sharing images and the page header editors. Legal pages are in
 * the footer and have their own editor.
 */
export const PUBLIC_PAGES = [
  { to: '/', label: 'Home', header: null },
  { to: '/about', label: 'About', header: 'about' },
  { to: '/services', label: 'Services', header: 'services' },
  { to: '/projects', label: 'Projects', header: 'projects' },
  { to: '/news', label: 'News', header: 'news' },
  { to: '/contact', label: 'Contact', header: 'contact' },
  { to: '/privacy', label: 'Privacy', header: 'privacy', isLegal: true },
  { to: '/terms', label: 'Terms', header: 'terms', isLegal: true },
  { to: '/cookies', label: 'Cookies', header: 'cookies', isLegal: true },
] as const;

type PublicPage = (typeof PUBLIC_PAGES)[number];

/** A page with a long legal text, which is saved together with its header. */
export type LegalPage = Extract<PublicPage, { isLegal: true }>;

/** Pages in the navigation. */
export const MAIN_PAGES = PUBLIC_PAGES.filter((page): page is Exclude<PublicPage, LegalPage> => !('isLegal' in page));

export const LEGAL_PAGES = PUBLIC_PAGES.filter((page): page is LegalPage => 'isLegal' in page);

/** A page with an editable title and description, stored in page_content under the name in `header`. */
export type PageWithHeader = Exclude<PublicPage, { header: null }>;

export const PAGES_WITH_HEADER = PUBLIC_PAGES.filter((page): page is PageWithHeader => page.header !== null);

/** Returns the page with that header name. */
export function pageWithHeader<Name extends PageWithHeader['header']>(
  name: Name,
): Extract<PageWithHeader, { header: Name }> {
  const page = PAGES_WITH_HEADER.find(
    (candidate): candidate is Extract<PageWithHeader, { header: Name }> => candidate.header === name,
  );
  if (!page) throw new Error(`There is no page with the header ${name}.`);
  return page;
}

/** Returns the path of a project page. */
export function projectPath(slug: string): string {
  return `/projects?case=${encodeURIComponent(slug)}`;
}
