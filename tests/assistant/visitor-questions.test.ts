/** The built-in assistant answers visitors' questions with published content, or offers to contact a person. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seed } from '../../packages/backend/src/database/seed.ts';
import { createSearchIndex, type SearchIndex } from '../../supabase/functions/ai-chat/search.ts';
import { readSiteContent, type SiteContent } from '../../supabase/functions/ai-chat/site-content.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { answerQuestion } from './judge.ts';
import { VISITOR_QUESTIONS } from './visitor-questions.ts';

let site: TestBackend;
let content: SiteContent;
let index: SearchIndex;

function readContent(): Promise<SiteContent> {
  return readSiteContent({
    apiUrl: site.url,
    publishableKey: 'sb_publishable_signalfjord',
    secretKey: site.backend.keys.secretKey,
    fetch,
  });
}

beforeAll(async () => {
  site = await startTestBackend();
  await seed(site.backend.database, join(import.meta.dirname, '../../supabase/seed.sql'));
  content = await readContent();
  index = createSearchIndex(content);
});
afterAll(() => site.close());

/** A reply that admits that the assistant does not know, and offers contact with a person. */
const ADMITS_IGNORANCE = /(?:do not know|vet jeg ikke)[\s\S]*(?:\/contact|\/#booking)/;

test.each(VISITOR_QUESTIONS)('The answer contains the published text: $ask', ({ ask, answer }) => {
  expect(answerQuestion(content, index, { ask })).toMatch(answer);
});

test.each(VISITOR_QUESTIONS)(
  'Paraphrases get the same text, or the assistant admits that it does not know: $ask',
  (question) => {
    for (const ask of [
      ...question.tuningParaphrases,
      ...question.heldOutParaphrases,
      ...question.independentParaphrases,
    ]) {
      const reply = answerQuestion(content, index, { ask });
      if (!question.answer.test(reply)) expect(reply, ask.join(' / ')).toMatch(ADMITS_IGNORANCE);
      expect(reply, ask.join(' / ')).not.toMatch(/Goodbye|Ha det bra|You are welcome|Bare hyggelig|Sunniva Dahl/);
    }
  },
);

test('Most paraphrases get the published text', () => {
  const calculateShare = (kind: 'tuningParaphrases' | 'heldOutParaphrases' | 'independentParaphrases') => {
    const results = VISITOR_QUESTIONS.flatMap((question) =>
      question[kind].map((ask) => question.answer.test(answerQuestion(content, index, { ask }))),
    );
    return results.filter(Boolean).length / results.length;
  };
  expect(calculateShare('tuningParaphrases')).toBeGreaterThanOrEqual(0.9);
  expect(calculateShare('heldOutParaphrases')).toBeGreaterThanOrEqual(0.75);
  expect(calculateShare('independentParaphrases')).toBeGreaterThanOrEqual(0.9);
});

test('The texts of every section are searchable', () => {
  const published = JSON.stringify(content.published);
  for (const text of [
    'opt-outs honoured within the minute',
    'Three phases, one owner',
    'Discovery: 2 Months',
    '$2M+ in pipeline',
    '2022: Half of the messages never arrived',
    'One letter a month',
    'Eleven meetings in the first month',
    'Lyngen',
    'Thirty minutes with the engineer',
    'A call that you book is free',
  ])
    expect(published, text).toContain(text);
});

test.each([
  ['Have you worked with Lyngen?', 'Lyngen'],
  ['Who is Jonas Brekke?', 'Eleven meetings in the first month'],
])('The assistant does not deny a name on the home page: %s', (ask, expected) => {
  expect(answerQuestion(content, index, { ask })).toContain(expected);
});

test('The default services are used while no service is published', async () => {
  await site.backend.database.query("update public.services set status = 'draft'");
  const fallback = await readContent();
  expect(fallback.services.map(({ title }) => title)).toEqual([
    'Outreach Systems',
    'Lead Generation Automation',
    'AI Chatbots',
  ]);
  await site.backend.database.query("update public.services set status = 'published'");
});

test('A partly saved section keeps the default texts of its other field groups', async () => {
  const section = JSON.stringify({ card6: { heading: 'Big on purpose', description: 'Forty engineers in Tromsø.' } });
  await site.backend.database.query(
    "insert into public.page_content (page_slug, section_name, content, content_type) values ('home', 'usps', $1, 'json')",
    [section],
  );
  const titles = (await readContent()).published.map(({ title }) => title);
  expect(titles).toContain('Big on purpose');
  expect(titles).toContain('How we work');
  expect(titles).not.toContain('Small on purpose');
});
