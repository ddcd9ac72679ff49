/**
 * Fits the constants of certainty.ts, find-entry.ts, about-us.ts and limits.ts and prints them. They estimate the
 * probability that the best search result is correct, and that a message is about us. The questions of `npm run bench
 * -- assistant` are not used.
 */
import { featuresOf, type MessageFeatures } from '../supabase/functions/ai-chat/built-in/about-us.ts';
import { intentsOf } from '../supabase/functions/ai-chat/built-in/intents-of.ts';
import { LIMITS } from '../supabase/functions/ai-chat/built-in/limits.ts';
import { Names } from '../supabase/functions/ai-chat/built-in/subjects.ts';
import { languageOf } from '../supabase/functions/ai-chat/languages.ts';
import { createSearchIndex } from '../supabase/functions/ai-chat/search.ts';
import type { SiteContent } from '../supabase/functions/ai-chat/site-content.ts';
import { FOURTH_QUESTIONS } from '../tests/assistant/fourth-questions.ts';
import { scoreOf } from '../tests/assistant/judge.ts';
import { OFF_TOPIC_QUESTIONS } from '../tests/assistant/other-questions.ts';
import { THIRD_QUESTIONS } from '../tests/assistant/third-questions.ts';
import { type AskedPublic, askLabelled, type PublicPart, readPublicQuestions } from './public-questions.ts';
import { starterContent } from './starter-content.ts';

interface Example {
  signs: number[];
  isTrue: boolean;
  /** Weight of the example. */
  weight: number;
}

/** Number of random selections of entries, and questions asked per selection. */
const SEEDS = [11, 12];
const ASKED = 450;

/** Required share of answers with the correct best source: two points above the target. */
const RIGHT = 0.97;

const questions = readPublicQuestions();
if (questions) {
  chooseWeights(questions.fitted);
  calibrateCertainty(questions.fitted);
  const content = await starterContent();
  calibrateAboutUs(content, questions.fitted.foreign);
  weighLimits(content, questions.fitted.foreign);
}

/** Prints the search weights with the highest precision in the more certain half, compared with BM25. */
function chooseWeights({ sets }: PublicPart): void {
  const grid = [0.15, 0.25, 0.4, 1].flatMap((smallWord) =>
    [1.2, 4].flatMap((k) => [0.75, 0.9].map((b) => ({ smallWord, k, b }))),
  );
  const ranked = grid.map((weights) => {
    const leads = Object.values(sets).map((sentences) => {
      const asked = SEEDS.flatMap((seed) => askLabelled(sentences, seed, ASKED, weights).asked);
      const half = (by: (one: AskedPublic) => number, isRight: (one: AskedPublic) => boolean) =>
        asked
          .toSorted((a, b) => by(b) - by(a))
          .slice(0, asked.length / 2)
          .filter(isRight).length;
      const plain = half(
        ({ plainScore }) => plainScore,
        ({ isPlainRight }) => isPlainRight,
      );
      const ours = half(
        ({ best }) => best?.margin ?? 0,
        ({ isRight }) => isRight,
      );
      return (200 * (ours - plain)) / asked.length;
    });
    return { weights, leads, least: Math.min(...leads) };
  });
  ranked.sort((a, b) => b.least - a.least);
  for (const { weights, leads } of ranked.slice(0, 3))
    console.log(
      `search.ts: ${JSON.stringify(weights)}, points before BM25 ${leads.map((lead) => lead.toFixed(1)).join(' ')}`,
    );
}

/** Fits on questions with a matching entry and on questions without one. */
function calibrateCertainty({ sets, outOfScope }: PublicPart): void {
  const examples = Object.entries(sets).flatMap(([set, sentences]) =>
    SEEDS.flatMap((seed) => {
      const { asked, search } = askLabelled(sentences, seed, ASKED);
      return [
        ...asked.map(({ best, isRight }) => ({ best, isTrue: isRight })),
        ...outOfScope.map((text) => ({ best: search(text)[0], isTrue: false })),
      ].map(({ best, isTrue }) => {
        const { coverage, margin } = best ?? { coverage: 0, margin: 0 };
        return { set, signs: [coverage, margin], isTrue };
      });
    }),
  );
  const weights = regress(examples.map((example) => ({ ...example, weight: 1 / examples.length })));
  console.log(`certainty.ts: ${named(['constant', 'coverage', 'margin'], weights)}`);
  const enough = Object.keys(sets).map((name) => {
    const judged = examples
      .filter(({ set }) => set === name)
      .map(({ signs, isTrue }) => ({ sure: probability(weights, signs), isTrue }));
    return judged
      .map(({ sure }) => sure)
      .sort((a, b) => a - b)
      .find((sure) => shareOfTrue(judged.filter((one) => one.sure >= sure)) >= RIGHT);
  });
  // Entries of a site may be as similar as the entries of the harder set.
  console.log(`find-entry.ts: SURE ${Math.max(...enough.map((sure) => sure ?? 1)).toFixed(2)}`);
}

