import { expect, test } from 'vitest';
import { writePrompt } from './prompt.ts';
import { retrieve } from './retrieve.ts';
import { createSearchIndex } from './search.ts';
import { groupPublished, type PublishedRow, type SiteContent } from './site-content.ts';

const FILLER = 'Some sentences of an article say nothing in particular about anything. '.repeat(60);

function post(number: number, subject = 'weather'): PublishedRow {
  const item = {
    title: `Article ${number} on ${subject}`,
    slug: `article-${number}`,
    excerpt: '',
    content: `${FILLER}Number ${number} has a sentence about ${subject}: it rains on ${number} days. ${FILLER}`,
    published_date: '2026-01-01T00:00:00Z',
  };
  return { kind: 'posts', title: item.title, public_path: '/news/{slug}', text_columns: ['excerpt', 'content'], item };
}

function service(title: string, pricing: string): PublishedRow {
  const item = { title, slug: title, short_description: `${title} from us`, timeline: '4-6 weeks', pricing };
  return { kind: 'services', title, public_path: '/services', text_columns: ['short_description'], item };
}

function site(...rows: PublishedRow[]): SiteContent {
  return {
    ...groupPublished(rows.map((row) => ({ ...row, item: { deliverables: [], ...row.item } }))),
    sections: new Map([['home/footer', { contact: { address: ['Storgata 1', '0155 Oslo'] } }]]),
    settings: new Map([
      ['site_name', 'Signalfjord'],
      ['contact_email', 'post@example.com'],
    ]),
    languages: ['en', 'nb'],
    takesLeads: false,
    instructions: '',
    allowedOrigins: 'any',
    isSwitchedOff: false,
  };
}

const LARGE = site(
  service('Lighthouse setup', 'From 900 NOK'),
  ...Array.from({ length: 100 }, (_, number) => post(number, number === 70 ? 'foghorns' : 'weather')),
);

const INDEX = createSearchIndex(LARGE);

function ask(...questions: string[]) {
  const conversation = questions.map((question) => ({ role: 'user' as const, content: question }));
  const retrieved = retrieve(LARGE, INDEX, conversation);
  return { ...retrieved, system: writePrompt(LARGE, retrieved, conversation)[0]?.content ?? '' };
}

test('The prompt contains the content that matches the question, and not the rest of the site', () => {
  const { passages, system, hasMatch } = ask('What do you say about foghorns?');
  expect(hasMatch).toBe(true);
  expect(passages[0]).toMatchObject({ title: 'Article 70 on foghorns', url: '/news/article-70' });
  expect(passages[0]?.text).toContain('it rains on 70 days');
  expect(system).not.toContain('Article 69 ');
});

test('The content in the prompt stays below 5,000 tokens for any question', () => {
  const { system } = ask('weather', 'sentences of articles about weather');
  expect(system.length).toBeLessThan(4 * 5_000 + 3_000);
});

test('The prompt always contains the basic facts: contact, booking, services with price and timeline', () => {
  for (const question of ['Hello', 'What do you say about foghorns?']) {
    const { system } = ask(question);
    for (const fact of ['post@example.com', 'Storgata 1, 0155 Oslo', '30 minutes', 'From 900 NOK', '4-6 weeks'])
      expect(system).toContain(fact);
  }
});

test('A question without a subject is searched together with the previous questions', () => {
  const { passages } = ask('What do you say about foghorns?', 'And how long does it take?');
  expect(passages[0]?.title).toBe('Article 70 on foghorns');
});

test.each([
  ['Do you repair zeppelins?', false],
  ['What does it cost?', true],
  ['Hello there!', true],
  ['Tell me about lighthouses', true],
])('For %s, hasMatch is %s', (question, hasMatch) => {
  expect(ask(question).hasMatch).toBe(hasMatch);
});

test('The prompt contains the newest messages of a long conversation', () => {
  const conversation = Array.from({ length: 30 }, (_, number) => ({
    role: 'user' as const,
    content: `${number} ${'x'.repeat(3990)}`,
  }));
  const retrieved = retrieve(LARGE, INDEX, conversation);
  const messages = writePrompt(LARGE, retrieved, conversation).slice(1);
  expect(messages).toEqual(conversation.slice(-6));
});
