import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import seed from '../../supabase/seed.sql?raw';
import { Avatar } from './avatar.tsx';
import { CoverArt } from './cover-art.tsx';
import { type CoverSubject, coverInput } from './cover-input.ts';
import { drawCover, findSun } from './cover-shapes.ts';

/** Posts and projects of the starter content: title, slug, and the figure of a project. */
const starter = ['projects', 'posts'].flatMap((table) => {
  const [, rows = ''] = new RegExp(`insert into public.${table}\\b([\\s\\S]*?)\\ninsert into`).exec(seed) ?? [];
  return [...rows.matchAll(/^ {2}\('([^']*)', '([^']*)',(?: '[^']*', '([^']*)')?/gm)].map(
    ([, title = '', slug = '', figure]): CoverSubject => ({ slug, title, figure }),
  );
});

const samplePosts = Array.from(
  { length: 40 },
  (_, index): CoverSubject => ({ slug: `post-number-${index}`, title: `Post number ${index}` }),
);

const draw = (subject: CoverSubject) => renderToStaticMarkup(<CoverArt subject={subject} />);

test('Covers are stable for an item and differ between items', () => {
  expect(starter).toHaveLength(11);
  const items = [...starter, ...samplePosts];
  const covers = items.map(draw);
  expect(items.map(draw)).toEqual(covers);
  expect(new Set(covers).size).toBe(items.length);
});

test('Starter items on the same page have different motifs', () => {
  for (const items of [starter.slice(0, 5), starter.slice(5), [...starter.slice(0, 3), ...starter.slice(5, 8)]]) {
    const motifs = items.map((item) => coverInput(item).motif);
    expect(new Set(motifs).size, motifs.join(', ')).toBe(items.length);
  }
});

test.for<[string, CoverSubject, number | null]>([
  ['a percentage', { slug: 'a', title: 'Three people', figure: '+40% qualified meetings' }, 0.4],
  ['an amount', { slug: 'a', figure: '$2M+ pipeline opened' }, Math.log10(2_000_001) / 7],
  ['a number with a separator', { slug: 'a', figure: '31,000 duplicates removed' }, Math.log10(31_001) / 7],
  ['a word of the title', { slug: 'a', title: 'The forty-message rule' }, Math.log10(41) / 7],
  ['no figure', { slug: 'a', title: 'Write the first line last' }, null],
])('A cover shows %s', ([, subject, magnitude]) => {
  const input = coverInput(subject);
  if (magnitude === null) expect(input.magnitude).toBeNull();
  else expect(input.magnitude).toBeCloseTo(magnitude);
});

test('A different figure or title changes the cover but not the motif', () => {
  const item = { slug: 'inbox', title: 'Back to the inbox', figure: '96%' };
  const columns = (figure: string) => {
    const [, full = ''] = /d="([^"]*)" fill="var\(--art-near\)"/.exec(drawCover({ ...item, figure })) ?? [];
    return full.split('M').length - 1;
  };
  expect([columns('96%'), columns('50%'), columns('10%')]).toEqual([22, 12, 2]);
  expect(drawCover({ ...item, title: 'Out of the inbox' })).not.toBe(drawCover(item));
});

test('Every cover is valid SVG and small enough for the HTML of a list', () => {
  for (const item of [...starter, ...samplePosts, { slug: '' }, { slug: 'æ', title: '雪が降る 100%', figure: '0%' }]) {
    const cover = draw(item);
    expect(cover).not.toMatch(/NaN|undefined|Infinity/);
    expect(cover.length).toBeLessThan(16_000);
  }
});

test('Returns the horizontal position of the sun', () => {
  const item = { slug: 'a', title: 'A' };
  for (const motif of ['fjord', 'soundings', 'lighthouse', 'wake', 'beacons'] as const) {
    expect(findSun(drawCover({ ...item, figure: '5%' }, motif)), motif).not.toBe(400);
  }
  expect(findSun(drawCover(item, 'readings'))).toBe(400);
});

test('Coloured outlines end outside the frame, so that no stroke is visible at its sides', () => {
  for (const item of samplePosts) {
    const [, signal = ''] =
      /d="([^"]*)" fill="[^"]*" stroke="var\(--art-sun\)"/.exec(drawCover(item, 'readings')) ?? [];
    expect(signal).toMatch(/^M-50 .*H-50z$/);
  }
});

test.for([
  ['Ingrid Solberg', 'IS'],
  ['  Kari   N. Holm ', 'KH'],
  ['åse ødegård', 'ÅØ'],
  ['Jonas', 'J'],
  ['😀 Smile', '😀S'],
  ['', ''],
])('The avatar of "%s" shows the initials "%s"', ([name = '', letters = '']) => {
  expect(renderToStaticMarkup(<Avatar name={name} />)).toContain(`>${letters}</text>`);
});
