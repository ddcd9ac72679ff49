/**
 * The public pages, in one list that the top navigation, the sitemap, the pictures for sharing and the editors of the page
 * headers go by.
 */
export const PUBLIC_PAGES = [
  { to: '/', label: 'Home', header: null },
  { to: '/about', label: 'About', header: 'about' },
  { to: '/services', label: 'Services', header: 'services' },
  { to: '/projects', label: 'Projects', header: 'projects' },
  { to: '/news', label: 'News', header: 'news' },
  { to: '/contact', label: 'Contact', header: 'contact' },
] as const;

type PublicPage = (typeof PUBLIC_PAGES)[number];

/** A page whose title and description editors change; its texts are saved in page_content under the name in `header`. */
export type PageWithHeader = Exclude<PublicPage, { header: null }>;

export const PAGES_WITH_HEADER = PUBLIC_PAGES.filter((page): page is PageWithHeader => page.header !== null);

/** The page of the list whose header has that name. */
export function pageWithHeader(name: PageWithHeader['header']): PageWithHeader {
  const page = PAGES_WITH_HEADER.find(({ header }) => header === name);
  if (!page) throw new Error(`There is no page with the header ${name}.`);
  return page;
}
