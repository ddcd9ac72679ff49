/** Recognises the intents of a message without the small talk around its question. */

import type { Language } from '../languages.ts';
import type { Intent } from './intents.ts';
import type { Limits } from './limits.ts';
import { type Recognised, recognise } from './recognise.ts';
import type { Turn } from './turn.ts';
import { wordsOf } from './words.ts';

/**
 * Returns the intents, most likely first. Compares the message with and without its names and uses the higher likeness.
 */
export function intentsOf({ text, names, language, limits }: Turn): Recognised[] {
  const likeness = new Map<Intent, number>();
  const question = withoutSmallTalk(text, language, limits);
  for (const message of [question, names.in(question).masked]) {
    for (const recognised of recognise(message, language)) {
      likeness.set(recognised.intent, Math.max(likeness.get(recognised.intent) ?? 0, recognised.likeness));
    }
  }
  const isLong = wordsOf(question).length > SHORT_MESSAGE;
  return [...likeness]
    .filter(([intent]) => !(isLong && SMALL_TALK.has(intent)))
    .map(([intent, value]) => ({ intent, likeness: UPSET.has(intent) ? value * 1.1 : value }))
    .sort((a, b) => b.likeness - a.likeness);
}

/** Intents of upset visitors. An unnecessary apology is better than offering services to them. */
export const UPSET: ReadonlySet<Intent> = new Set<Intent>(['unsubscribe', 'complaint']);

/** Maximum words of a message that is small talk as a whole. */
const SHORT_MESSAGE = 6;

/** Intents of small talk around a question. */
export const SMALL_TALK: ReadonlySet<Intent> = new Set<Intent>([
  'greet',
  'howAreYou',
  'thanks',
  'bye',
  'fine',
  'yes',
  'no',
]);

/** Removes small talk: "Hello, what does it cost?" is a question, not a greeting. */
function withoutSmallTalk(text: string, language: Language, limits: Limits): string {
  const parts = text.split(/(?<=[.!?;,\n])\s+/).filter((part) => wordsOf(part).length > 0);
  const rest = parts.filter((part) => {
    const [best] = recognise(part, language);
    return !best || best.likeness < limits.certain || !SMALL_TALK.has(best.intent);
  });
  return rest.length > 0 ? rest.join(' ') : text;
}
