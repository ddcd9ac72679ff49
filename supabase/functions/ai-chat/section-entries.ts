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
 * Returns an entry for each part of a section that contains a sentence, such as a tile, a chapter, or a part of a long
 * text with its own heading. The other texts of the section become one more entry.
 * @param sections by "page/section". Hidden sections and samples are excluded
 */
export function sectionEntries(sections: ReadonlyMap<string, Record<string, unknown>>): SectionEntry[] {
  return [...sections].flatMap(([key, section]) => {
    // A mark says that the content is invented, so the assistant must not repeat it as a fact.
    if (section['isShown'] === false || isText(section['mark'])) return [];
    const [page = '', name = ''] = key.split('/');
    const anchor = ANCHOR_SECTIONS.has(name) ? `#${name === 'usps' ? 'highlights' : name}` : '';
    const url = `/${page === 'home' ? '' : page}${anchor}`;
    const fallback = LABELS[name] ?? page.charAt(0).toUpperCase() + page.slice(1);
    return partsOf(section, fallback).map((part) => ({ kind: 'other' as const, url, ...part }));
  });
}

/** Titles for entries without a heading. */
const LABELS: Record<string, string> = { 'logo-banner': 'Companies', usps: 'Highlights' };

/** Sections of the home page that have an anchor. */
const ANCHOR_SECTIONS = new Set([
  'usps',
  'testimonials',
  'features',
  'sequence',
  'deliverability',
  'handover',
  'booking',
]);

/** Keys of headings, in order of priority. */
const HEADINGS = ['mainHeading', 'title', 'heading', 'processHeading', 'name', 'subject', 'by', 'company'];

/** Keys without searchable text: URLs, images, button labels, and fields that contact-facts.ts reads. */
const SKIPPED =
  /icon|image|img|src|url|link|cta|scroll|placeholder|platform|copyright|rotating|eyebrow|\wText$|^(?:id|order|mark|contact|information|social|closing)$/i;

function partsOf(group: object, fallback: string): Part[] {
  const values = Object.entries(group).filter(([key]) => !SKIPPED.test(key));
  const heading = HEADINGS.map((key) => Reflect.get(group, key)).find(isText);
  const longTexts = values.flatMap(([, value]) => (isText(value) && SUBHEADING.test(value) ? [value] : []));
  // Headings of legal pages, such as "What we keep, and for how long", would match most questions.
  const title = heading && longTexts.length === 0 ? heading : fallback;
  const inner = values.flatMap(([, value]) => (typeof value === 'object' && value !== null ? [value].flat() : []));
  const lines = inner.filter((part) => !hasSentence(part)).map((part) => textsIn(part).join(': '));
  const directTexts = values.flatMap(([, value]) =>
    isText(value) && !longTexts.includes(value) && value !== title ? [value] : [],
  );
  const texts = [...joinSingleWords(directTexts), ...lines].map(removePlaceholderSentences).filter(Boolean);
  const parts = [
    ...(texts.some((text) => /\s/.test(text)) ? [{ title, texts }] : []),
    ...longTexts.flatMap((text) => headedParts(text, fallback)),
    ...inner.filter(hasSentence).flatMap((part) => partsOf(Object(part), title)),
  ];
  return parts.length === 0 && heading ? [{ title, texts: [heading] }] : parts;
}

const SUBHEADING = /^#{2,6} /m;

function headedParts(longText: string, fallback: string): Part[] {
  const [opening = '', ...parts] = longText.split(SUBHEADING);
  const headedTexts = parts.map((part) => {
    const end = `${part}\n`.indexOf('\n');
    return { title: part.slice(0, end), text: part.slice(end).trim() || part };
  });
  return [{ title: fallback, text: opening }, ...headedTexts].flatMap((part) => {
    const text = removePlaceholderSentences(part.text);
    return text ? [{ title: part.title, texts: [text] }] : [];
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

/** Returns true for a value with a sentence, such as a tile, which is an entry of its own. "Discovery, 2 Months" is not. */
function hasSentence(value: unknown): boolean {
  return typeof value === 'object' && textsIn(value).some((text) => text.trim().split(/\s+/).length > 3);
}

/** Joins a single word with the following text, such as "40%" and "more meetings". */
function joinSingleWords(texts: string[]): string[] {
  const result: string[] = [];
  for (const text of texts) {
    const last = result.at(-1);
    if (last === undefined || /\s/.test(last)) result.push(text);
    else result[result.length - 1] = `${last}${/^\p{Lu}/u.test(text) ? ':' : ''} ${text}`;
  }
  return result;
}

/** Removes sentences with a {placeholder}, because only the page can fill it in. */
function removePlaceholderSentences(text: string): string {
  return text.replace(/[^.!?|\n]*\{\w+\}[^.!?|\n]*[.!?]?/g, '').trim();
}
