/**
 * Quality of the built-in assistant for typical questions of buyers about the starter content. The share of good
 * answers is printed and has a minimum. A wrong statement about us always fails the test.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seed } from '../../packages/backend/src/database/seed.ts';
import { LIMITS } from '../../supabase/functions/ai-chat/built-in/limits.ts';
import { replyFromContent } from '../../supabase/functions/ai-chat/built-in-assistant.ts';
import { createSearchIndex, type SearchIndex } from '../../supabase/functions/ai-chat/search.ts';
import { readSiteContent, type SiteContent } from '../../supabase/functions/ai-chat/site-content.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { FIRST_QUESTIONS } from './first-questions.ts';
import { FOURTH_QUESTIONS } from './fourth-questions.ts';
import { answerQuestion, calculateScore, hasContent, judgeAll } from './judge.ts';
import { OFF_TOPIC_QUESTIONS } from './other-questions.ts';
import { SECOND_QUESTIONS } from './second-questions.ts';
import { THIRD_QUESTIONS } from './third-questions.ts';

/** Minimum share of good answers. */
const MIN_GOOD_SHARE = 0.9;

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

test.each([
  ['the first set', FIRST_QUESTIONS],
  ['the second set', SECOND_QUESTIONS],
  ['the third set', THIRD_QUESTIONS],
  ['the fourth set', FOURTH_QUESTIONS],
])('At least 90% of %s get a good answer, and no answer is wrong about us', (name, sets) => {
  const results = judgeAll(content, index, sets);
  const failures = results.filter(({ faults, falseStatements }) => faults.length + falseStatements.length > 0);
  const share = (results.length - failures.length) / results.length;
  console.log(
    `Questions ${name}: ${results.length - failures.length} of ${results.length} (${(share * 100).toFixed(1)}%)`,
  );
  for (const { title, faults, falseStatements, answer } of failures) {
    console.log(`- ${title}\n  ${[...faults, ...falseStatements].join('; ')}\n${answer.replace(/^/gm, '    | ')}`);
  }
  expect(
    results
      .filter(({ falseStatements }) => falseStatements.length > 0)
      .map(({ title, falseStatements }) => ({ title, wrongs: falseStatements })),
  ).toEqual([]);
  expect(share).toBeGreaterThanOrEqual(MIN_GOOD_SHARE);
});

/** Maximum share of off-topic questions that are answered with content. */
const MAX_WITH_CONTENT = 0.05;
/** Maximum share of off-topic questions that count as answered. */ const MAX_ANSWERED = 0.1;

test('Off-topic questions are not answered, but recorded as unanswered', () => {
  const replies = OFF_TOPIC_QUESTIONS.map((question) => ({
    question,
    ...replyFromContent(content, index, [{ role: 'user', content: question }]),
  }));
  const answeredReplies = replies.filter(({ outcome }) => outcome.reason === null);
  const withContent = replies.filter(({ text }) => hasContent(text));
  console.log(
    `Of ${replies.length} off-topic questions, ${answeredReplies.length} count as answered, ${withContent.length} with content`,
  );
  expect(replies.length).toBeGreaterThanOrEqual(100);
  expect(withContent.length / replies.length, JSON.stringify(withContent)).toBeLessThanOrEqual(MAX_WITH_CONTENT);
  expect(answeredReplies.length / replies.length, JSON.stringify(answeredReplies)).toBeLessThanOrEqual(MAX_ANSWERED);
});

/** Question sets without matching examples. */
const SETS_WITHOUT_EXAMPLES = [THIRD_QUESTIONS, FOURTH_QUESTIONS];

test.each(Object.entries(LIMITS))(
  'Lowering or raising the limit %s by 0.1 does not improve the score',
  (name, limit) => {
    const scoreWithLimit = (value: number) =>
      calculateScore(content, index, SETS_WITHOUT_EXAMPLES, OFF_TOPIC_QUESTIONS, { ...LIMITS, [name]: value });
    const score = scoreWithLimit(limit);
    expect(scoreWithLimit(limit - 0.1)).toBeLessThanOrEqual(score);
    expect(scoreWithLimit(limit + 0.1)).toBeLessThanOrEqual(score);
  },
);

test('A reply counts as answered only if it names a source', () => {
  const questions = [FIRST_QUESTIONS, SECOND_QUESTIONS, THIRD_QUESTIONS, FOURTH_QUESTIONS].flatMap((sets) =>
    Object.values(sets).flatMap((questions) => questions.map(({ ask }) => [ask].flat()[0] ?? '')),
  );
  for (const question of [...questions, ...OFF_TOPIC_QUESTIONS]) {
    const { text, outcome } = replyFromContent(content, index, [{ role: 'user', content: question }]);
    expect(outcome.answered, text).toBe(/^(?:Sources|Kilder):/m.test(text));
  }
});

test.each(['Thanks a lot', 'are you a bot', 'unsubscribe me', 'anna.berg@firma.no', 'takk for hjelpen!'])(
  'Small talk counts neither as answered nor as unanswered: %s',
  (question) => {
    const { outcome } = replyFromContent(content, index, [{ role: 'user', content: question }]);
    expect(outcome).toEqual({ answered: false, reason: null });
  },
);

test.each(['what time do you open', 'are you a dentist', 'are you architects?', 'are you a lawyer'])(
  'A question about us that the site does not answer gets no content: %s',
  (question) => {
    const { text, outcome } = replyFromContent(content, index, [{ role: 'user', content: question }]);
    expect(outcome).toEqual({ answered: false, reason: 'nothing found' });
    expect(hasContent(text), text).toBe(false);
  },
);

test.each([
  'how is cheese made',
  'is Pluto still a planet',
  'why do leaves turn red in autumn',
  'do you offer training',
])('A question that only resembles small talk or an offer is recorded as unanswered: %s', (question) => {
  const { outcome } = replyFromContent(content, index, [{ role: 'user', content: question }]);
  expect(outcome).toEqual({ answered: false, reason: 'nothing found' });
});

test.each([
  ['Who is Emil Strand?', 'VP Sales, Brattli'],
  ['Hvem er Emil Strand?', 'VP Sales, Brattli'],
  ['who does the copywriting?', 'Maja Lindqvist'],
  [['Tell me about Isfront', 'who said something about it there?'], 'Magnus Sæther'],
  ['our mails go to spam', 'Havline'],
  ['our CRM is full of duplicates', 'Isfront'],
  ['can I see a case study', '/projects?case='],
  ['do you work with dentists', 'No such project is published'],
  ['what are the terms of this website', '/terms'],
])('The assistant does not deny published content: %j', (ask, expected) => {
  expect(answerQuestion(content, index, { ask })).toContain(expected);
});
