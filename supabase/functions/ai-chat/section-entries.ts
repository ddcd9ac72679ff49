/** Converts the texts of page sections to entries of the search index. */

/** Part of a section with its heading, and the page that shows it. */
interface SectionEntry {
  kind: 'other';
  title: string;
  url: string;
  texts: string[];
}

type Part = Pick<SectionEntry, 'title' | 'texts'>;

/**
 * Returns an entry for each part of a section that contains a sentence (a tile, a chapter, a part of a long text with
 * its own heading), and one for the rest of the section.
 * @param sections by "page/section". Hidden sections are excluded
 */
export function sectionEntries(sections: ReadonlyMap<string, Record<string, unknown>>): SectionEntry[] {
  return [...sections].flatMap(([key, section]) => {
    if (section['isShown'] === false) return [];
    const [page = '', name = ''] = key.split('/');
    const anchor = ANCHORED.has(name) ? `#${name === 'usps' ? 'highlights' : name}` : '';
    const url = `/${page === 'home' ? '' : page}${anchor}`;
    const fallback = LABELS[name] ?? page.charAt(0).toUpperCase() + page.slice(1);
    return partsOf(section, fallback).map((part) => ({ kind: 'other' as const, url, ...part }));
  });
}

/** Titles for entries without a heading. */
const LABELS: Record<string, string> = { 'logo-banner': 'Companies', usps: 'Highlights' };

/** Sections of the home page that have an anchor. */
const ANCHORED = new Set(['usps', 'testimonials', 'features', 'sequence', 'deliverability', 'handover', 'booking']);

/** Keys of headings, in order of priority. */
const HEADINGS = ['mainHeading', 'title', 'heading', 'processHeading', 'name', 'subject', 'by', 'company'];

/** Keys without searchable text: URLs, images, button labels, and fields that contact-facts.ts reads. */
const SKIPPED =
  /icon|image|img|src|url|link|cta|scroll|placeholder|platform|copyright|rotating|eyebrow|\wText$|^(?:id|order|mark|contact|information|social|closing)$/i;

function partsOf(group: object, fallback: string): Part[] {
  const values = Object.entries(group).filter(([key]) => !SKIPPED.test(key));
  const heading = HEADINGS.map((key) => Reflect.get(group, key)).find(isText);
  const long = values.flatMap(([, value]) => (isText(value) && HEADED.test(value) ? [value] : []));
  // Headings of legal pages, such as "What we keep, and for how long", would match most questions.
  const title = heading && long.length === 0 ? heading : fallback;
  const inner = values.flatMap(([, value]) => (typeof value === 'object' && value !== null ? [value].flat() : []));
  const lines = inner.filter((part) => !hasSentence(part)).map((part) => textsIn(part).join(': '));
  const own = values.flatMap(([, value]) => (isText(value) && !long.includes(value) && value !== title ? [value] : []));
  const texts = [...withFigures(own), ...lines].map(withoutGaps).filter(Boolean);
  const parts = [
    ...(texts.some((text) => /\s/.test(text)) ? [{ title, texts }] : []),
    ...long.flatMap((text) => headedParts(text, fallback)),
    ...inner.filter(hasSentence).flatMap((part) => partsOf(Object(part), title)),
  ];
  return parts.length === 0 && heading ? [{ title, texts: [heading] }] : parts;
}

const HEADED = /^#{2,6} /m;

function headedParts(text: string, fallback: string): Part[] {
  const [opening = '', ...parts] = text.split(HEADED);
  const headed = parts.map((part) => {
    const end = `${part}\n`.indexOf('\n');
    return { title: part.slice(0, end), text: part.slice(end).trim() || part };
  });
  return [{ title: fallback, text: opening }, ...headed].flatMap((part) => {
    const shown = withoutGaps(part.text);
    return shown ? [{ title: part.title, texts: [shown] }] : [];
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Returns all texts in a nested value. */
function textsIn(value: unknown): string[] {
  if (isText(value)) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (SKIPPED.test(key) ? [] : textsIn(inner)));
}

/** Checks for a sentence. "Discovery, 2 Months" is a line of its section, but a tile is an entry of its own. */
function hasSentence(value: unknown): boolean {
  return typeof value === 'object' && textsIn(value).some((text) => text.trim().split(/\s+/).length > 3);
}

/** Joins a single word with the following text, such as "40%" and "more meetings". */
function withFigures(texts: string[]): string[] {
  const joined: string[] = [];
  for (const text of texts) {
    const last = joined.at(-1);
    if (last === undefined || /\s/.test(last)) joined.push(text);
    else joined[joined.length - 1] = `${last}${/^\p{Lu}/u.test(text) ? ':' : ''} ${text}`;
  }
  return joined;
}

/** Removes sentences with a {placeholder} that only the page fills in. */
function withoutGaps(text: string): string {
  return text.replace(/[^.!?|\n]*\{\w+\}[^.!?|\n]*[.!?]?/g, '').trim();
}
