import { expect, test } from 'vitest';
import { answerFromContent } from '../built-in-assistant.ts';
import { createSearchIndex } from '../search.ts';
import { groupPublished, type SiteContent } from '../site-content.ts';

const ENTRIES = [
  { question: 'Can we cancel at any time?', answer: 'Yes, with **thirty days** of notice.' },
  { question: 'How much does it cost?', answer: 'A pilot is 40,000 NOK.' },
  { question: 'Do you work with law firms?', answer: 'With twelve of them.' },
];

const CHATBOTS = {
  title: 'AI Chatbots',
  slug: 'chatbots',
  short_description: 'An assistant for your site.',
  long_description: '',
  timeline: '2-4 weeks',
  pricing: 'Fixed price per assistant',
  deliverables: [],
};

const content: SiteContent = {
  ...groupPublished([
    {
      kind: 'services',
      title: CHATBOTS.title,
      public_path: '/services',
      text_columns: ['short_description'],
      item: CHATBOTS,
    },
    ...ENTRIES.map((item) => ({
      kind: 'faq',
      title: item.question,
      public_path: '/contact#questions',
      text_columns: ['answer'],
      item,
    })),
  ]),
  sections: new Map(),
  settings: new Map(),
  languages: ['en', 'nb'],
  takesLeads: false,
  instructions: '',
  allowedOrigins: 'any',
  isSwitchedOff: false,
};

function ask(question: string): string {
  return answerFromContent(content, createSearchIndex(content), [{ role: 'user', content: question }]);
}

test('A question that matches an entry gets its whole answer, with the entry as the source', () => {
  expect(ask('can I cancel at any time')).toBe(
    'Yes, with **thirty days** of notice.\n\nSources:\n\n- [Can we cancel at any time?](/contact#questions)',
  );
  expect(ask('Do you work with law firms')).toContain('With twelve of them.');
});

test.each([
  ['is there a notice period', 'Yes, with **thirty days** of notice.'],
  ['kan vi si opp når som helst?', 'Yes, with **thirty days** of notice.'],
  ['what does it cost', 'A pilot is 40,000 NOK.'],
])('%j matches an entry in other words', (question, answer) => {
  expect(ask(question)).toContain(answer);
});

test('The price of a service takes precedence over the general entry', () => {
  expect(ask('what does a chatbot cost')).toContain('Fixed price per assistant');
});

test("An entry takes precedence over the assistant's own answer", () => {
  expect(ask('how much does it cost')).toContain('A pilot is 40,000 NOK.');
});

test.each(['Do you have a guarantee?', 'Do you work with dentists?', '', '?'])(
  '%j does not match an unrelated entry',
  (question) => {
    for (const { answer } of ENTRIES) expect(ask(question)).not.toContain(answer);
  },
);
