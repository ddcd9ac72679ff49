/** What a check has found. */
export interface Finding {
  /** `wrong` ends the command with code 1; a `note` is for the owner to judge. */
  state: 'ok' | 'note' | 'wrong';
  /** What was looked at, in a word or two. */
  subject: string;
  /** What it is like, and unless it is ok what to do. */
  words: string;
}

export const ok = (subject: string, words: string): Finding => ({ state: 'ok', subject, words });
export const note = (subject: string, words: string): Finding => ({ state: 'note', subject, words });
export const wrong = (subject: string, words: string): Finding => ({ state: 'wrong', subject, words });

/** What a library or a server said of a failure, in one line without the secrets of a URL. */
export function reasonOf(error: unknown): string {
  const { message, cause, code } = error as Error & { code?: string };
  const said = message || code || String(error);
  const reason = said === 'fetch failed' && cause ? reasonOf(cause) : said;
  return (reason.split('\n')[0] ?? '').replaceAll(/:\/\/[^@\s/]+@/g, '://').slice(0, 200);
}
