import { expect, test } from 'vitest';
import { TextField } from '../ui/form/text-field.tsx';
import type { PostForm } from './posts/schema.ts';
import type { ServiceForm } from './services/schema.ts';

test('A field compiles only if its form has a field with this name and type', () => {
  const fields = [
    <TextField<PostForm> key="right" name="excerpt" />,
    // @ts-expect-error: a post has no such field
    <TextField<PostForm> key="misspelled" name="exerpt" />,
    // @ts-expect-error: deliverables are a list, not a text
    <TextField<ServiceForm> key="wrong type" name="deliverables" />,
    // @ts-expect-error: the form type is missing
    <TextField key="no form type" name="title" />,
  ];
  expect(fields).toHaveLength(4);
});
