/** Checks an answer for required and forbidden phrases. Case and repeated spaces are ignored. */

export interface Expectation {
  must_name: readonly string[];
  must_not_name: readonly string[];
}

export interface Verdict {
  /** Required phrases that the answer lacks. */
  missing: string[];
  /** Forbidden phrases that the answer contains. */
  forbidden: string[];
}

export function judgeAnswer(answer: string, { must_name, must_not_name }: Expectation): Verdict {
  const text = removeMarks(answer);
  const contains = (phrase: string) => text.includes(removeMarks(phrase));
  return { missing: must_name.filter((phrase) => !contains(phrase)), forbidden: must_not_name.filter(contains) };
}

export function hasPassed({ missing, forbidden }: Verdict): boolean {
  return missing.length + forbidden.length === 0;
}

/** Removes Markdown marks, which may split a phrase. Keeps link URLs. */
function removeMarks(text: string): string {
  return text
    .toLowerCase()
    .replace(/[*_`\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
