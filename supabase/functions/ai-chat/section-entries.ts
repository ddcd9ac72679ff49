/** Makes entries of the texts of page sections, so that they are found as what is published otherwise. */

/**
 * Lists what the sections of pages say; of a long text with headings each part by its own.
 * @param sections by "page/section"; the foot of the pages is read for itself, and what is off is not shown
 */
export function sectionEntries(sections: ReadonlyMap<string, Record<string, unknown>>) {
  return [...sections].flatMap(([key, section]) => {
    const [page = '', name = ''] = key.split('/');
    const texts = textsIn(section);
    if (name === 'footer' || section['isShown'] === false || texts.length === 0) return [];
    const heading = [section['mainHeading'], section['title'], section['heading']].find(
      (value) => typeof value === 'string' && value.trim() !== '',
    );
    const ofPage = page.charAt(0).toUpperCase() + page.slice(1);
    const entry = { kind: 'other' as const, url: page === 'home' ? '/' : `/${page}` };
    const long = texts.filter((text) => HEADING.test(text));
    const short = texts.filter((text) => !HEADING.test(text));
    // "What we keep, and for how long" is found by words that are in most questions.
    const title = typeof heading === 'string' && long.length === 0 ? heading : ofPage;
    const parts = long.flatMap((text) => {
      const [opening = '', ...headed] = text.split(HEADING);
      return [{ ...entry, title, texts: [opening] }, ...headed.map((part) => ({ ...entry, ...headedPart(part) }))];
    });
    return [{ ...entry, title, texts: short }, ...parts].filter((one) => one.texts.join('').trim() !== '');
  });
}

function headedPart(part: string): { title: string; texts: string[] } {
  const end = part.indexOf('\n');
  return end < 0 ? { title: part, texts: [part] } : { title: part.slice(0, end), texts: [part.slice(end).trim()] };
}

const HEADING = /^#{2,6} /m;

/** Texts of more than one word, however deep: others are addresses, and names of pictures. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string')
    return /\S\s+\S/.test(value) && !/^(?:https?:|\/|#)/.test(value) ? [withoutGaps(value)] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Sentences with a {value} that only the page fills in say nothing here. */
function withoutGaps(text: string): string {
  return text.replace(/[^.!?|\n]*\{\w+\}[^.!?|\n]*[.!?]?/g, '').trim();
}
