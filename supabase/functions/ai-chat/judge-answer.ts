/** Judges an answer by phrases that it must name and must not. Case and spaces do not count. */

export interface Expectation {
  must_name: readonly string[];
  must_not_name: readonly string[];
}

export interface Verdict {
  /** Phrases of must_name that the answer lacks. */
  missing: string[];
  /** Phrases of must_not_name that it has. */
  unwanted: string[];
}

export function judgeAnswer(answer: string, { must_name, must_not_name }: Expectation): Verdict {
  const said = plain(answer);
  const isSaid = (phrase: string) => said.includes(plain(phrase));
  return { missing: must_name.filter((phrase) => !isSaid(phrase)), unwanted: must_not_name.filter(isSaid) };
}

export function hasPassed({ missing, unwanted }: Verdict): boolean {
  return missing.length + unwanted.length === 0;
}

/** As it is read: without marks of Markdown, which may stand within a phrase. The addresses of links stay. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[*_`\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
