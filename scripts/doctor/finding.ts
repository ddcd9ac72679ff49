import { errorCode, messageOf } from '../../backend/database/errors.ts';

/** Result of one check. */
export interface Finding {
  /** `wrong` ends the command with code 1; a `note` is for the owner to judge. */
  state: 'ok' | 'note' | 'wrong';
  /** Subject of the check, in a word or two. */
  subject: string;
  /** State of the subject, and unless it is ok what to do. */
  words: string;
}

export const ok = (subject: string, words: string): Finding => ({ state: 'ok', subject, words });
export const note = (subject: string, words: string): Finding => ({ state: 'note', subject, words });
export const wrong = (subject: string, words: string): Finding => ({ state: 'wrong', subject, words });

/** Returns what a library or a server said of a failure, in one line without the secrets of a URL. */
export function reasonOf(error: unknown): string {
  const said = messageOf(error) || errorCode(error) || String(error);
  const reason = said === 'fetch failed' && error instanceof Error && error.cause ? reasonOf(error.cause) : said;
  return (reason.split('\n')[0] ?? '').replaceAll(/:\/\/[^@\s/]+@/g, '://').slice(0, 200);
}
