import { expect, test } from 'vitest';
import { NOUN_NAMES, nounOf } from './nouns.ts';

test('A name belongs to the first noun that knows it', () => {
  expect(['posts', 'leads', 'content_versions', 'touch_updated_at'].map(nounOf)).toEqual([
    ...['content', 'leads', 'history', 'shared'],
  ]);
  expect(NOUN_NAMES).toContain(nounOf('posts'));
});

test('A name that no noun knows is refused with the place to name it in', () => {
  expect(() => nounOf('ferries')).toThrow(
    'ferries belongs to no noun yet: add its name to one in scripts/schema/nouns.ts',
  );
});
