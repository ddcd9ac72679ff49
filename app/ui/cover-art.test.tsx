import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Avatar } from './avatar.tsx';
import { CoverArt } from './cover-art.tsx';

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
