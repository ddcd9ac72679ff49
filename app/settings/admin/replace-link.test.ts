import { expect, it } from 'vitest';
import { SITE_SETTINGS } from '../settings.ts';
import { replaceLink } from './replace-link.ts';

const SAVED = SITE_SETTINGS.social_links.default;

it('Adds, changes and removes a URL without reordering the others', () => {
  const json = replaceLink(SAVED, 'linkedin', 'https://www.linkedin.com/');
  expect(JSON.parse(json)).toEqual({ instagram: 'https://www.instagram.com/', linkedin: 'https://www.linkedin.com/' });
  expect(Object.keys(JSON.parse(replaceLink(json, 'instagram', 'https://a.example')))).toEqual([
    'instagram',
    'linkedin',
  ]);
  expect(JSON.parse(replaceLink(json, 'instagram', ''))).toEqual({ linkedin: 'https://www.linkedin.com/' });
});

it('Restores the exact saved text when a change is undone', () => {
  expect(replaceLink(replaceLink(SAVED, 'linkedin', 'h'), 'linkedin', '')).toBe(SAVED);
});

it('Keeps values that are not URLs', () => {
  expect(JSON.parse(replaceLink('{"rating": 5, "x": null}', 'x', 'https://x.com'))).toEqual({
    rating: 5,
    x: 'https://x.com',
  });
});
