/** Tells how likely a message is about this site at all, by constants that were fitted and not chosen. */

import { type Found, keywords } from '../search.ts';
import type { Intent } from './intents.ts';
import { intentsOf } from './intents-of.ts';
import { explainedBy, type Recognised } from './recognise.ts';
import type { Turn } from './turn.ts';
import { wordsOf } from './words.ts';

/**
 * Fitted by logistic regression (node bench/calibrate-assistant.ts): the repository's own questions on one side, public
 * ones about anything else on the other, see docs/decisions/chat.md.
 */
const CONSTANT = -6.981;
const WEIGHTS: readonly (readonly [sign: keyof Signs, weight: number])[] = [
  ['likeness', 3.371],
  ['explained', 4.456],
  ['known', 1.727],
  ['coverage', 3.805],
  ['named', 3.184],
  ['titled', 0.857],
];

/** Certainty from which content is shown as the answer. */
const SURE = 0.67;
/** From here on a person, a call or a way to reach us is offered as asked. */
const LIKELY = 0.53;

/** An answer with what is published, a way to go on, or none. */
export type Band = 'answer' | 'guide' | 'unknown';

export function bandOf(turn: Turn, best: Recognised | undefined): Band {
  const [found] = turn.found;
  if (found && isAskedFor(found, turn)) return 'answer';
  const certainty = Math.max(certaintyOf(signsOf(turn, best)), ...clausesOf(turn).map(certaintyOfClause));
  // Follow-ups are short and name nothing themselves.
  if (certainty >= (turn.memory.intent || turn.memory.subject ? LIKELY / 2 : SURE)) return 'answer';
  return certainty >= LIKELY ? 'guide' : 'unknown';
}

/** Parts of a message between commas and the like: "I am new here, what do you do?" asks in one of them. */
function clausesOf(turn: Turn): Turn[] {
  const clauses = turn.text.split(/[,.;:!?]+\s+/).filter((clause) => wordsOf(clause).length > 1);
  if (clauses.length < 2 || clauses.length > MAX_CLAUSES) return [];
  return clauses.map((text) => ({
    ...turn,
    text,
    named: turn.names.in(text),
    found: turn.index.search(text).filter(({ isAbout }) => isAbout),
  }));
}

const MAX_CLAUSES = 4;

function certaintyOfClause(turn: Turn): number {
  return certaintyOf(signsOf(turn, intentsOf(turn)[0]));
}

/** Tells whether a text has all that a question names: its title has a word of it, or the question more than one. */
function isAskedFor({ coversAll, coverage, isInTitle }: Found, { text, limits }: Turn): boolean {
  if (isInTitle) return coversAll || coverage >= limits.whole;
  return coversAll && coverage >= limits.whole && keywords(text).length > 1;
}

export interface Signs {
  likeness: number;
  /** The share of the words that examples of the intent have, and those of any. */
  explained: number;
  known: number;
  coverage: number;
  named: number;
  titled: number;
}

/** The share of a message that the examples of an intent explain, as it was written or with its names left out. */
export function explainedIn({ text, named, language }: Turn, intent: Intent | null): number {
  return Math.max(explainedBy(text, intent, language), explainedBy(named.masked, intent, language));
}

export function signsOf(turn: Turn, best: Recognised | undefined): Signs {
  const { named } = turn;
  // Testimonials talk of anything, so words in common with one say nothing about the question.
  const found = turn.found.find(({ kind, url }) => kind !== 'other' || url !== '/#testimonials');
  return {
    likeness: best?.likeness ?? 0,
    explained: best ? explainedIn(turn, best.intent) : 0,
    known: best ? explainedIn(turn, null) : 0,
    coverage: found?.coverage ?? 0,
    named: named.service || named.project || named.person ? 1 : 0,
    titled: found?.isInTitle ? 1 : 0,
  };
}

function certaintyOf(signs: Signs): number {
  const sum = WEIGHTS.reduce((all, [sign, weight]) => all + weight * signs[sign], CONSTANT);
  return 1 / (1 + Math.exp(-sum));
}
