/** Recognises the intents of a message without the small talk around its question. */

import type { Language } from '../languages.ts';
import type { Intent } from './intents.ts';
import type { Limits } from './limits.ts';
import { type IntentMatch, recognise } from './recognise.ts';
import type { Turn } from './turn.ts';
import { wordsOf } from './words.ts';

/**
 * Returns the intents, most likely first. Compares the message with and without its names and uses the higher similarity.
 */
export function intentsOf({ text, names, language, limits }: Turn): IntentMatch[] {
  const similarity = new Map<Intent, number>();
  const question = removeSmallTalk(text, language, limits);
  for (const message of [question, names.findIn(question).masked]) {
    for (const match of recognise(message, language)) {
      similarity.set(match.intent, Math.max(similarity.get(match.intent) ?? 0, match.similarity));
    }
  }
  const isLong = wordsOf(question).length > MAX_SMALL_TALK_WORDS;
  return [...similarity]
    .filter(([intent]) => !(isLong && SMALL_TALK.has(intent)))
    .map(([intent, value]) => ({ intent, similarity: UPSET.has(intent) ? value * 1.1 : value }))
    .sort((a, b) => b.similarity - a.similarity);
}

/** Intents of upset visitors. An unnecessary apology is better than offering services to them. */
export const UPSET: ReadonlySet<Intent> = new Set<Intent>(['unsubscribe', 'complaint']);

/** Maximum words of a message that is small talk as a whole. */
const MAX_SMALL_TALK_WORDS = 6;

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
function removeSmallTalk(text: string, language: Language, limits: Limits): string {
  const parts = text.split(/(?<=[.!?;,\n])\s+/).filter((part) => wordsOf(part).length > 0);
  const questionParts = parts.filter((part) => {
    const [bestMatch] = recognise(part, language);
    return !bestMatch || bestMatch.similarity < limits.certain || !SMALL_TALK.has(bestMatch.intent);
  });
  return questionParts.length > 0 ? questionParts.join(' ') : text;
}
