/**
 * Fits the constants of certainty.ts, find-entry.ts and about-us.ts and prints them: how likely the best of a search is the
 * right one, and how likely a message is about us. What `npm run bench -- assistant` measures is kept apart.
 */
import { type Signs, signsOf } from '../supabase/functions/ai-chat/built-in/about-us.ts';
import { intentsOf } from '../supabase/functions/ai-chat/built-in/intents-of.ts';
import { Names } from '../supabase/functions/ai-chat/built-in/subjects.ts';
import { languageOf } from '../supabase/functions/ai-chat/languages.ts';
import { createSearchIndex } from '../supabase/functions/ai-chat/search.ts';
import { FIRST_QUESTIONS } from '../tests/assistant/first-questions.ts';
import { SECOND_QUESTIONS } from '../tests/assistant/second-questions.ts';
import { askLabelled, type PublicPart, readPublicQuestions } from './public-questions.ts';
import { starterContent } from './starter-content.ts';

interface Example {
  signs: number[];
  isTrue: boolean;
  /** Share of the example in all. */
  weight: number;
}

/** Draws of entries, and the questions that are put to each. */
const SEEDS = [11, 12];
const ASKED = 450;

const questions = readPublicQuestions();
if (questions) {
  calibrateCertainty(questions.fitted);
  await calibrateAboutUs(questions.fitted.foreign);
}

/** Fits on questions with their best entry, and on questions that none answers. */
function calibrateCertainty({ sets, outOfScope }: PublicPart): void {
  const examples = Object.values(sets).flatMap((sentences) =>
    SEEDS.flatMap((seed) => {
      const { asked, search } = askLabelled(sentences, seed, ASKED);
      return [
        ...asked.map(({ best, isRight }) => ({ best, isTrue: isRight })),
        ...outOfScope.map((text) => ({ best: search(text)[0], isTrue: false })),
      ].map(({ best, isTrue }) => {
        const { coverage, lead } = best ?? { coverage: 0, lead: 0 };
        return { signs: [coverage, lead, coverage * lead], isTrue };
      });
    }),
  );
  const weights = regress(examples.map((example) => ({ ...example, weight: 1 / examples.length })));
  console.log(`certainty.ts: ${named(['constant', 'coverage', 'lead', 'both'], weights)}`);
  const judged = examples.map(({ signs, isTrue }) => ({ sure: likelihood(weights, signs), isTrue }));
  const enough = judged
    .map(({ sure }) => sure)
    .sort((a, b) => a - b)
    .find((sure) => shareOfTrue(judged.filter((one) => one.sure >= sure)) >= 0.95);
  console.log(`find-entry.ts: SURE ${enough?.toFixed(2) ?? 'is reached nowhere'}`);
}

/** Fits on our own questions on one side, and on public ones about anything else on the other. */
async function calibrateAboutUs(others: readonly string[]): Promise<void> {
  const content = await starterContent();
  const index = createSearchIndex(content);
  const names = new Names(content);
  const signs = (text: string): Signs => {
    const language = languageOf(text, content.languages, 'en');
    const memory = { language, subject: null, intent: null, asked: null, listed: [], address: null };
    const named = names.in(text);
    const turn = { text, content, index, names, language, named, found: index.search(text), memory, subject: null };
    return signsOf(turn, intentsOf(turn)[0]);
  };
  const ours = [FIRST_QUESTIONS, SECOND_QUESTIONS].flatMap((sets) =>
    Object.values(sets).flatMap((asked) => asked.map(({ ask }) => [ask].flat()[0] ?? '')),
  );
  const examplesOf = (texts: readonly string[], isTrue: boolean): Example[] =>
    texts.map((text) => ({ signs: Object.values(signs(text)), isTrue, weight: 1 / texts.length }));
  const foreign = examplesOf(others, false);
  const weights = regress([...examplesOf(ours, true), ...foreign]);
  console.log(`about-us.ts: ${named(['constant', ...Object.keys(signs(''))], weights)}`);
  const likely = foreign.map((example) => likelihood(weights, example.signs)).sort((a, b) => b - a);
  const above = (share: number) => (likely[Math.floor(likely.length * share)] ?? 1).toFixed(2);
  console.log(`about-us.ts: SURE ${above(0.05)} (5% of what is foreign is above it), LIKELY ${above(0.1)} (10%)`);
}

/** Logistic regression by gradient descent. @returns the constant, then what each sign counts */
function regress(examples: Example[]): number[] {
  let weights = new Array<number>((examples[0]?.signs.length ?? 0) + 1).fill(0);
  for (let round = 0; round < 8000; round++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : 0.0005 * weight));
    for (const { signs, isTrue, weight } of examples) {
      const error = (likelihood(weights, signs) - (isTrue ? 1 : 0)) * weight;
      slope[0] = (slope[0] ?? 0) + error;
      for (const [at, sign] of signs.entries()) slope[at + 1] = (slope[at + 1] ?? 0) + error * sign;
    }
    weights = weights.map((weight, at) => weight - 1.5 * (slope[at] ?? 0));
  }
  return weights;
}

function likelihood([constant = 0, ...weights]: number[], signs: number[]): number {
  const sum = signs.reduce((all, sign, at) => all + sign * (weights[at] ?? 0), constant);
  return 1 / (1 + Math.exp(-sum));
}

function shareOfTrue(of: readonly { isTrue: boolean }[]): number {
  return of.filter(({ isTrue }) => isTrue).length / of.length;
}

function named(names: string[], weights: number[]): string {
  return names.map((name, at) => `${name} ${weights[at]?.toFixed(3)}`).join(', ');
}
