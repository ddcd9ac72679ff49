import { expect, it } from 'vitest';
import { SITE_SETTINGS } from '../settings.ts';
import { linksText } from './links-text.ts';

const SAVED = SITE_SETTINGS.social_links.default;

it('An address is added, changed and taken out; the others stay, in their order', () => {
  const two = linksText(SAVED, 'linkedin', 'https://www.linkedin.com/');
  expect(JSON.parse(two)).toEqual({ instagram: 'https://www.instagram.com/', linkedin: 'https://www.linkedin.com/' });
  expect(Object.keys(JSON.parse(linksText(two, 'instagram', 'https://a.example')))).toEqual(['instagram', 'linkedin']);
  expect(JSON.parse(linksText(two, 'instagram', ''))).toEqual({ linkedin: 'https://www.linkedin.com/' });
});

it('What was typed and taken back is the text that was saved, so that nothing counts as changed', () => {
  expect(linksText(linksText(SAVED, 'linkedin', 'h'), 'linkedin', '')).toBe(SAVED);
});

it('What is no address stays', () => {
  expect(JSON.parse(linksText('{"rating": 5, "x": null}', 'x', 'https://x.com'))).toEqual({
    rating: 5,
    x: 'https://x.com',
  });
});