/** Fits on our own questions as positive and public questions as negative examples. */
function calibrateAboutUs(content: SiteContent, others: readonly string[]): void {
  const index = createSearchIndex(content);
  const names = new Names(content);
  const featuresOfText = (text: string): MessageFeatures => {
    const language = languageOf(text, 'en') ?? 'en';
    const state = { language, subject: null, intent: null, closingQuestion: null, listedItems: [], address: null };
    const entities = names.findIn(text);
    const turn = {
      text,
      content,
      index,
      names,
      language,
      entities,
      matches: index.search(text).filter(({ isAbout }) => isAbout),
      limits: LIMITS,
      state,
      subject: null,
    };
    return featuresOf(turn, intentsOf(turn)[0]);
  };
  // The example sentences were written for the two older sets.
  const ours = [THIRD_QUESTIONS, FOURTH_QUESTIONS].flatMap((sets) =>
    Object.values(sets).flatMap((asked) => asked.map(({ ask }) => [ask].flat()[0] ?? '')),
  );
  const examplesOf = (texts: readonly string[], isTrue: boolean): Example[] =>
    texts.map((text) => ({ signs: Object.values(featuresOfText(text)), isTrue, weight: 1 / texts.length }));
  const foreign = examplesOf(others, false);
  const weights = regress([...examplesOf(ours, true), ...foreign]);
  console.log(`about-us.ts: ${named(['constant', ...Object.keys(featuresOfText(''))], weights)}`);
  const likely = foreign.map((example) => probability(weights, example.signs)).sort((a, b) => b - a);
  const above = (share: number) => (likely[Math.floor(likely.length * share)] ?? 1).toFixed(2);
  console.log(`about-us.ts: SURE ${above(0.05)} (5% of off-topic questions score higher), LIKELY ${above(0.1)} (10%)`);
}

/** Prints the score for several values of each limit in limits.ts. No examples were written for these questions. */
function weighLimits(content: SiteContent, others: readonly string[]): void {
  const index = createSearchIndex(content);
  for (const [name, limit] of Object.entries(LIMITS)) {
    const scores = [-0.2, -0.1, -0.05, 0, 0.05, 0.1, 0.2].map((more) => {
      const limits = { ...LIMITS, [name]: limit + more };
      const score = scoreOf(
        content,
        index,
        [THIRD_QUESTIONS, FOURTH_QUESTIONS],
        [...OFF_TOPIC_QUESTIONS, ...others],
        limits,
      );
      return `${(limit + more).toFixed(2)}: ${score}`;
    });
    console.log(`limits.ts: ${name} ${limit}, points at ${scores.join(', ')}`);
  }
}

/** Logistic regression by gradient descent. @returns the constant, then the weight of each feature */
function regress(unequal: Example[]): number[] {
  // Features are normalised, because gradient descent converges slowly for small ranges.
  const spread = unequal[0]?.signs.map((_, at) => deviationOf(unequal.map(({ signs }) => signs[at] ?? 0))) ?? [];
  const examples = unequal.map((one) => ({ ...one, signs: one.signs.map((sign, at) => sign / (spread[at] ?? 1)) }));
  let weights = new Array<number>((examples[0]?.signs.length ?? 0) + 1).fill(0);
  for (let round = 0; round < 8000; round++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : 0.002 * weight));
    for (const { signs, isTrue, weight } of examples) {
      const error = (probability(weights, signs) - (isTrue ? 1 : 0)) * weight;
      slope[0] = (slope[0] ?? 0) + error;
      for (const [at, sign] of signs.entries()) slope[at + 1] = (slope[at + 1] ?? 0) + error * sign;
    }
    weights = weights.map((weight, at) => weight - 0.1 * (slope[at] ?? 0));
  }
  return weights.map((weight, at) => (at === 0 ? weight : weight / (spread[at - 1] ?? 1)));
}

/** Standard deviation, or 1 for constant features. */
function deviationOf(values: number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1;
}

function probability([constant = 0, ...weights]: number[], signs: number[]): number {
  const sum = signs.reduce((all, sign, at) => all + sign * (weights[at] ?? 0), constant);
  return 1 / (1 + Math.exp(-sum));
}

function shareOfTrue(of: readonly { isTrue: boolean }[]): number {
  return of.filter(({ isTrue }) => isTrue).length / of.length;
}

function named(names: string[], weights: number[]): string {
  return names.map((name, at) => `${name} ${weights[at]?.toFixed(3)}`).join(', ');
}
