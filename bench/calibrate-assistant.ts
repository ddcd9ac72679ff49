/**
 * Fits the constants of certainty.ts, find-entry.ts, about-us.ts and limits.ts and prints them. The constants are used
 * to estimate two probabilities: that the best search result is correct, and that a message is about us. The questions
 * of `npm run bench -- assistant` are not used.
 */
import { featuresOf, type MessageFeatures } from '../supabase/functions/ai-chat/built-in/about-us.ts';
import { intentsOf } from '../supabase/functions/ai-chat/built-in/intents-of.ts';
import { LIMITS } from '../supabase/functions/ai-chat/built-in/limits.ts';
import { Names } from '../supabase/functions/ai-chat/built-in/subjects.ts';
import { languageOf } from '../supabase/functions/ai-chat/languages.ts';
import { createSearchIndex } from '../supabase/functions/ai-chat/search.ts';
import type { SiteContent } from '../supabase/functions/ai-chat/site-content.ts';
import { FOURTH_QUESTIONS } from '../tests/assistant/fourth-questions.ts';
import { calculateScore } from '../tests/assistant/judge.ts';
import { OFF_TOPIC_QUESTIONS } from '../tests/assistant/other-questions.ts';
import { THIRD_QUESTIONS } from '../tests/assistant/third-questions.ts';
import { type QuestionPart, readPublicQuestions, type SearchResult, searchLabelled } from './public-questions.ts';
import { starterContent } from './starter-content.ts';

interface Example {
  features: number[];
  isTrue: boolean;
  /** Weight of the example in the fit. */
  weight: number;
}

/** Number of random selections of entries, and questions asked per selection. */
const SEEDS = [11, 12];
const QUESTIONS_PER_SEED = 450;

/** Required share of answers with the correct best source: two points above the target. */
const REQUIRED_PRECISION = 0.97;

const questions = readPublicQuestions();
if (questions) {
  chooseWeights(questions.training);
  calibrateCertainty(questions.training);
  const content = await starterContent();
  calibrateAboutUs(content, questions.training.offTopic);
  printLimitScores(content, questions.training.offTopic);
}

/** Prints the search weights with the highest precision in the more certain half, compared with BM25. */
function chooseWeights({ sets }: QuestionPart): void {
  const grid = [0.15, 0.25, 0.4, 1].flatMap((smallWord) =>
    [1.2, 4].flatMap((k) => [0.75, 0.9].map((b) => ({ smallWord, k, b }))),
  );
  const candidates = grid.map((weights) => {
    const advantages = Object.values(sets).map((sentences) => {
      const results = SEEDS.flatMap((seed) => searchLabelled(sentences, seed, QUESTIONS_PER_SEED, weights).results);
      const countCorrect = (scoreOf: (result: SearchResult) => number, isCorrect: (one: SearchResult) => boolean) =>
        results
          .toSorted((a, b) => scoreOf(b) - scoreOf(a))
          .slice(0, results.length / 2)
          .filter(isCorrect).length;
      const bm25 = countCorrect(
        ({ bm25Score }) => bm25Score,
        ({ isBm25Correct }) => isBm25Correct,
      );
      const search = countCorrect(
        ({ best }) => best?.margin ?? 0,
        ({ isCorrect }) => isCorrect,
      );
      return (200 * (search - bm25)) / results.length;
    });
    return { weights, advantages, least: Math.min(...advantages) };
  });
  candidates.sort((a, b) => b.least - a.least);
  for (const { weights, advantages } of candidates.slice(0, 3))
    console.log(
      `search.ts: ${JSON.stringify(weights)}, points before BM25 ${advantages.map((advantage) => advantage.toFixed(1)).join(' ')}`,
    );
}

/** Fits on questions with and without a matching entry. */
function calibrateCertainty({ sets, outOfScope }: QuestionPart): void {
  const examples = Object.entries(sets).flatMap(([set, sentences]) =>
    SEEDS.flatMap((seed) => {
      const { results, search } = searchLabelled(sentences, seed, QUESTIONS_PER_SEED);
      return [
        ...results.map(({ best, isCorrect }) => ({ best, isTrue: isCorrect })),
        ...outOfScope.map((text) => ({ best: search(text)[0], isTrue: false })),
      ].map(({ best, isTrue }) => {
        const { coverage, margin } = best ?? { coverage: 0, margin: 0 };
        return { set, features: [coverage, margin], isTrue };
      });
    }),
  );
  const weights = regress(examples.map((example) => ({ ...example, weight: 1 / examples.length })));
  console.log(`certainty.ts: ${formatWeights(['constant', 'coverage', 'margin'], weights)}`);
  const thresholds = Object.keys(sets).map((name) => {
    const predictions = examples
      .filter(({ set }) => set === name)
      .map(({ features, isTrue }) => ({ probability: probability(weights, features), isTrue }));
    return predictions
      .map(({ probability: sure }) => sure)
      .sort((a, b) => a - b)
      .find(
        (threshold) =>
          shareOfTrue(predictions.filter((prediction) => prediction.probability >= threshold)) >= REQUIRED_PRECISION,
      );
  });
  // Entries of a site may be as similar as the entries of the harder set.
  console.log(`find-entry.ts: SURE ${Math.max(...thresholds.map((threshold) => threshold ?? 1)).toFixed(2)}`);
}

