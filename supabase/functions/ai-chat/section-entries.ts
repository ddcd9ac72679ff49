/** Makes entries of the saved texts of page sections, so that they are found as what is published otherwise. */
/** @param sections by "page/section"; the foot of the pages is read for itself */
export function sectionEntries(sections: ReadonlyMap<string, Record<string, unknown>>) {
  return [...sections].flatMap(([key, section]) => {
    const [page = '', name = ''] = key.split('/');
    const texts = textsIn(section);
    if (name === 'footer' || texts.length === 0) return [];
    const heading = [section['mainHeading'], section['title'], section['heading']].find(
      (value) => typeof value === 'string' && value.trim() !== '',
    );
    const title = typeof heading === 'string' ? heading : page.charAt(0).toUpperCase() + page.slice(1);
    return [{ kind: 'other' as const, title, url: page === 'home' ? '/' : `/${page}`, texts }];
  });
}

/** Texts of more than one word, however deep: others are addresses, and names of pictures. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return /\S\s+\S/.test(value) && !/^(?:https?:|\/|#)/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
