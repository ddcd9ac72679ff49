/** Formats the sources of an answer in Markdown. */
import { link } from './wording.ts';

/** A page that an answer used. */
export interface Source {
  title: string;
  /** A path of the site. */
  url: string;
}

/** Maximum number of links. */
const MAX_SOURCES = 4;

/** Headings by language. The English heading is used for other languages. */
const HEADINGS: Record<string, string> = { en: 'Sources:', nb: 'Kilder:' };

/**
 * Returns the heading "Sources:" and a list of links, or '' without sources.
 * @param sources most important first. Each page is linked once
 * @param language of the answer, such as nb
 */
export function sourceLines(sources: readonly Source[], language = 'en'): string {
  const titles = new Map<string, string>();
  for (const { title, url } of sources) if (!titles.has(url)) titles.set(url, title);
  const links = [...titles].slice(0, MAX_SOURCES).map(([url, title]) => `- ${link(title, url)}`);
  return links.length > 0 ? [HEADINGS[language] ?? HEADINGS['en'], '', ...links].join('\n') : '';
}
