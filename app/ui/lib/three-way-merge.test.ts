import { expect, it } from 'vitest';
import { mergeThreeWay } from './three-way-merge.ts';

it('Merges changes to different fields', () => {
  const base = { title: 'Old', excerpt: 'Old', body: 'Old' };
  const merge = mergeThreeWay(base, { ...base, title: 'Mine' }, { ...base, excerpt: 'Theirs' });
  expect(merge.value).toEqual({ title: 'Mine', excerpt: 'Theirs', body: 'Old' });
  expect(merge.mergedPaths).toEqual([['excerpt']]);
  expect(merge.conflicts).toEqual([]);
});

it('Edits of the same field conflict, and the merge keeps the local edit unless the other one is selected', () => {
  const [base, mine, theirs] = [{ title: 'Old' }, { title: 'Mine' }, { title: 'Theirs' }];
  expect(mergeThreeWay(base, mine, theirs)).toEqual({
    value: { title: 'Mine' },
    mergedPaths: [],
    conflicts: [{ path: ['title'], mine: 'Mine', theirs: 'Theirs' }],
  });
  expect(mergeThreeWay(base, mine, theirs, ([field]) => field === 'title').value).toEqual({ title: 'Theirs' });
});

it('The same change by both users, or a different key order, is not a conflict', () => {
  const base = { title: 'Old', card: { a: '1', b: '2' } };
  const mine = { title: 'New', card: { b: '2', a: '1' } };
  const theirs = { card: { a: '1', b: '3' }, title: 'New' };
  expect(mergeThreeWay(base, mine, theirs)).toEqual({
    value: { title: 'New', card: { a: '1', b: '3' } },
    mergedPaths: [['card']],
    conflicts: [],
  });
});

it('Null in the table equals an empty text in the form', () => {
  const merge = mergeThreeWay<{ picture: string | null; title: string }>(
    { picture: null, title: 'Old' },
    { picture: '', title: 'Mine' },
    { picture: '/theirs.png', title: 'Old' },
  );
  expect(merge.value).toEqual({ picture: '/theirs.png', title: 'Mine' });
});

it('Merges nested objects', () => {
  const base = { timeline: { phase1: { name: 'Build', duration: '1' }, phase2: { name: 'Run', duration: '2' } } };
  const mine = { timeline: { ...base.timeline, phase1: { name: 'Make', duration: '1' } } };
  const theirs = { timeline: { ...base.timeline, phase1: { name: 'Build', duration: '9' } } };
  const merge = mergeThreeWay(base, mine, theirs);
  expect(merge.value.timeline.phase1).toEqual({ name: 'Make', duration: '9' });
  expect(merge.mergedPaths).toEqual([['timeline', 'phase1', 'duration']]);
});

it('Treats a list of texts as one value', () => {
  const merge = mergeThreeWay({ words: ['a'] }, { words: ['a', 'mine'] }, { words: ['a', 'theirs'] });
  expect(merge.value).toEqual({ words: ['a', 'mine'] });
  expect(merge.conflicts).toEqual([{ path: ['words'], mine: ['a', 'mine'], theirs: ['a', 'theirs'] }]);
});

const logo = (id: string, name = id) => ({ id, name });

it('Keeps the additions of both users at their positions in a list with identities', () => {
  const base = [logo('1'), logo('2')];
  const mine = [logo('1'), logo('mine'), logo('2')];
  const theirs = [logo('1'), logo('2', 'renamed'), logo('theirs')];
  const merge = mergeThreeWay(base, mine, theirs);
  expect(merge.value).toEqual([logo('1'), logo('mine'), logo('2', 'renamed'), logo('theirs')]);
  expect(merge.conflicts).toEqual([]);
});

it('Uses the order of the user who reordered a list with identities', () => {
  const base = [logo('1'), logo('2'), logo('3')];
  const reordered = [logo('3'), logo('1'), logo('2')];
  const renamed = [logo('1'), logo('2', 'renamed'), logo('3')];
  const merged = [logo('3'), logo('1'), logo('2', 'renamed')];
  expect(mergeThreeWay(base, reordered, renamed).value).toEqual(merged);
  expect(mergeThreeWay(base, renamed, reordered).value).toEqual(merged);
});

it('An entry removed from a list with identities stays removed unless the other user changed it', () => {
  const base = [logo('1'), logo('2')];
  expect(mergeThreeWay(base, [logo('1')], [logo('1', 'renamed'), logo('2')]).value).toEqual([logo('1', 'renamed')]);
  const merge = mergeThreeWay(base, [logo('1', 'mine'), logo('2')], [logo('2')]);
  expect(merge.value).toEqual([logo('1', 'mine'), logo('2')]);
  expect(merge.conflicts).toEqual([{ path: [{ id: '1', name: 'mine' }], mine: logo('1', 'mine'), theirs: undefined }]);
  expect(mergeThreeWay(base, [logo('1', 'mine'), logo('2')], [logo('2')], () => true).value).toEqual([logo('2')]);
});

it('Lists with duplicate identities are merged as one value', () => {
  const [base, mine, theirs] = [[logo('1')], [logo('1'), logo('1', 'b')], [logo('1', 'c')]];
  expect(mergeThreeWay(base, mine, theirs).conflicts).toEqual([{ path: [], mine, theirs }]);
});

it('Keeps two new entries with the same number', () => {
  const item = (tempId: number, by: string) => ({ tempId, by });
  const merge = mergeThreeWay([item(0, 'a')], [item(0, 'a'), item(1, 'mine')], [item(0, 'a'), item(1, 'theirs')]);
  expect(merge.value).toEqual([item(0, 'a'), item(2, 'mine'), item(1, 'theirs')]);
  expect(merge.conflicts).toEqual([]);
});
