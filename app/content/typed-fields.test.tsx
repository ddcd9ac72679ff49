import { expect, test } from 'vitest';
import { TextField } from '../ui/form/text-field.tsx';
import type { PostForm } from './posts/schema.ts';
import type { ServiceForm } from './services/schema.ts';

test('A field compiles only with a name and type of its form', () => {
  const written = [
    <TextField<PostForm> key="right" name="excerpt" />,
    // @ts-expect-error: a post has no such field
    <TextField<PostForm> key="misspelled" name="exerpt" />,
    // @ts-expect-error: deliverables are a list, not a text
    <TextField<ServiceForm> key="of another type" name="deliverables" />,
    // @ts-expect-error: the form type is missing
    <TextField key="of no form" name="title" />,
  ];
  expect(written).toHaveLength(4);
});
