/** Estimates the probability that a message is about this site, with fitted weights. */

import { keywords, type SearchMatch } from '../search.ts';
import type { Intent } from './intents.ts';
import { intentsOf } from './intents-of.ts';
import { explainedBy, type IntentMatch } from './recognise.ts';
import type { Turn } from './turn.ts';
import { wordsOf } from './words.ts';

/**
 * Fitted by logistic regression (bench/calibrate-assistant.ts) on questions about the site and public questions about
 * anything else. See docs/decisions/chat.md.
 */
const CONSTANT = -6.981;
const WEIGHTS: readonly (readonly [feature: keyof MessageFeatures, weight: number])[] = [
  ['similarity', 3.371],
  ['explainedByIntent', 4.456],
  ['explainedByAny', 1.727],
  ['coverage', 3.805],
  ['hasEntity', 3.184],
  ['hasTitleMatch', 0.857],
];

/** Minimum certainty to answer with content. */
const SURE = 0.67;
/** Minimum certainty to offer a person, a call or contact details as requested. */
const LIKELY = 0.53;

/** `answer` with content, `guide` to a next step, or `unknown`. */
export type ReplyMode = 'answer' | 'guide' | 'unknown';

export function replyModeOf(turn: Turn, intentMatch: IntentMatch | undefined): ReplyMode {
  const [match] = turn.matches;
  if (match && isRequestedText(match, turn)) return 'answer';
  const certainty = Math.max(certaintyOf(featuresOf(turn, intentMatch)), ...clausesOf(turn).map(certaintyOfClause));
  // Follow-up questions are short and name no subject.
  if (certainty >= (turn.state.intent || turn.state.subject ? LIKELY / 2 : SURE)) return 'answer';
  return certainty >= LIKELY ? 'guide' : 'unknown';
}

/** Splits a message into clauses. In "I am new here, what do you do?" only one of them is the question. */
function clausesOf(turn: Turn): Turn[] {
  const clauses = turn.text.split(/[,.;:!?]+\s+/).filter((clause) => wordsOf(clause).length > 1);
  if (clauses.length < 2 || clauses.length > MAX_CLAUSES) return [];
  return clauses.map((text) => ({
    ...turn,
    text,
    entities: turn.names.findIn(text),
    matches: turn.index.search(text).filter(({ isAbout }) => isAbout),
  }));
}

const MAX_CLAUSES = 4;

function certaintyOfClause(turn: Turn): number {
  return certaintyOf(featuresOf(turn, intentsOf(turn)[0]));
}

/**
 * Returns true if a text answers the question: it contains all subjects of the question, or its title contains most of
 * them.
 */
function isRequestedText({ coversAll, coverage, isInTitle }: SearchMatch, { text, limits }: Turn): boolean {
  if (isInTitle) return coversAll || coverage >= limits.whole;
  return coversAll && coverage >= limits.whole && keywords(text).length > 1;
}

export interface MessageFeatures {
  similarity: number;
  /** Share of the words that examples of the recognised intent contain, and of those that any example contains. */
  explainedByIntent: number;
  explainedByAny: number;
  coverage: number;
  hasEntity: number;
  hasTitleMatch: number;
}

/** Returns the share of a message that the examples of an intent explain, with or without names replaced. */
export function explainedIn({ text, entities, language }: Turn, intent: Intent | null): number {
  return Math.max(explainedBy(text, intent, language), explainedBy(entities.masked, intent, language));
}

export function featuresOf(turn: Turn, intentMatch: IntentMatch | undefined): MessageFeatures {
  const { entities } = turn;
  // Testimonials are about anything, so shared words are no evidence.
  const match = turn.matches.find(({ kind, url }) => kind !== 'other' || url !== '/#testimonials');
  return {
    similarity: intentMatch?.similarity ?? 0,
    explainedByIntent: intentMatch ? explainedIn(turn, intentMatch.intent) : 0,
    explainedByAny: intentMatch ? explainedIn(turn, null) : 0,
    coverage: match?.coverage ?? 0,
    hasEntity: entities.service || entities.project || entities.person ? 1 : 0,
    hasTitleMatch: match?.isInTitle ? 1 : 0,
  };
}

function certaintyOf(features: MessageFeatures): number {
  const score = WEIGHTS.reduce((sum, [feature, weight]) => sum + weight * features[feature], CONSTANT);
  return 1 / (1 + Math.exp(-score));
}
