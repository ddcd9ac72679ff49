import { expect, it } from 'vitest';
import { changedByOthers } from './changed-by-others.ts';

const opened = { id: '1', title: 'Old', deliverables: ['a'], featured_image: null, updated_at: '2026-01-01' };

it('Shows what the other editor changed, with both versions, and not the bookkeeping', () => {
  const current = { ...opened, title: 'Theirs', deliverables: ['a', 'b'], updated_at: '2026-01-02' };
  const mine = { title: 'Mine', deliverables: ['a'] };
  expect(changedByOthers(opened, current, mine)).toEqual([
    { column: 'title', theirs: 'Theirs', yours: 'Mine' },
    { column: 'deliverables', theirs: 'a\nb', yours: 'a' },
  ]);
});

it('Shows an emptied value as empty text', () => {
  const current = { ...opened, title: '', featured_image: '/x.png' };
  expect(changedByOthers(opened, current, { title: 'Old', featured_image: null })).toEqual([
    { column: 'title', theirs: '', yours: 'Old' },
    { column: 'featured_image', theirs: '/x.png', yours: '' },
  ]);
});

it('Nothing changed but the time of saving: nothing to show', () => {
  expect(changedByOthers(opened, { ...opened, updated_at: '2026-01-02' }, {})).toEqual([]);
});
