import { expect, it } from 'vitest';
import { bulkSentence } from './bulk-sentence.ts';

const posts = { singular: 'post', plural: 'posts' };
const failedItem = (title: string) => ({ id: title, title, reason: 'Title is required' });

it('Uses the singular or plural', () => {
  expect(bulkSentence(posts, 'publish', { done: 1, refused: [] })).toEqual(['1 post published', undefined]);
  expect(bulkSentence(posts, 'delete', { done: 3, refused: [] })).toEqual(['3 posts deleted', undefined]);
});

it('Lists the first three failed items with the reason', () => {
  expect(bulkSentence(posts, 'publish', { done: 2, refused: [failedItem('A')] })).toEqual([
    '2 of 3 posts published',
    '"A": Title is required.',
  ]);
  const [, reasons] = bulkSentence(posts, 'publish', { done: 0, refused: ['A', 'B', 'C', 'D'].map(failedItem) });
  expect(reasons).toMatch(/"C": .*And 1 more, which are still selected\.$/);
});
