import { expect, test } from 'vitest';
import { heroDefaults, heroHeadlines } from '../../content/pages/hero.ts';
import { headlineSize } from './headline-size.ts';

test('The longest word of the heading and the rotating words determines the size', () => {
  expect(headlineSize(['Build', 'seamless'])).toContain('/6.2)');
  expect(headlineSize(['Build something', ...heroDefaults.rotatingWords])).toContain('/6.7)');
  expect(headlineSize(['Transformative', 'yes'])).toBe(headlineSize(['Yes', 'Transformative']));
});

test('Every suggested headline fits a phone at the largest size', () => {
  for (const { mainHeading, rotatingWords } of heroHeadlines) {
    expect(headlineSize([mainHeading, ...rotatingWords]), mainHeading).toContain('/6.2)');
  }
});

test('Wraps a word that is too long for every size', () => {
  expect(headlineSize(['Unternehmenskommunikationsabteilung'])).toContain('wrap-anywhere');
  expect(headlineSize([])).toContain('/6.2)');
});
