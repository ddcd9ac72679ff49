import { expect, it } from 'vitest';
import { bestMatches, fuzzyScore } from './fuzzy-match.ts';

it.each([
  ['settings', 'Settings'],
  ['set', 'Settings'],
  ['setings', 'Settings'],
  ['stetings', 'Settings'],
  ['converstaions', 'Conversations'],
  ['convr', 'Conversations'],
  ['new psot', 'New Post'],
  ['post new', 'New Post'],
  ['cafe', 'Café'],
  ['line', 'Site tagline'],
])('%s matches %s', (query, text) => {
  expect(fuzzyScore(query, text)).toBeGreaterThan(0);
});

it.each([
  ['', 'Settings'],
  ['media', 'Settings'],
  ['pst', 'Post'],
  ['new lead', 'New Post'],
  ['%', 'Settings'],
])('%j does not match %s', (query, text) => {
  expect(fuzzyScore(query, text)).toBe(0);
});

it('Sorts exact matches first, then prefixes, then typos', () => {
  const texts = ['Posters', 'Repost', 'Pots', 'Post'];
  expect(bestMatches('post', texts, (text) => text)).toEqual(['Post', 'Posters', 'Repost', 'Pots']);
});
