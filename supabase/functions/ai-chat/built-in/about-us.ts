/** Estimates the probability that a message is about this site, with fitted weights. */

import { type Found, keywords } from '../search.ts';
import type { Intent } from './intents.ts';
import { intentsOf } from './intents-of.ts';
import { explainedBy, type Recognised } from './recognise.ts';
import type { Turn } from './turn.ts';
import { wordsOf } from './words.ts';

/**
 * Fitted by logistic regression (bench/calibrate-assistant.ts) on questions about the site and public questions about
 * anything else. See docs/decisions/chat.md.
 */
const CONSTANT = -6.981;
const WEIGHTS: readonly (readonly [feature: keyof Signs, weight: number])[] = [
  ['likeness', 3.371],
  ['explained', 4.456],
  ['known', 1.727],
  ['coverage', 3.805],
  ['named', 3.184],
  ['titled', 0.857],
];

/** Minimum certainty to answer with content. */
const SURE = 0.67;
/** Minimum certainty to offer a person, a call or contact details as requested. */
const LIKELY = 0.53;

/** `answer` with content, `guide` to a next step, or `unknown`. */
export type Band = 'answer' | 'guide' | 'unknown';

export function bandOf(turn: Turn, best: Recognised | undefined): Band {
  const [found] = turn.found;
  if (found && isAskedFor(found, turn)) return 'answer';
  const certainty = Math.max(certaintyOf(signsOf(turn, best)), ...clausesOf(turn).map(certaintyOfClause));
  // Follow-up questions are short and name no subject.
  if (certainty >= (turn.memory.intent || turn.memory.subject ? LIKELY / 2 : SURE)) return 'answer';
  return certainty >= LIKELY ? 'guide' : 'unknown';
}

/** Splits a message into clauses. In "I am new here, what do you do?" only one of them is the question. */
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

/** Returns true if a text is what the question asks for: all of its subjects occur in the text, or most in its title. */
function isAskedFor({ coversAll, coverage, isInTitle }: Found, { text, limits }: Turn): boolean {
  if (isInTitle) return coversAll || coverage >= limits.whole;
  return coversAll && coverage >= limits.whole && keywords(text).length > 1;
}

export interface Signs {
  likeness: number;
  /** Share of the words that examples of the intent contain. `known` counts the examples of all intents. */
  explained: number;
  known: number;
  coverage: number;
  named: number;
  titled: number;
}

/** Returns the share of a message that the examples of an intent explain, with or without names replaced. */
export function explainedIn({ text, named, language }: Turn, intent: Intent | null): number {
  return Math.max(explainedBy(text, intent, language), explainedBy(named.masked, intent, language));
}

export function signsOf(turn: Turn, best: Recognised | undefined): Signs {
  const { named } = turn;
  // Testimonials are about anything, so shared words are no evidence.
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

function certaintyOf(features: Signs): number {
  const score = WEIGHTS.reduce((sum, [feature, weight]) => sum + weight * features[feature], CONSTANT);
  return 1 / (1 + Math.exp(-score));
}
