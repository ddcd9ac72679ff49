/**
 * Quality of the built-in assistant: questions as buyers put them, against the starter content. The share that is
 * answered well is printed and has a floor; an answer that is wrong about us is a failure whatever the share.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seed } from '../../backend/database/seed.ts';
import { answerFromContent, replyFromContent } from '../../supabase/functions/ai-chat/built-in-assistant.ts';
import type { ChatMessage } from '../../supabase/functions/ai-chat/prompt.ts';
import { createSearchIndex, type SearchIndex } from '../../supabase/functions/ai-chat/search.ts';
import { readSiteContent, type SiteContent } from '../../supabase/functions/ai-chat/site-content.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { FIRST_QUESTIONS } from './first-questions.ts';
import { FOURTH_QUESTIONS } from './fourth-questions.ts';
import { OTHER_QUESTIONS } from './other-questions.ts';
import type { AskedQuestion, QuestionSet } from './question.ts';
import { SECOND_QUESTIONS } from './second-questions.ts';
import { THIRD_QUESTIONS } from './third-questions.ts';

/** The share of questions that must be answered well. */
const FLOOR = 0.9;

let site: TestBackend;
let content: SiteContent;
let index: SearchIndex;
beforeAll(async () => {
  site = await startTestBackend();
  await seed(site.backend.database, join(import.meta.dirname, '../../supabase/seed.sql'));
  content = await readSiteContent({
    apiUrl: site.url,
    publishableKey: 'sb_publishable_signalfjord',
    secretKey: site.backend.keys.secretKey,
    fetch,
  });
  index = createSearchIndex(content);
});
afterAll(() => site.close());

function answerTo({ ask, leads }: AskedQuestion): string {
  const told = leads ? { ...content, takesLeads: true } : content;
  const conversation: ChatMessage[] = [];
  for (const message of [ask].flat()) {
    conversation.push({ role: 'user', content: message });
    conversation.push({ role: 'assistant', content: answerFromContent(told, index, conversation) });
  }
  return conversation.at(-1)?.content ?? '';
}

function has(answer: string, expected: string | RegExp): boolean {
  return typeof expected === 'string' ? answer.includes(expected) : expected.test(answer);
}

interface Judged {
  title: string;
  answer: string;
  faults: string[];
  wrongs: string[];
}

function judge(kind: string, question: AskedQuestion): Judged {
  const answer = answerTo(question);
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
      ...inventedNumbers(answer, question).map((number) => `the number ${number}, which nothing published has`),
      ...clientsUnnamed(answer),
    ],
  };
}

/** Numbers that neither the content nor the visitor said; a call of 30 minutes is the assistant's own. */
function inventedNumbers(answer: string, { ask }: AskedQuestion): string[] {
  const said = JSON.stringify([content.published, content.reviews, ask]);
  const shown = answer.replace(/\]\([^)]*\)/g, ']');
  const people = String(content.team.length);
  return (shown.match(/\d+(?:[.,]\d+)*/g) ?? []).filter(
    (number) => number !== '30' && number !== people && !said.includes(number),
  );
}

/** Lists the projects that an answer quotes without naming their client. */
function clientsUnnamed(answer: string): string[] {
  return content.projects
    .filter(({ company, full_content }) => {
      const quoted = answer.match(/^> (.*)$/m)?.[1]?.slice(0, 60);
      return quoted && full_content.replace(/[*_`]/g, '').includes(quoted.slice(0, 40)) && !answer.includes(company);
    })
    .map(({ company }) => `what is about ${company}, without naming it`);
}

function judgeAll(sets: QuestionSet): Judged[] {
  return Object.entries(sets).flatMap(([kind, questions]) => questions.map((question) => judge(kind, question)));
}

test.each([
  ['written first', FIRST_QUESTIONS],
  ['written second', SECOND_QUESTIONS],
  ['written third', THIRD_QUESTIONS],
  ['written last', FOURTH_QUESTIONS],
])('Questions %s are answered well, and none wrong about us', (name, sets) => {
  const judged = judgeAll(sets);
  const failed = judged.filter(({ faults, wrongs }) => faults.length + wrongs.length > 0);
  const share = (judged.length - failed.length) / judged.length;
  console.log(`Questions ${name}: ${judged.length - failed.length} of ${judged.length} (${(share * 100).toFixed(1)}%)`);
  for (const { title, faults, wrongs, answer } of failed) {
    console.log(`- ${title}\n  ${[...faults, ...wrongs].join('; ')}\n${answer.replace(/^/gm, '    | ')}`);
  }
  expect(judged.filter(({ wrongs }) => wrongs.length > 0).map(({ title, wrongs }) => ({ title, wrongs }))).toEqual([]);
  expect(share).toBeGreaterThanOrEqual(FLOOR);
});

/** Shares of questions about anything but us that may be answered with content, and count as answered at all. */
const MOST_WITH_CONTENT = 0.05;
const MOST_ANSWERED = 0.1;

test('Questions about anything but us are not answered, and kept as unanswered', () => {
  const replies = OTHER_QUESTIONS.map((question) => ({
    question,
    ...replyFromContent(content, index, [{ role: 'user', content: question }]),
  }));
  const answered = replies.filter(({ outcome }) => outcome.answered);
  const withContent = replies.filter(({ text }) => /^(?:> |(?:Sources|Kilder|Källor|Quellen):)/m.test(text));
  console.log(
    `Of ${replies.length} questions about anything but us ${answered.length} count as answered, ${withContent.length} with content`,
  );
  expect(replies.length).toBeGreaterThanOrEqual(100);
  expect(withContent.length / replies.length, JSON.stringify(withContent)).toBeLessThanOrEqual(MOST_WITH_CONTENT);
  expect(answered.length / replies.length, JSON.stringify(answered)).toBeLessThanOrEqual(MOST_ANSWERED);
});

test.each([
  ['Who is Emil Strand?', 'VP Sales, Brattli'],
  ['Wer ist Emil Strand?', 'VP Sales, Brattli'],
  ['who does the copywriting?', 'Maja Lindqvist'],
  [['Tell me about Isfront', 'who said something about it there?'], 'Magnus Sæther'],
  ['our mails go to spam', 'Havline'],
  ['our CRM is full of duplicates', 'Isfront'],
  ['can I see a case study', '/projects?case='],
])('What is published is not denied: %j', (ask, expected) => {
  expect(answerTo({ ask })).toContain(expected);
});
