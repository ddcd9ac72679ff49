/** Writes the sources of an answer, as the Markdown lines that close it. */
import { link } from './wording.ts';

/** A page that an answer used; whatever the search finds is one. */
export interface Source {
  title: string;
  /** A path of the site. */
  url: string;
}

/** More than these are no longer read. */
const MAX_SOURCES = 4;

/** The line above the links, by language; English for any other. */
const HEADINGS: Record<string, string> = { en: 'Sources:', nb: 'Kilder:' };

/**
 * A line "Sources:" and a list of links, to be put under an answer after an empty line; '' without any source.
 * @param found what was used, the most important first; a page that is named twice is linked once
 * @param language of the answer, such as nb
 */
export function sourceLines(found: readonly Source[], language = 'en'): string {
  const titles = new Map<string, string>();
  for (const { title, url } of found) if (!titles.has(url)) titles.set(url, title);
  const links = [...titles].slice(0, MAX_SOURCES).map(([url, title]) => `- ${link(title, url)}`);
  return links.length > 0 ? [HEADINGS[language] ?? HEADINGS['en'], '', ...links].join('\n') : '';
}
