import { expect, test } from 'vitest';
import { previewLabel } from './preview-labels.ts';

const site = { kind: null, title: null, shows_drafts: false, as_of: null, release: null };

test('Describes every kind of link', () => {
  const as_of = '2027-03-01T09:00:00Z';
  expect(previewLabel({ ...site, shows_drafts: true })).toBe('All drafts');
  expect(previewLabel({ ...site, as_of })).toBe('The site as of 1 Mar 2027, 09:00 UTC');
  expect(previewLabel({ ...site, as_of, shows_drafts: true })).toBe(
    'The site as of 1 Mar 2027, 09:00 UTC, with all drafts',
  );
  expect(previewLabel({ ...site, release: 'Spring' })).toBe('The site with the release “Spring”');
  expect(previewLabel({ ...site, kind: 'posts', title: 'A' })).toBe('“A”');
  expect(previewLabel({ ...site, kind: 'posts', title: 'A', as_of }, () => 'then')).toBe('“A”, as of then');
  expect(previewLabel({ ...site, kind: 'posts' })).toBe('A deleted item');
});
