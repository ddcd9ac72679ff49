import { expect, it } from 'vitest';
import { mergeSettings } from './merge-settings.ts';

it('Merges a JSON object by key', () => {
  const merge = mergeSettings('{"a":"1","b":"2"}', '{"a":"mine","b":"2"}', '{"a":"1","b":"theirs"}');
  expect(JSON.parse(merge.value)).toEqual({ a: 'mine', b: 'theirs' });
  expect(merge.conflicts).toEqual([]);
});

it('Treats any other text as a single value', () => {
  expect(mergeSettings('Old', 'Mine', 'Theirs').conflicts).toEqual([{ path: [], mine: 'Mine', theirs: 'Theirs' }]);
  expect(mergeSettings('Old', 'Old', 'Theirs').value).toBe('Theirs');
  expect(mergeSettings('{"a":', '{"a":1}', 'Theirs').conflicts).toHaveLength(1);
});
