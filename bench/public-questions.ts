/** Reads public question sets (EVALUATION_DIR) and turns them into questions and answers. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createSearchIndex, FITTED_PARAMETERS, type SearchMatch } from '../supabase/functions/ai-chat/search.ts';
import type { Published } from '../supabase/functions/ai-chat/site-content.ts';
import { textbookBm25 } from './textbook-bm25.ts';

const FOLDER = process.env['EVALUATION_DIR'] ?? join(import.meta.dirname, '../../shared/evaluation');
const CLINC = join(FOLDER, 'clinc150-tuning.json');
const BANKING = join(FOLDER, 'banking77-train.csv');

/** Intents of the public set about the assistant itself, which our assistant also answers. */
const ABOUT_ASSISTANTS = new Set(
  `yes no maybe thank_you greeting goodbye are_you_a_bot what_is_your_name who_made_you who_do_you_work_for
  what_can_i_ask_you where_are_you_from how_old_are_you schedule_meeting meeting_schedule cancel change_language repeat
  tell_joke make_call what_are_your_hobbies do_you_have_pets reset_settings change_ai_name`.split(/\s+/),
);

interface Labelled {
  text: string;
  label: string;
}

/** Disjoint sets of sentences: constants are fitted on one set and measured on the other. */
export interface QuestionPart {
  /** Sets of sentences by name. Each sentence is labelled with its intent. */
  sets: Record<string, Labelled[]>;
  /** Sentences without an intent. */
  outOfScope: string[];
  /** Questions that are not about us: sentences without an intent, and every tenth sentence with an intent. */
  offTopic: string[];
}

/** @returns null if the files are missing, after printing a message */
export function readPublicQuestions(): { training: QuestionPart; test: QuestionPart } | null {
  if (!existsSync(CLINC) || !existsSync(BANKING)) {
    console.log(`No public questions in ${FOLDER}: set EVALUATION_DIR to a folder with CLINC150 and Banking77.`);
    return null;
  }
  const labelled = z.array(z.tuple([z.string(), z.string()])).transform(toLabelled);
  const clinc = z
    .object({ train: labelled, val: labelled, oos_train: labelled, oos_val: labelled })
    .parse(JSON.parse(readFileSync(CLINC, 'utf8')));
  const banking = parseBanking(readFileSync(BANKING, 'utf8'));
  const ordinaryQuestions = clinc.val.filter(({ label }) => !ABOUT_ASSISTANTS.has(label));
  const part = (remainder: 0 | 1, outOfScope: Labelled[]): QuestionPart => ({
    sets: { Banking77: selectHalf(banking, remainder), CLINC150: selectHalf(clinc.train, remainder) },
    outOfScope: outOfScope.map(({ text }) => text),
    offTopic: [...outOfScope, ...ordinaryQuestions.filter((_, index) => index % 10 === remainder * 5)].map(
      ({ text }) => text,
    ),
  });
  return { training: part(0, clinc.oos_train), test: part(1, clinc.oos_val) };
}

function toLabelled(pairs: [string, string][]): Labelled[] {
  return pairs.map(([text, label]) => ({ text, label }));
}

function selectHalf(sentences: readonly Labelled[], remainder: 0 | 1): Labelled[] {
  return sentences.filter((_, index) => index % 2 === remainder);
}

/** Parses CSV lines with a quoted or unquoted text and a label. */
function parseBanking(csv: string): Labelled[] {
  return [...csv.matchAll(/^(?:"((?:[^"]|"")*)"|([^",\n]*)),([^,\n]+?)\r?$/gm)]
    .map(([, quoted, unquoted = '', label = '']) => ({
      text: (quoted ?? unquoted).replaceAll('""', '"').trim(),
      label,
    }))
    .slice(1);
}

export interface SearchResult {
  text: string;
  best: SearchMatch | undefined;
  isCorrect: boolean;
  /** True if the first result of BM25 is correct, with its score. */
  isBm25Correct: boolean;
  bm25Score: number;
}

/** Creates an entry from six sentences of each intent, and searches for `count` of the remaining sentences. */
export function searchLabelled(
  sentences: readonly Labelled[],
  seed: number,
  count: number,
  weights = FITTED_PARAMETERS,
): { results: SearchResult[]; search: (text: string) => SearchMatch[] } {
  const random = randomFrom(seed);
  const shuffled = sentences.map((sentence) => ({ ...sentence, order: random() })).sort((a, b) => a.order - b.order);
  const sentencesByIntent = Map.groupBy(shuffled, ({ label }) => label);
  const entries = [...sentencesByIntent].map(([label, [first, ...otherSentences]]) => ({
    label,
    question: first?.text ?? '',
    answer: [label.replaceAll('_', ' '), ...otherSentences.slice(0, 5).map(({ text }) => text)].join('. '),
  }));
  const searchBm25 = textbookBm25(entries.map(({ question, answer }) => `${question}. ${answer}`));
  const published = entries.map(
    ({ question, answer, label }): Published => ({
      kind: 'faq',
      title: question,
      url: `/${label}`,
      texts: [answer],
      item: { question, answer },
    }),
  );
  const { search } = createSearchIndex({ published }, weights);
  const questions = [...sentencesByIntent.values()]
    .flatMap((sentences) => sentences.slice(6))
    .sort((a, b) => a.order - b.order);
  const results = questions.slice(0, count).map(({ text, label }): SearchResult => {
    const [best] = search(text);
    const [first] = searchBm25(text);
    return {
      text,
      best,
      isCorrect: best?.url === `/${label}`,
      isBm25Correct: first !== undefined && entries[first.id]?.label === label,
      bm25Score: first?.score ?? 0,
    };
  });
  return { results, search };
}

/** Returns a seeded generator of random numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
