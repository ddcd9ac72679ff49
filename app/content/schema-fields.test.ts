import { expect, test } from 'vitest';
import { z } from 'zod';
import { rejectMissingPictures } from './schema-fields.ts';

const item = rejectMissingPictures(z.object({ text: z.string(), status: z.string() }), 'text');

/** Returns the validation error of a text. */
function validationError(text: string, status = 'published') {
  return item.safeParse({ text, status }).error?.issues[0]?.message;
}

test.each([
  [
    'with a description',
    'A ![Old \\[harbour\\]](#pasted-picture-1 "At dawn")',
    'The picture “Old [harbour]” is missing. Upload it or remove it from the text.',
  ],
  [
    'without a description',
    '![](#pasted-picture-3)',
    'The picture “pasted picture 3” is missing. Upload it or remove it from the text.',
  ],
  [
    'next to another missing picture',
    '![A](#pasted-picture-1)\n\n![A](#pasted-picture-1)![B](#pasted-picture-2)',
    'These pictures are missing: “A”, “B”. Upload them or remove them from the text.',
  ],
])('The error names a missing picture %s', (_, text, message) => {
  expect(validationError(text)).toBe(message);
});

test('A draft may contain missing pictures, and a published text may contain uploaded pictures', () => {
  expect(validationError('![A](#pasted-picture-1)', 'draft')).toBeUndefined();
  expect(validationError('![A](/storage/a.png) [a](#pasted-picture-1)')).toBeUndefined();
});

test('A text without a status is validated as published', () => {
  const page = rejectMissingPictures(z.object({ text: z.string() }), 'text');
  expect(page.safeParse({ text: '![A](#pasted-picture-1)' }).success).toBe(false);
});
