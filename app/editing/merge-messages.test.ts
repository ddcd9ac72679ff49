import { expect, it } from 'vitest';
import { formatValue, mergeNotice, pathLabel } from './merge-messages.ts';

it('Formats a path like the labels of the form', () => {
  expect(pathLabel(['featured_image'])).toBe('Featured image');
  expect(pathLabel(['card5', 'timeline', 'phase1', 'duration'])).toBe('Card 5, timeline, phase 1, duration');
  expect(pathLabel(['logos', { id: '7', name: 'Acme' }, 'imageUrl'])).toBe('Logos, Acme, image URL');
  expect(pathLabel(['rotatingWords'])).toBe('Rotating words');
});

it('Lists the first four fields that other users changed', () => {
  expect(mergeNotice([])).toBeUndefined();
  expect(mergeNotice([['title']])).toBe('Someone else saved in the meantime. Their changes were kept: Title.');
  expect(mergeNotice([['title'], ['excerpt']])).toBe(
    'Someone else saved in the meantime. Their changes were kept: Title and Excerpt.',
  );
  expect(mergeNotice(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [key]))).toBe(
    'Someone else saved in the meantime. Their changes were kept: A, B, C, D and 2 more.',
  );
});

it('Formats missing values, lists and groups as text', () => {
  expect(formatValue(null)).toBe('');
  expect(formatValue(['a', 'b'])).toBe('a\nb');
  expect(formatValue({ label: 'Home', url: '/' })).toBe('Label: Home\nURL: /');
  expect(formatValue([{ label: 'A' }, { label: 'B' }])).toBe('Label: A\n\nLabel: B');
});
