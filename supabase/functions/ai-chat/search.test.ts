import { expect, test } from 'vitest';
import { createSearchIndex, plainText } from './search.ts';
import { groupPublished } from './site-content.ts';

test('plainText() keeps only the words of videos, callouts, tasks and footnotes', () => {
  const text = [
    'It grew[^1] fast.',
    '',
    'https://youtu.be/dQw4w9WgXcQ',
    '/storage/v1/object/public/content-media/film.mp4',
    '',
    '> [!NOTE]',
    '> Mind *this*.',
    '',
    '- [x] done',
    '- [ ] open',
    '',
    'See https://a.example and /about.',
    '',
    '[^1]: By half.',
  ].join('\n');
  expect(plainText(text)).toBe('It grew fast. Mind this. done open See https://a.example and /about. By half.');
});

const ARTICLE = {
  title: 'Notes on mail',
  slug: 'notes-on-mail',
  content: `Mail is old.\n\n## Warming up\n\nA new mailbox sends five messages a day.\n\n## Leaving\n\n${'Everything is handed over in the end. '.repeat(30)}`,
};
const REVIEW = { author_name: 'Kari Moen', author_role: 'Harbour master', company: 'Skipshavn', quote: 'It works.' };
const INDEX = createSearchIndex(
  groupPublished([
    { kind: 'posts', title: ARTICLE.title, public_path: '/news/{slug}', text_columns: ['content'], item: ARTICLE },
    { kind: 'reviews', title: REVIEW.author_name, public_path: null, text_columns: ['quote'], item: REVIEW },
  ]),
);

test('An article is returned once, with the section that matches the question', () => {
  const found = INDEX.search('how many messages does a new mailbox send');
  expect(found.map(({ title }) => title)).toEqual(['Notes on mail']);
  expect(found[0]?.text).toMatch(/^Warming up\. A new mailbox sends five/);
  expect(found[0]?.text).not.toContain('handed over');
});

test('The words of a question may be in several sections', () => {
  const [found] = INDEX.search('mailbox handed over');
  expect(found).toMatchObject({ coversAll: true, title: 'Notes on mail' });
});

test.each(['Kari Moen', 'the harbour master', 'somebody at Skipshavn'])('A review matches %j', (question) => {
  expect(INDEX.search(question)[0]).toMatchObject({ kind: 'reviews', url: '/#testimonials' });
});

test('Frequent words such as "work" are searched, but do not count as a subject', () => {
  expect(INDEX.search('does it work')[0]).toMatchObject({ title: 'Kari Moen', isAbout: false });
  expect(INDEX.search('how does a harbour work')[0]).toMatchObject({ title: 'Kari Moen', isAbout: true });
});

test('A long article without headings is indexed by paragraph', () => {
  const content = ['Herring', 'Ropes', 'Anchors']
    .map((subject) => `${subject} are dear. ${'They were cheaper once. '.repeat(40)}`)
    .join('\n\n');
  const item = { title: 'Prices at the quay', slug: 'quay', content };
  const index = createSearchIndex(
    groupPublished([
      { kind: 'posts', title: item.title, public_path: '/news/{slug}', text_columns: ['content'], item },
    ]),
  );
  expect(index.search('what do anchors cost')[0]?.text).toMatch(/^Anchors are dear/);
});
