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
import { type AskedPublic, askLabelled, type PublicPart, readPublicQuestions } from './public-questions.ts';
import { report } from './site.ts';
import { starterContent } from './starter-content.ts';

/** Number of random selections of entries, and questions asked per selection. */
const SEEDS = [21, 22];
const ASKED = 1000;

export async function printScore(): Promise<void> {
  const content = await starterContent();
  const index = createSearchIndex(content);
  const judged = [FIRST_QUESTIONS, SECOND_QUESTIONS, THIRD_QUESTIONS, FOURTH_QUESTIONS].flatMap((sets) =>
    judgeAll(content, index, sets),
  );
  const well = judged.filter(({ faults, wrongs }) => faults.length + wrongs.length === 0);
  const wrong = judged.filter(({ wrongs }) => wrongs.length > 0);
  report('Our own questions, answered well', `${well.length} of ${judged.length}`, '');
  report('Our own questions, wrong about us', `${wrong.length}`, 'none');
  reportOffTopic('Our own off-topic questions', content, OFF_TOPIC_QUESTIONS);
  const questions = readPublicQuestions();
  if (!questions) return;
  reportOffTopic('Public off-topic questions', content, questions.kept.foreign);
  reportOffTopic('CLINC150 out of scope', content, questions.kept.outOfScope);
  for (const [name, sentences] of Object.entries(questions.kept.sets))
    reportRanking(name, sentences, questions.kept.outOfScope);
}

function reportOffTopic(name: string, content: SiteContent, questions: readonly string[]): void {
  const index = createSearchIndex(content);
  const replies = questions.map((question) => replyFromContent(content, index, [{ role: 'user', content: question }]));
  const withContent = replies.filter(({ text }) => hasContent(text));
  // Small talk is not listed as an unanswered question.
  const answered = replies.filter(({ outcome }) => outcome.reason === null);
  report(`${name}, ${questions.length}: with content`, shareOf(withContent, replies), 'at most 5%');
  report(`${name}: counted as answered`, shareOf(answered, replies), 'at most 10%');
}

/** Compares each search on all questions and on the half with its highest scores. */
function reportRanking(name: string, sentences: PublicPart['sets'][string], outOfScope: string[]): void {
  const draws = SEEDS.map((seed) => askLabelled(sentences, seed, ASKED));
  const asked = draws.flatMap((draw) => draw.asked);
  const half = Math.floor(asked.length / 2);
  const surest = asked.toSorted((a, b) => (b.best?.certainty ?? 0) - (a.best?.certainty ?? 0)).slice(0, half);
  const plainSurest = asked.toSorted((a, b) => b.plainScore - a.plainScore).slice(0, half);
  const right = (of: AskedPublic[]) =>
    shareOf(
      of.filter(({ isRight }) => isRight),
      of,
    );
  const plainRight = (of: AskedPublic[]) =>
    shareOf(
      of.filter(({ isPlainRight }) => isPlainRight),
      of,
    );
  const spoken = asked.filter(({ best }) => best && best.certainty >= SURE);
  const certainties = draws.flatMap(({ search }) => outOfScope.map((text) => search(text)[0]?.certainty ?? 0));
  report(`${name}: right at the top`, right(asked), `BM25 ${plainRight(asked)}`);
  report(`${name}: right in the surest half`, right(surest), `BM25 ${plainRight(plainSurest)} and 5 points`);
  report(`${name}: the best source right when it speaks`, right(spoken), `95%; speaks in ${shareOf(spoken, asked)}`);
  report(
    `${name}: it answers off-topic questions`,
    shareOf(
      certainties.filter((sure) => sure >= SURE),
      certainties,
    ),
    'none',
  );
}

function shareOf(part: readonly unknown[], all: readonly unknown[]): string {
  return `${((100 * part.length) / Math.max(1, all.length)).toFixed(1)}%`;
}
