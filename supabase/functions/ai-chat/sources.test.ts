import { expect, test } from 'vitest';
import { sourceLines } from './sources.ts';

test('Sources are formatted as a heading and a list of links, and each page is linked once', () => {
  const found = [
    { title: 'AI Chatbots', url: '/services' },
    { title: 'Outreach Systems', url: '/services' },
    { title: 'A [quieter] inbox', url: '/projects?case=inbox' },
  ];
  expect(sourceLines(found)).toBe(
    'Sources:\n\n- [AI Chatbots](/services)\n- [A \\[quieter\\] inbox](/projects?case=inbox)',
  );
});

test('The heading is in the language of the answer, or in English for other languages', () => {
  const found = [{ title: 'News', url: '/news' }];
  expect(sourceLines(found, 'nb')).toBe('Kilder:\n\n- [News](/news)');
  expect(sourceLines(found, 'de')).toBe('Sources:\n\n- [News](/news)');
});

test('At most four sources are linked, and without sources the result is empty', () => {
  const found = Array.from({ length: 9 }, (_, number) => ({ title: `Page ${number}`, url: `/news/${number}` }));
  expect(sourceLines(found).match(/^- /gm)).toHaveLength(4);
  expect(sourceLines([])).toBe('');
});
