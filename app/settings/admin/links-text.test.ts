import { expect, it } from 'vitest';
import { SITE_SETTINGS } from '../settings.ts';
import { linksText } from './links-text.ts';

const SAVED = SITE_SETTINGS.social_links.default;

it('Adds, changes and removes a URL without reordering the others', () => {
  const json = linksText(SAVED, 'linkedin', 'https://www.linkedin.com/');
  expect(JSON.parse(json)).toEqual({ instagram: 'https://www.instagram.com/', linkedin: 'https://www.linkedin.com/' });
  expect(Object.keys(JSON.parse(linksText(json, 'instagram', 'https://a.example')))).toEqual(['instagram', 'linkedin']);
  expect(JSON.parse(linksText(json, 'instagram', ''))).toEqual({ linkedin: 'https://www.linkedin.com/' });
});

it('Restores the exact saved text when a change is undone', () => {
  expect(linksText(linksText(SAVED, 'linkedin', 'h'), 'linkedin', '')).toBe(SAVED);
});

it('Keeps values that are not URLs', () => {
  expect(JSON.parse(linksText('{"rating": 5, "x": null}', 'x', 'https://x.com'))).toEqual({
    rating: 5,
    x: 'https://x.com',
  });
});
