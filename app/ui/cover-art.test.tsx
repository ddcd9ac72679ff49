import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Avatar } from './avatar.tsx';
import { CoverArt } from './cover-art.tsx';
import { motifOf, motifsInList } from './cover-motifs.ts';

const slugs = Array.from({ length: 60 }, (_, index) => `post-number-${index}`);

test('A cover belongs to its slug: the same one gives the same picture, others give others', () => {
  const covers = slugs.map((slug) => renderToStaticMarkup(<CoverArt seed={slug} />));
  expect(slugs.map((slug) => renderToStaticMarkup(<CoverArt seed={slug} />))).toEqual(covers);
  expect(new Set(covers).size).toBe(slugs.length);
});

test('Every cover is sound and light enough for the HTML of a list', () => {
  for (const slug of slugs) {
    const cover = renderToStaticMarkup(<CoverArt seed={slug} />);
    expect(cover).not.toMatch(/NaN|undefined|Infinity/);
    expect(cover.length).toBeLessThan(16_000);
  }
});

test('In a list neighbours have different motifs, and each its own where it may', () => {
  for (const apart of [1, 2]) {
    const motifs = motifsInList(slugs, apart);
    for (const [index, motif] of motifs.entries()) {
      const before = motifs.slice(Math.max(0, index - apart), index);
      expect(before).not.toContain(motif);
      const own = motifOf(slugs[index] ?? '');
      if (!before.includes(own)) expect(motif).toBe(own);
    }
    expect(new Set(motifs).size).toBe(7);
  }
});

test('No line with a colour of its own ends at the side of the frame, where it would run down along it', () => {
  for (const slug of slugs) {
    const cover = renderToStaticMarkup(<CoverArt seed={slug} motif="readings" />);
    const [, signal = ''] = /d="([^"]*)" fill="[^"]*" stroke="var\(--art-sun\)"/.exec(cover) ?? [];
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
])('The avatar of "%s" shows "%s"', ([name = '', letters = '']) => {
  expect(renderToStaticMarkup(<Avatar name={name} />)).toContain(`>${letters}</text>`);
});
