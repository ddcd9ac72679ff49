/** The intents that a message shows, without what is said around them. */

import type { Language } from '../languages.ts';
import type { Intent } from './intents.ts';
import type { Limits } from './limits.ts';
import { type Recognised, recognise } from './recognise.ts';
import type { Turn } from './turn.ts';
import { wordsOf } from './words.ts';

/** As the message was written, and with what it names left out, whichever is more like an example. */
export function intentsOf({ text, names, language, limits }: Turn): Recognised[] {
  const likeness = new Map<Intent, number>();
  const asked = withoutSmallTalk(text, language, limits);
  for (const message of [asked, names.in(asked).masked]) {
    for (const recognised of recognise(message, language)) {
      likeness.set(recognised.intent, Math.max(likeness.get(recognised.intent) ?? 0, recognised.likeness));
    }
  }
  const isLong = wordsOf(asked).length > SHORT_MESSAGE;
  return [...likeness]
    .filter(([intent]) => !(isLong && SMALL_TALK.has(intent)))
    .map(([intent, value]) => ({ intent, likeness: UPSET.has(intent) ? value * 1.1 : value }))
    .sort((a, b) => b.likeness - a.likeness);
}

/** To sell something to somebody who is upset is worse than an apology too many. */
export const UPSET: ReadonlySet<Intent> = new Set<Intent>(['unsubscribe', 'complaint']);

/** Words of a message that can be small talk as a whole. */
const SHORT_MESSAGE = 6;

/** Intents of what is said around a question. */
export const SMALL_TALK: ReadonlySet<Intent> = new Set<Intent>([
  'greet',
  'howAreYou',
  'thanks',
  'bye',
  'fine',
  'yes',
  'no',
]);

/** "Hello, what does it cost?" is a question and no greeting. */
function withoutSmallTalk(text: string, language: Language, limits: Limits): string {
  const parts = text.split(/(?<=[.!?;,\n])\s+/).filter((part) => wordsOf(part).length > 0);
  const rest = parts.filter((part) => {
    const [best] = recognise(part, language);
    return !best || best.likeness < limits.certain || !SMALL_TALK.has(best.intent);
  });
  return rest.length > 0 ? rest.join(' ') : text;
}
