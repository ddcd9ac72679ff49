/** A part of a Markdown text that means the same on its own. */
export interface Section {
  /** Index in the text at which it begins. */
  from: number;
  text: string;
}

/**
 * Cuts a text before its headings, so that a preview renders only the part that changed. A text whose parts refer to each
 * other, by footnotes or by addresses that stand elsewhere, stays whole.
 */
export function splitSections(text: string): Section[] {
  const headings = /^ {0,3}\[[^\]\n]+\]:/m.test(text) ? [] : headingPlaces(text);
  const starts = [0, ...headings.filter((place) => place > 0)];
  return starts.map((from, index) => ({ from, text: text.slice(from, starts[index + 1]) }));
}

/** Returns the indexes at which the headings of a text begin; lines within code are none. */
export function headingPlaces(text: string): number[] {
  const places: number[] = [];
  let fence = '';
  let from = 0;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (mark?.[1] && fence === '') fence = mark[1];
    else if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === '') fence = '';
    else if (fence === '' && /^#{1,6}\s/.test(line)) places.push(from);
    from += line.length + 1;
  }
  return places;
}
