import { expect, test } from 'vitest';
import { z } from 'zod';
import { isSameContent, restoreValues } from './form-values.ts';

const schema = z.object({
  title: z.string().trim().min(1, 'Title is required'),
  status: z.enum(['draft', 'published']),
  order: z.union([z.string(), z.number()]),
  logos: z.array(z.object({ name: z.string() })),
});
const defaults = { title: 'Start', status: 'draft', order: 0, logos: [] };

test('Restores stored values as typed, including those that fail validation', () => {
  const stored = { title: '', status: 'published', order: '12', logos: [{ name: 'Fjord' }] };
  expect(restoreValues(schema, stored, defaults)).toEqual(stored);
});

test('Restores only values that match a field of the current build', () => {
  const stored = { headline: 'Gone', title: 'Kept', status: 'archived', order: null, logos: [{ label: 'Old shape' }] };
  expect(restoreValues(schema, stored, defaults)).toEqual({ ...defaults, title: 'Kept' });
});

test('Values that differ only in whitespace or key order are the same content', () => {
  const reformatted = { logos: [], order: 0, status: 'draft', title: ' Start ' };
  expect(isSameContent(schema, defaults, reformatted)).toBe(true);
  expect(isSameContent(schema, defaults, { ...defaults, title: 'Other' })).toBe(false);
  expect(isSameContent(schema, { ...defaults, title: '' }, { ...defaults, title: '' })).toBe(true);
});
