import { expect, it } from 'vitest';
import { bulkResultMessage } from './bulk-result-message.ts';

const posts = { singular: 'post', plural: 'posts' };
const failedItem = (title: string) => ({ id: title, title, reason: 'Title is required' });

it('Uses the singular or plural', () => {
  expect(bulkResultMessage(posts, 'publish', { done: 1, failed: [] })).toEqual(['1 post published', undefined]);
  expect(bulkResultMessage(posts, 'delete', { done: 3, failed: [] })).toEqual(['3 posts deleted', undefined]);
});

it('Lists the first three failed items with the reason', () => {
  expect(bulkResultMessage(posts, 'publish', { done: 2, failed: [failedItem('A')] })).toEqual([
    '2 of 3 posts published',
    '"A": Title is required.',
  ]);
  const [, reasons] = bulkResultMessage(posts, 'publish', { done: 0, failed: ['A', 'B', 'C', 'D'].map(failedItem) });
  expect(reasons).toMatch(/"C": .*And 1 more\. Failed items stay selected\.$/);
});
