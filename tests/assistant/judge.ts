/** Judges answers of the built-in assistant to our own questions, for the tests and the benchmark. */
import { LIMITS } from '../../supabase/functions/ai-chat/built-in/limits.ts';
import { replyFromContent } from '../../supabase/functions/ai-chat/built-in-assistant.ts';
import type { ChatMessage } from '../../supabase/functions/ai-chat/chat-message.ts';
import type { SearchIndex } from '../../supabase/functions/ai-chat/search.ts';
import type { SiteContent } from '../../supabase/functions/ai-chat/site-content.ts';
import type { AskedQuestion, QuestionSet } from './question.ts';

export interface Judgement {
  title: string;
  answer: string;
  faults: string[];
  /** Statements that are wrong about us, or that attribute a client's facts to us. */
  falseStatements: string[];
}

/** Sends the messages of a question one by one. @returns the last answer */
export function answerQuestion(
  content: SiteContent,
  index: SearchIndex,
  { ask, leads }: AskedQuestion,
  limits = LIMITS,
): string {
  const site = leads ? { ...content, takesLeads: true } : content;
  const conversation: ChatMessage[] = [];
  for (const message of [ask].flat()) {
    conversation.push({ role: 'user', content: message });
    conversation.push({ role: 'assistant', content: replyFromContent(site, index, conversation, limits).text });
  }
  return conversation.at(-1)?.content ?? '';
}

export function judgeAll(content: SiteContent, index: SearchIndex, sets: QuestionSet, limits = LIMITS): Judgement[] {
  return Object.entries(sets).flatMap(([kind, questions]) =>
    questions.map((question) => judge(content, kind, question, answerQuestion(content, index, question, limits))),
  );
}

function judge(content: SiteContent, kind: string, question: AskedQuestion, answer: string): Judgement {
  const { must = [], not = [], never = [] } = question;
  return {
    title: `${kind}: ${[question.ask].flat().join(' / ')}`,
    answer,
    faults: [
      ...must.filter((expected) => !matches(answer, expected)).map((expected) => `lacks ${expected}`),
      ...not.filter((unwanted) => matches(answer, unwanted)).map((unwanted) => `has ${unwanted}`),
      ...never.filter((text) => matches(answer, text)).map((wrong) => `has ${wrong}`),
    ],
    falseStatements: [
      ...never.filter((text) => matches(answer, text)).map(String),
      ...findInventedNumbers(content, answer, question).map((number) => `the number ${number}, which is not published`),
      ...findUnnamedClients(content, answer),
    ],
  };
}

function matches(answer: string, expected: string | RegExp): boolean {
  return typeof expected === 'string' ? answer.includes(expected) : expected.test(answer);
}

/** Returns numbers that neither the content nor the visitor mentioned. The 30 minutes of a call are a fixed phrase. */
function findInventedNumbers(content: SiteContent, answer: string, { ask }: AskedQuestion): string[] {
  const sources = JSON.stringify([content.published, content.reviews, ask]);
  const visibleText = answer.replace(/\]\([^)]*\)/g, ']');
  const teamSize = String(content.team.length);
  return (visibleText.match(/\d+(?:[.,]\d+)*/g) ?? []).filter(
    (number) => number !== '30' && number !== teamSize && !sources.includes(number),
  );
}

/** Lists projects that an answer quotes without naming the client. */
function findUnnamedClients({ projects }: SiteContent, answer: string): string[] {
  return projects
    .filter(({ company, full_content }) => {
      const quote = answer.match(/^> (.*)$/m)?.[1]?.slice(0, 60);
      return quote && full_content.replace(/[*_`]/g, '').includes(quote.slice(0, 40)) && !answer.includes(company);
    })
    .map(({ company }) => `a quote about ${company} without its name`);
}

/** Checks whether an answer quotes, lists or links published content. */
export function hasContent(answer: string): boolean {
  return /^(?:> |- |(?:Sources|Kilder):)/m.test(answer);
}

/**
 * Returns the number of our questions with a good answer, minus the number of off-topic questions answered with
 * content.
 */
export function calculateScore(
  content: SiteContent,
  index: SearchIndex,
  ownQuestions: readonly QuestionSet[],
  offTopicQuestions: readonly string[],
  limits = LIMITS,
): number {
  const results = ownQuestions.flatMap((sets) => judgeAll(content, index, sets, limits));
  const good = results.filter(({ faults, falseStatements }) => faults.length + falseStatements.length === 0);
  const withContent = offTopicQuestions.filter((question) =>
    hasContent(replyFromContent(content, index, [{ role: 'user', content: question }], limits).text),
  );
  return good.length - withContent.length;
}
