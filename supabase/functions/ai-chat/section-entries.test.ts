import { expect, test } from 'vitest';
import { createSearchIndex } from './search.ts';
import { sectionEntries } from './section-entries.ts';

const SECTIONS = new Map<string, Record<string, unknown>>([
  [
    'home/hero',
    { mainHeading: 'Letters that arrive', imageUrl: '/storage/v1/a b.jpg', cta: { label: 'Write to a person' } },
  ],
  ['about/process', { steps: [{ icon: 'anchor', text: 'We moor every release on a Thursday.' }] }],
  ['home/footer', { contact: { address: 'Storgata 1, Oslo' } }],
  ['home/empty', {}],
]);

test('A section becomes an entry with its heading and texts, without URLs and button labels', () => {
  expect(sectionEntries(SECTIONS)).toEqual([
    { kind: 'other', title: 'Letters that arrive', url: '/', texts: ['Letters that arrive'] },
    { kind: 'other', title: 'About', url: '/about', texts: ['We moor every release on a Thursday.'] },
  ]);
});

test('Tiles, figures and phases become entries with the surrounding texts', () => {
  const usps = {
    card2: { percentage: '40%', description: 'more meetings for every seller.' },
    card5: {
      processHeading: 'How we work',
      processLinkText: 'See the services',
      timeline: { description: 'From workshop to hand-over.', phase1: { name: 'Discovery', duration: '2 Months' } },
    },
  };
  expect(sectionEntries(new Map([['home/usps', usps]]))).toEqual([
    { kind: 'other', title: 'Highlights', url: '/#highlights', texts: ['40% more meetings for every seller.'] },
    {
      kind: 'other',
      title: 'How we work',
      url: '/#highlights',
      texts: ['From workshop to hand-over.', 'Discovery: 2 Months'],
    },
  ]);
});

test('Entries of sections are found by the search', () => {
  const [found] = createSearchIndex({ published: sectionEntries(SECTIONS) }).search('when do you moor releases?');
  expect(found).toMatchObject({ url: '/about', isAbout: true });
});

test('A long text is split into parts, without text that only the page fills in, and hidden sections and samples are excluded', () => {
  const sections = new Map<string, Record<string, unknown>>([
    [
      'cookies/header',
      {
        title: 'What we keep',
        text: 'The site sets none.\n\n## On every page\n\nA theme is kept. It ends after {retention}.',
      },
    ],
    ['home/handover', { isShown: false, heading: 'The last day of all' }],
    ['home/sequence', { isShown: true, mark: 'Sample', heading: 'Four invented mails' }],
    ['home/deliverability', { isShown: true, mark: '', heading: 'Mails that reach the inbox' }],
  ]);
  expect(sectionEntries(sections)).toEqual([
    { kind: 'other', title: 'Cookies', url: '/cookies', texts: ['What we keep'] },
    { kind: 'other', title: 'Cookies', url: '/cookies', texts: ['The site sets none.'] },
    { kind: 'other', title: 'On every page', url: '/cookies', texts: ['A theme is kept.'] },
    {
      kind: 'other',
      title: 'Mails that reach the inbox',
      url: '/#deliverability',
      texts: ['Mails that reach the inbox'],
    },
  ]);
});
