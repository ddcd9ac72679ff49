/** Splits Markdown into segments that can be checked separately: sentences, list items, table rows or lines of code. */

/** Maximum characters of a segment. A longer segment is cut and checked in parts. */
const MAX_SEGMENT = 1_500;

export interface Position {
  /** True at the start of a line. */
  isLineStart: boolean;
  isInFence: boolean;
}

const BLOCK_START = /^[ \t]*(?:[-*+][ \t]|>|#{1,6}[ \t]|\||\d{1,9}[.)][ \t]|```|~~~|[-*_=]{3,}|\n)/;
/** Text that may become the start of a block. */
const MAYBE_BLOCK = /^[ \t]*(?:[-*+#`~=_]{0,6}|\d{0,9}[.)]?)$/;

/**
 * @param isEnd true if no more text follows
 * @returns the length of the first segment, or 0 if it is incomplete
 */
export function lengthOfSegment(text: string, { isLineStart, isInFence }: Position, isEnd: boolean): number {
  const completeLength = isEnd ? text.length : 0;
  const firstLine = text.indexOf('\n') + 1;
  if (isInFence || (isLineStart && /^[ \t]*(?:```|~~~|\||#{1,6}[ \t])/.test(text)))
    return firstLine || completeLength || truncatedLength(text);
  if (isLineStart && /^[ \t]*(?:`{1,2}|~{1,2}|#{1,6})?$/.test(text)) return completeLength;
  // A table whose rows do not start with a bar.
  const line = firstLine ? text.slice(0, firstLine) : text;
  if (isLineStart && / \| /.test(line)) return firstLine || completeLength || truncatedLength(text);
  for (const match of text.matchAll(/\n|[.!?…。！？।]+["'”’»)\]*_`~]*(?=\s)/g)) {
    const end = match.index + match[0].length;
    const remaining = text.slice(end);
    if (match[0] === '\n') {
      if (/^[ \t]*\n/.test(remaining)) return end + (/^[ \t\n]*/.exec(remaining)?.[0].length ?? 0);
      if (BLOCK_START.test(remaining)) return end;
      // The next line shows whether this one continues.
      if (MAYBE_BLOCK.test(remaining)) return completeLength;
      continue;
    }
    if (isMarkerOrAbbreviation(text.slice(0, end), remaining)) continue;
    const space = /^[ \t]*(?:\n[ \t\n]*)?/.exec(remaining)?.[0] ?? '';
    // Include the space, so that the next segment starts with a word or a block.
    if (space.length === remaining.length && !isEnd && space.includes('\n')) return completeLength;
    return end + space.length;
  }
  return completeLength || truncatedLength(text);
}

function truncatedLength(text: string): number {
  if (text.length < MAX_SEGMENT) return 0;
  return text.lastIndexOf(' ', MAX_SEGMENT) + 1 || MAX_SEGMENT;
}

const ABBREVIATIONS =
  /(?:^|[\s(])(?:kr|ca|e\.g|i\.e|approx|no|nr|st|mr|mrs|ms|dr|inc|ltd|co|vs|etc|bzw|z\.\s?b|usw|ggf|inkl|incl|exkl|excl|eks|ekskl|evt|f\.eks|bl\.a|t\.ex|osv|min|max|maks|pr|kl|tlf|tel|mva|jan|feb|mar|apr|jun|jul|aug|sep|sept|okt|oct|nov|dec|des|dez|\p{L})\.$/iu;

function isMarkerOrAbbreviation(before: string, rest: string): boolean {
  if (!before.endsWith('.')) return false;
  if (/^\s*\d{1,9}\.$/.test(before.slice(before.lastIndexOf('\n') + 1))) return true;
  // A number within a sentence: "3. mars", "15. august".
  if (/(?:^|\s)\d{1,2}\.$/.test(before)) return /^ ?(?:\p{Ll}|$)/u.test(rest);
  return ABBREVIATIONS.test(before);
}
