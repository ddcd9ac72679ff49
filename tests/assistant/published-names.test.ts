/**
 * The assistant does not deny published content. Tests names, companies, roles and places of the starter content in two
 * languages.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seed } from '../../packages/backend/src/database/seed.ts';
import { createSearchIndex } from '../../supabase/functions/ai-chat/search.ts';
import { readSiteContent, type SiteContent } from '../../supabase/functions/ai-chat/site-content.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { answerQuestion } from './judge.ts';

let site: TestBackend;
let content: SiteContent;
beforeAll(async () => {
  site = await startTestBackend();
  await seed(site.backend.database, join(import.meta.dirname, '../../supabase/seed.sql'));
  content = await readSiteContent({
    apiUrl: site.url,
    publishableKey: 'sb_publishable_signalfjord',
    secretKey: site.backend.keys.secretKey,
    fetch,
  });
});
afterAll(() => site.close());

/** Phrases with which the assistant denies that something is published. */
const DENIAL =
  /not published|nothing (?:is )?published|do not know|ikke publisert|ingenting som er publisert|vet jeg ikke/i;

/** Asks each question. @returns the answers that contain a denial, or lack the expected text */
function findWrongAnswers(questions: { ask: string; expected: string }[]): string[] {
  const index = createSearchIndex(content);
  return questions.flatMap(({ ask, expected }) => {
    // Remove links, because titles of projects and articles may contain such a phrase.
    const answer = answerQuestion(content, index, { ask });
    const plainText = answer.replace(/\[[^\]]*\]\([^)]*\)/g, '').replace(/: not published|: ikke publisert/g, '');
    return DENIAL.test(plainText) || !answer.includes(expected) ? [`${ask}: ${answer}`] : [];
  });
}

const createCases = <Item>(
  items: readonly Item[],
  questions: (item: Item) => string[],
  expected: (item: Item) => string,
) => items.flatMap((item) => questions(item).map((ask) => ({ ask, expected: expected(item) })));

test('Questions about team members get their name', () => {
  const questions = ({ name }: { name: string }) => [
    `Who is ${name}?`,
    `Hvem er ${name}?`,
    `tell me about ${name.toLowerCase()}`,
  ];
  expect(findWrongAnswers(createCases(content.team, questions, ({ name }) => name))).toEqual([]);
});

test('Questions about authors of reviews get their company', () => {
  const questions = ({ author_name }: { author_name: string }) => [
    `Who is ${author_name}?`,
    `Hvem er ${author_name}?`,
    `do you know ${author_name.toLowerCase()}`,
  ];
  expect(findWrongAnswers(createCases(content.reviews, questions, ({ company }) => company))).toEqual([]);
});

test("Questions about a company's opinion of us get its reviews", () => {
  const questions = ({ company }: { company: string }) => [
    `What did ${company} say about you?`,
    `anyone from ${company} said something?`,
    `Who works at ${company}?`,
    `Hva sa ${company} om dere?`,
  ];
  expect(findWrongAnswers(createCases(content.reviews, questions, ({ author_name }) => author_name))).toEqual([]);
});

test('Questions about a client get its project', () => {
  const questions = ({ company }: { company: string }) => [
    `What did you do for ${company}?`,
    `do you know ${company}?`,
    `Have you worked with ${company}?`,
    `Hva gjorde dere for ${company}?`,
    company,
  ];
  expect(findWrongAnswers(createCases(content.projects, questions, ({ title }) => title))).toEqual([]);
});

test('Questions about a role get the person', () => {
  const roles = (role: string) => [`Who does ${role}?`, `Hvem har ansvar for ${role}?`];
  const questions = [
    ...content.team.flatMap(({ name, position }) =>
      position.split(/,|\band\b/).flatMap((role) => roles(role.trim()).map((ask) => ({ ask, expected: name }))),
    ),
    ...content.reviews.flatMap(({ author_name, author_role, company }) =>
      [`who is the ${author_role} of ${company}`, `hvem er ${author_role} i ${company}`].map((ask) => ({
        ask,
        expected: author_name,
      })),
    ),
  ];
  expect(findWrongAnswers(questions)).toEqual([]);
});

test('Questions about a place get our address or the projects in that place', () => {
  const aboutOffice = ['are you in Oslo?', 'do you have an office in Oslo', 'Oslo?', 'er dere i Oslo?'].map((ask) => ({
    ask,
    expected: 'Oslo, Norway',
  }));
  const aboutSweden = [
    'which client is in Sweden?',
    'do you have a project in Sweden?',
    'har dere et prosjekt i Sverige?',
  ].map((ask) => ({ ask, expected: 'Sweden with three people' }));
  expect(findWrongAnswers([...aboutOffice, ...aboutSweden])).toEqual([]);
});

test.each([
  'what is the weather in Oslo',
  'who won the battle of Oslo',
  'how many people live in Sweden',
  'what is the capital of Sweden',
  'how high is the tide in Oslo tonight',
])('An off-topic question with a known name is not answered: %s', (question) => {
  expect(answerQuestion(content, createSearchIndex(content), { ask: question })).toContain('I do not know that');
});

test('Questions about durations get the timelines', () => {
  const questions = ['how much time does it take?', 'how long does it take', 'hvor lang tid tar det?'].map((ask) => ({
    ask,
    expected: '4-6 weeks',
  }));
  expect(findWrongAnswers(questions)).toEqual([]);
});

test.each([
  'Where is Isfront based?',
  'where is Brattli from',
  'Hvor holder Isfront til?',
  'Hvor ligger Havline?',
  ['Tell me about Isfront', 'where are they based?'],
])('Our address is not given as the location of a client: %j', (ask) => {
  expect(answerQuestion(content, createSearchIndex(content), { ask })).not.toContain('Oslo');
});
