import { expect, test } from 'vitest';
import { heroDefaults, heroHeadlines } from '../../content/pages/hero.ts';
import { headlineSize } from './headline-size.ts';

test('The longest word decides, in the heading or among the words', () => {
  expect(headlineSize(['Build', 'seamless'])).toContain('/6.2)');
  expect(headlineSize(['Build something', ...heroDefaults.rotatingWords])).toContain('/6.7)');
  expect(headlineSize(['Transformative', 'yes'])).toBe(headlineSize(['Yes', 'Transformative']));
});

test('Every headline to choose from is as large as a phone allows at all', () => {
  for (const { mainHeading, rotatingWords } of heroHeadlines) {
    expect(headlineSize([mainHeading, ...rotatingWords]), mainHeading).toContain('/6.2)');
  }
});

test('A word that no size fits is broken', () => {
  expect(headlineSize(['Unternehmenskommunikationsabteilung'])).toContain('wrap-anywhere');
  expect(headlineSize([])).toContain('/6.2)');
});
