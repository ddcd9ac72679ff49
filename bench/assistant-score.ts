/**
 * Prints the quality of the assistant's answers to our own questions and to public questions that were not used for
 * fitting.
 */
import { SURE } from '../supabase/functions/ai-chat/built-in/find-entry.ts';
import { replyFromContent } from '../supabase/functions/ai-chat/built-in-assistant.ts';
import { createSearchIndex } from '../supabase/functions/ai-chat/search.ts';
import type { SiteContent } from '../supabase/functions/ai-chat/site-content.ts';
import { FIRST_QUESTIONS } from '../tests/assistant/first-questions.ts';
import { FOURTH_QUESTIONS } from '../tests/assistant/fourth-questions.ts';
import { hasContent, judgeAll } from '../tests/assistant/judge.ts';
import { OFF_TOPIC_QUESTIONS } from '../tests/assistant/other-questions.ts';
import { SECOND_QUESTIONS } from '../tests/assistant/second-questions.ts';
import { THIRD_QUESTIONS } from '../tests/assistant/third-questions.ts';
import { type QuestionPart, readPublicQuestions, type SearchResult, searchLabelled } from './public-questions.ts';
import { report } from './site.ts';
import { starterContent } from './starter-content.ts';

/** Number of random selections of entries, and questions asked per selection. */
const SEEDS = [21, 22];
const QUESTIONS_PER_SEED = 1000;

export async function printScore(): Promise<void> {
  const content = await starterContent();
  const index = createSearchIndex(content);
  const judgments = [FIRST_QUESTIONS, SECOND_QUESTIONS, THIRD_QUESTIONS, FOURTH_QUESTIONS].flatMap((sets) =>
    judgeAll(content, index, sets),
  );
  const goodAnswers = judgments.filter(({ faults, falseStatements }) => faults.length + falseStatements.length === 0);
  const wrongAnswers = judgments.filter(({ falseStatements }) => falseStatements.length > 0);
  report('Our own questions, answered well', `${goodAnswers.length} of ${judgments.length}`, '');
  report('Our own questions, false statements about us', `${wrongAnswers.length}`, 'none');
  reportOffTopic('Our own off-topic questions', content, OFF_TOPIC_QUESTIONS);
  const questions = readPublicQuestions();
  if (!questions) return;
  reportOffTopic('Public off-topic questions', content, questions.test.offTopic);
  reportOffTopic('CLINC150 out of scope', content, questions.test.outOfScope);
  for (const [name, sentences] of Object.entries(questions.test.sets))
    reportRanking(name, sentences, questions.test.outOfScope);
}

function reportOffTopic(name: string, content: SiteContent, questions: readonly string[]): void {
  const index = createSearchIndex(content);
  const replies = questions.map((question) => replyFromContent(content, index, [{ role: 'user', content: question }]));
  const withContent = replies.filter(({ text }) => hasContent(text));
  // Small talk is not listed under unanswered questions.
  const answeredReplies = replies.filter(({ outcome }) => outcome.reason === null);
  report(`${name}, ${questions.length}: with content`, shareOf(withContent, replies), 'at most 5%');
  report(`${name}: counted as answered`, shareOf(answeredReplies, replies), 'at most 10%');
}

/**
 * Compares each search on two sets: all questions, and the half of the questions with the highest scores of that
 * search.
 */
function reportRanking(name: string, sentences: QuestionPart['sets'][string], outOfScope: string[]): void {
  const selections = SEEDS.map((seed) => searchLabelled(sentences, seed, QUESTIONS_PER_SEED));
  const results = selections.flatMap((selection) => selection.results);
  const halfCount = Math.floor(results.length / 2);
  const mostCertain = results
    .toSorted((a, b) => (b.best?.certainty ?? 0) - (a.best?.certainty ?? 0))
    .slice(0, halfCount);
  const mostCertainBm25 = results.toSorted((a, b) => b.bm25Score - a.bm25Score).slice(0, halfCount);
  const shareCorrect = (subset: SearchResult[]) =>
    shareOf(
      subset.filter(({ isCorrect }) => isCorrect),
      subset,
    );
  const shareCorrectBm25 = (subset: SearchResult[]) =>
    shareOf(
      subset.filter(({ isBm25Correct }) => isBm25Correct),
      subset,
    );
  const answeredResults = results.filter(({ best }) => best && best.certainty >= SURE);
  const certainties = selections.flatMap(({ search }) => outOfScope.map((text) => search(text)[0]?.certainty ?? 0));
  report(`${name}: correct first result`, shareCorrect(results), `BM25 ${shareCorrectBm25(results)}`);
  report(
    `${name}: correct in the more certain half`,
    shareCorrect(mostCertain),
    `BM25 ${shareCorrectBm25(mostCertainBm25)} and 5 points`,
  );
  report(
    `${name}: correct best source if answered`,
    shareCorrect(answeredResults),
    `95%; answers ${shareOf(answeredResults, results)}`,
  );
  report(
    `${name}: off-topic questions answered`,
    shareOf(
      certainties.filter((certainty) => certainty >= SURE),
      certainties,
    ),
    'none',
  );
}

function shareOf(subset: readonly unknown[], all: readonly unknown[]): string {
  return `${((100 * subset.length) / Math.max(1, all.length)).toFixed(1)}%`;
}