/** Fits on our own questions as positive and public questions as negative examples. */
function calibrateAboutUs(content: SiteContent, offTopicQuestions: readonly string[]): void {
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
  const ownQuestions = [THIRD_QUESTIONS, FOURTH_QUESTIONS].flatMap((sets) =>
    Object.values(sets).flatMap((questions) => questions.map(({ ask }) => [ask].flat()[0] ?? '')),
  );
  const examplesOf = (texts: readonly string[], isTrue: boolean): Example[] =>
    texts.map((text) => ({ features: Object.values(featuresOfText(text)), isTrue, weight: 1 / texts.length }));
  const negatives = examplesOf(offTopicQuestions, false);
  const weights = regress([...examplesOf(ownQuestions, true), ...negatives]);
  console.log(`about-us.ts: ${formatWeights(['constant', ...Object.keys(featuresOfText(''))], weights)}`);
  const falsePositives = negatives.map((example) => probability(weights, example.features)).sort((a, b) => b - a);
  const thresholdOf = (share: number) => (falsePositives[Math.floor(falsePositives.length * share)] ?? 1).toFixed(2);
  console.log(
    `about-us.ts: SURE ${thresholdOf(0.05)} (5% of off-topic questions score higher), LIKELY ${thresholdOf(0.1)} (10%)`,
  );
}

/** Prints the score for several values of each limit in limits.ts. No examples were written for these questions. */
function printLimitScores(content: SiteContent, offTopicQuestions: readonly string[]): void {
  const index = createSearchIndex(content);
  for (const [name, limit] of Object.entries(LIMITS)) {
    const scores = [-0.2, -0.1, -0.05, 0, 0.05, 0.1, 0.2].map((offset) => {
      const limits = { ...LIMITS, [name]: limit + offset };
      const score = calculateScore(
        content,
        index,
        [THIRD_QUESTIONS, FOURTH_QUESTIONS],
        [...OFF_TOPIC_QUESTIONS, ...offTopicQuestions],
        limits,
      );
      return `${(limit + offset).toFixed(2)}: ${score}`;
    });
    console.log(`limits.ts: ${name} ${limit}, points at ${scores.join(', ')}`);
  }
}

/** Logistic regression by gradient descent. @returns the constant, then the weight of each feature */
function regress(rawExamples: Example[]): number[] {
  // Features are normalised, because gradient descent converges slowly for small ranges.
  const deviations =
    rawExamples[0]?.features.map((_, index) => deviationOf(rawExamples.map(({ features }) => features[index] ?? 0))) ??
    [];
  const examples = rawExamples.map((example) => ({
    ...example,
    features: example.features.map((feature, index) => feature / (deviations[index] ?? 1)),
  }));
  let weights = new Array<number>((examples[0]?.features.length ?? 0) + 1).fill(0);
  for (let round = 0; round < 8000; round++) {
    const gradient = weights.map((weight, index) => (index === 0 ? 0 : 0.002 * weight));
    for (const { features, isTrue, weight } of examples) {
      const error = (probability(weights, features) - (isTrue ? 1 : 0)) * weight;
      gradient[0] = (gradient[0] ?? 0) + error;
      for (const [index, feature] of features.entries())
        gradient[index + 1] = (gradient[index + 1] ?? 0) + error * feature;
    }
    weights = weights.map((weight, index) => weight - 0.1 * (gradient[index] ?? 0));
  }
  return weights.map((weight, index) => (index === 0 ? weight : weight / (deviations[index - 1] ?? 1)));
}

/** Standard deviation, or 1 for constant features. */
function deviationOf(values: number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1;
}

function probability([constant = 0, ...weights]: number[], features: number[]): number {
  const sum = features.reduce((sum, feature, index) => sum + feature * (weights[index] ?? 0), constant);
  return 1 / (1 + Math.exp(-sum));
}

function shareOfTrue(predictions: readonly { isTrue: boolean }[]): number {
  return predictions.filter(({ isTrue }) => isTrue).length / predictions.length;
}

function formatWeights(names: string[], weights: number[]): string {
  return names.map((name, index) => `${name} ${weights[index]?.toFixed(3)}`).join(', ');
}
