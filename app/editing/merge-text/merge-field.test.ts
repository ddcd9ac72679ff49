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
])('Writes %j unchanged and shows its merge fields as chips', (text, fields) => {
  const { doc, write } = openMergeText(schema, text);
  expect(write(doc)).toBe(text);
  const mergeFields: string[] = [];
  doc.descendants(({ type, attrs }) => void (type.name === 'mergeField' && mergeFields.push(attrs['value'])));
  expect(mergeFields).toEqual(fields);
});
