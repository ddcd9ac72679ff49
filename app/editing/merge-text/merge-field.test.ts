import { getSchema } from '@tiptap/core';
import { StarterKit } from '@tiptap/starter-kit';
import { expect, test } from 'vitest';
import { MergeField, openMergeText } from './merge-field.ts';

const schema = getSchema([StarterKit, MergeField]);

test.each([
  ['Hei {{first_name}},\n\nvi så {{ company | firmaet }}.\n', ['{{first_name}}', '{{ company | firmaet }}']],
  ['{yes|sure} %first_name% [[city]] 100 % {{', ['{yes|sure}', '%first_name%', '[[city]]']],
  ['<b>*not* _Markdown_</b>\r\n  two  spaces\t', []],
  ['', []],
])('%j is written back as it was, with its merge fields as chips', (text, fields) => {
  const { doc, write } = openMergeText(schema, text);
  expect(write(doc)).toBe(text);
  const found: string[] = [];
  doc.descendants(({ type, attrs }) => void (type.name === 'mergeField' && found.push(attrs['value'])));
  expect(found).toEqual(fields);
});
