/** Resolves short answers to the last reply, such as "the second one" or "finding leads". */

import { singular } from '../search.ts';
import type { Intent } from './intents.ts';
import type { IntentMatch } from './recognise.ts';
import type { Subject } from './subjects.ts';
import type { Turn } from './turn.ts';
import { wordsOf } from './words.ts';

/** Intents that are compatible with a choice: "tell me more about the third". */
const CHOICE_INTENTS: ReadonlySet<Intent> = new Set<Intent>([
  'more',
  'deliverables',
  'fine',
  'yes',
  'recommend',
  'how',
  'result',
]);

/** Returns the item of the last reply that the message chooses, such as "the second one" or "answering them". */
export function findChoice(
  { text, state, content, limits }: Turn,
  intentMatch: IntentMatch | undefined,
): Subject | null {
  const words = wordsOf(text);
  if (words.length > 6) return null;
  if (state.closingQuestion === 'goal' && !(intentMatch && intentMatch.similarity >= limits.certain)) {
    const goal = words.map((word) => GOALS.get(word)).find(Boolean);
    const service = content.published.find(
      (item) => item.kind === 'services' && wordsOf(item.title).some((word) => singular(word) === goal),
    );
    if (service?.kind === 'services') return service;
  }
  // A question such as "which step comes first?" is not a choice.
  if (intentMatch && intentMatch.similarity >= limits.certain && !CHOICE_INTENTS.has(intentMatch.intent)) return null;
  const position = words.map((word) => ORDINALS.get(word)).find((number) => number !== undefined);
  return (position === undefined ? undefined : state.listedItems.at(position)) ?? null;
}

/** Goals in the greeting, with a word from the title of the matching service. */
const GOALS = new Map(
  Object.entries({
    lead: 'find finding leads finne kunder',
    outreach: 'reach reaching contacting kontakte na',
    chatbot: 'answer answering replying svare besvare',
  }).flatMap(([goal, words]) => words.split(' ').map((word) => [word, goal] as const)),
);

const ORDINALS = new Map(
  Object.entries({
    0: 'first 1st 1 forste',
    1: 'second 2nd 2 andre',
    2: 'third 3rd 3 tredje',
    3: 'fourth 4th 4 fjerde',
    [-1]: 'last siste',
  }).flatMap(([position, words]) => words.split(' ').map((word) => [word, Number(position)] as const)),
);
