/** Part of a Markdown text that can be rendered on its own. */
export interface Section {
  /** Start index in the text. */
  from: number;
  text: string;
}

/**
 * Splits a text at its headings, so that a preview rerenders only the changed part. Texts with footnotes or reference
 * links are not split.
 */
export function splitSections(text: string): Section[] {
  const headings = /^ {0,3}\[[^\]\n]+\]:/m.test(text) ? [] : headingPlaces(text);
  const starts = [0, ...headings.filter((place) => place > 0)];
  return starts.map((from, index) => ({ from, text: text.slice(from, starts[index + 1]) }));
}

/** Start indexes of headings, except in code. */
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
