import { expect, test } from 'vitest';
import { z } from 'zod';
import { isSameContent, validOrStartValues } from './form-values.ts';

const schema = z.object({
  title: z.string().trim().min(1, 'Title is required'),
  status: z.enum(['draft', 'published']),
  order: z.union([z.string(), z.number()]),
  logos: z.array(z.object({ name: z.string() })),
});
const start = { title: 'Start', status: 'draft', order: 0, logos: [] };

test('Kept values come back as they were typed, also those that could not be saved yet', () => {
  const kept = { title: '', status: 'published', order: '12', logos: [{ name: 'Fjord' }] };
  expect(validOrStartValues(schema, kept, start)).toEqual(kept);
});

test('What a form of another build kept comes back as far as this one has fields of its shape', () => {
  const kept = { headline: 'Gone', title: 'Kept', status: 'archived', order: null, logos: [{ label: 'Old shape' }] };
  expect(validOrStartValues(schema, kept, start)).toEqual({ ...start, title: 'Kept' });
});

test('Values that only a trim or the order of their keys tells apart are saved alike', () => {
  const other = { logos: [], order: 0, status: 'draft', title: ' Start ' };
  expect(isSameContent(schema, start, other)).toBe(true);
  expect(isSameContent(schema, start, { ...start, title: 'Other' })).toBe(false);
  expect(isSameContent(schema, { ...start, title: '' }, { ...start, title: '' })).toBe(true);
});
