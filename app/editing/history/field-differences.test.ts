import { expect, it } from 'vitest';
import { fieldDifferences } from './field-differences.ts';

it('Lists changed fields, but not automatic ones', () => {
  const before = { id: '1', title: 'One', excerpt: 'Same', featured_image: null, updated_at: 'a', display_order: 1 };
  const after = { ...before, title: 'Two', featured_image: '/a.png', updated_at: 'b', display_order: 7 };
  expect(fieldDifferences('posts', before, after)).toEqual([
    { label: 'Title', before: 'One', after: 'Two' },
    { label: 'Featured image', before: '', after: '/a.png' },
  ]);
});

it('Lists fields in the order of the form', () => {
  const [before, after] = [
    { slug: 'a', extra: 1, title: 'A' },
    { slug: 'b', extra: 2, title: 'B' },
  ];
  const labels = fieldDifferences('posts', before, after, ['title', 'slug', 'gone']).map(({ label }) => label);
  expect(labels).toEqual(['Title', 'Slug', 'Extra']);
});

it('Treats a list of texts as one field', () => {
  const [difference] = fieldDifferences('services', { deliverables: ['A', 'B'] }, { deliverables: ['A', 'C', 'D'] });
  expect(difference).toEqual({ label: 'Deliverables', before: 'A\nB', after: 'A\nC\nD' });
});

it('Compares the fields within the JSON of a section', () => {
  const row = (content: object) => ({ page_slug: 'home', section_name: 'x', content: JSON.stringify(content) });
  const before = row({ mainHeading: 'Build', logos: [{ name: 'Aker', imageUrl: '/a.png' }] });
  const after = row({ mainHeading: 'Build', logos: [{ name: 'Aker', imageUrl: '/b.png' }, { name: 'Ny' }] });
  expect(fieldDifferences('page_content', before, after)).toEqual([
    { label: 'Logos › 1 › Image URL', before: '/a.png', after: '/b.png' },
    { label: 'Logos › 2 › Name', before: '', after: 'Ny' },
  ]);
});

it.each([
  ['page_content', { content: 'no JSON' }, { content: '"text"' }, 'Content'],
  ['site_settings', { setting_value: 'One' }, { setting_value: '12' }, 'Value'],
])('Treats a text of %s that is not a JSON object as one field', (kind, before, after, label) => {
  expect(fieldDifferences(kind, before, after)).toEqual([
    { label, before: Object.values(before)[0], after: Object.values(after)[0] },
  ]);
});

it('Lists every field of a new item', () => {
  expect(fieldDifferences('posts', null, { title: 'One', excerpt: '' })).toEqual([
    { label: 'Title', before: '', after: 'One' },
  ]);
});
