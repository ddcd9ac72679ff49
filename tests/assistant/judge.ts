/** Judges answers of the built-in assistant to our own questions, for the tests and for the bench. */
import { LIMITS } from '../../supabase/functions/ai-chat/built-in/limits.ts';
import { replyFromContent } from '../../supabase/functions/ai-chat/built-in-assistant.ts';
import type { ChatMessage } from '../../supabase/functions/ai-chat/chat-message.ts';
import type { SearchIndex } from '../../supabase/functions/ai-chat/search.ts';
import type { SiteContent } from '../../supabase/functions/ai-chat/site-content.ts';
import type { AskedQuestion, QuestionSet } from './question.ts';

export interface Judged {
  title: string;
  answer: string;
  faults: string[];
  /** Words that are wrong about us, or another's presented as ours. */
  wrongs: string[];
}

/** Puts a question's messages one by one. @returns the last answer */
export function answerTo(
  content: SiteContent,
  index: SearchIndex,
  { ask, leads }: AskedQuestion,
  limits = LIMITS,
): string {
  const told = leads ? { ...content, takesLeads: true } : content;
  const conversation: ChatMessage[] = [];
  for (const message of [ask].flat()) {
    conversation.push({ role: 'user', content: message });
    conversation.push({ role: 'assistant', content: replyFromContent(told, index, conversation, limits).text });
  }
  return conversation.at(-1)?.content ?? '';
}

export function judgeAll(content: SiteContent, index: SearchIndex, sets: QuestionSet, limits = LIMITS): Judged[] {
  return Object.entries(sets).flatMap(([kind, questions]) =>
    questions.map((question) => judge(content, kind, question, answerTo(content, index, question, limits))),
  );
}

function judge(content: SiteContent, kind: string, question: AskedQuestion, answer: string): Judged {
  const { must = [], not = [], never = [] } = question;
  return {
    title: `${kind}: ${[question.ask].flat().join(' / ')}`,
    answer,
    faults: [
      ...must.filter((expected) => !has(answer, expected)).map((expected) => `lacks ${expected}`),
      ...not.filter((unwanted) => has(answer, unwanted)).map((unwanted) => `has ${unwanted}`),
      ...never.filter((wrong) => has(answer, wrong)).map((wrong) => `has ${wrong}`),
    ],
    wrongs: [
      ...never.filter((wrong) => has(answer, wrong)).map(String),
      ...inventedNumbers(content, answer, question).map(
        (number) => `the number ${number}, which nothing published has`,
      ),
      ...clientsUnnamed(content, answer),
    ],
  };
}

function has(answer: string, expected: string | RegExp): boolean {
  return typeof expected === 'string' ? answer.includes(expected) : expected.test(answer);
}

/** Numbers that neither the content nor the visitor said; a call of 30 minutes is the assistant's own. */
function inventedNumbers(content: SiteContent, answer: string, { ask }: AskedQuestion): string[] {
  const said = JSON.stringify([content.published, content.reviews, ask]);
  const shown = answer.replace(/\]\([^)]*\)/g, ']');
  const people = String(content.team.length);
  return (shown.match(/\d+(?:[.,]\d+)*/g) ?? []).filter(
    (number) => number !== '30' && number !== people && !said.includes(number),
  );
}

/** Lists the projects that an answer quotes without naming their client. */
function clientsUnnamed({ projects }: SiteContent, answer: string): string[] {
  return projects
    .filter(({ company, full_content }) => {
      const quoted = answer.match(/^> (.*)$/m)?.[1]?.slice(0, 60);
      return quoted && full_content.replace(/[*_`]/g, '').includes(quoted.slice(0, 40)) && !answer.includes(company);
    })
    .map(({ company }) => `what is about ${company}, without naming it`);
}

/** Tells whether an answer quotes or lists something published, or names it as its source. */
export function hasContent(answer: string): boolean {
  return /^(?:> |- |(?:Sources|Kilder):)/m.test(answer);
}

/** Scores limits: our questions that are answered well, less those about anything else that get content. */
export function scoreOf(
  content: SiteContent,
  index: SearchIndex,
  ours: readonly QuestionSet[],
  others: readonly string[],
  limits = LIMITS,
): number {
  const judged = ours.flatMap((sets) => judgeAll(content, index, sets, limits));
  const well = judged.filter(({ faults, wrongs }) => faults.length + wrongs.length === 0);
  const shown = others.filter((other) =>
    hasContent(replyFromContent(content, index, [{ role: 'user', content: other }], limits).text),
  );
  return well.length - shown.length;
}
