import { expect, test } from 'vitest';
import { containsFilter } from '../ui/lib/contains-filter.ts';
import { faq } from './faq/kind.ts';
import { posts } from './posts/kind.ts';
import { projects } from './projects/kind.ts';
import { reviews } from './reviews/kind.ts';
import { emptyValues } from './schema-fields.ts';
import { services } from './services/kind.ts';
import { teamMembers } from './team-members/kind.ts';

test('Escapes commas, quotes and wildcards in a search text', () => {
  expect(containsFilter(['title', 'slug'], 'a,b')).toBe('title.ilike."%a,b%",slug.ilike."%a,b%"');
  expect(containsFilter(['title'], '50%_"\\')).toBe('title.ilike."%50\\\\%\\\\_\\"\\\\\\\\%"');
});

test('New posts and projects are drafts, while new services, reviews and team members are published', () => {
  expect(emptyValues(posts.schema).status).toBe('draft');
  expect(emptyValues(projects.schema).status).toBe('draft');
  expect(emptyValues(services.schema).status).toBe('published');
  expect(emptyValues(reviews.schema)).toMatchObject({ status: 'published', rating: 5, display_order: 0 });
  expect(emptyValues(teamMembers.schema)).toMatchObject({ status: 'published', display_order: 0 });
});

test('An empty slug is generated from the title, and an empty date becomes the current time', () => {
  const before = Date.now();
  const row = posts.toRow(posts.schema.parse({ ...emptyValues(posts.schema), title: ' Quiet  Outbound ' }));
  const published = Date.parse(row.published_date ?? '');
  expect(row.slug).toBe('quiet-outbound');
  expect(published).toBeGreaterThanOrEqual(before);
  expect(published).toBeLessThanOrEqual(Date.now());
  expect(row.featured_image).toBeNull();
});

test('A display order that is not a number becomes 0', () => {
  const order = (display_order: string) =>
    projects.schema.parse({ ...emptyValues(projects.schema), title: 'A', display_order }).display_order;
  expect(['3', '-2', 'x', ''].map(order)).toEqual([3, -2, 0, 0]);
});

test('A project is saved with an empty gallery, and a team member with empty social links', () => {
  expect(projects.toRow(projects.schema.parse({ ...emptyValues(projects.schema), title: 'A' })).gallery_images).toEqual(
    [],
  );
  expect(
    teamMembers.toRow(teamMembers.schema.parse({ ...emptyValues(teamMembers.schema), name: 'A' })).social_links,
  ).toEqual({});
});

test('Deliverables are trimmed, and blank deliverables are rejected', () => {
  const valid = services.schema.safeParse({ ...emptyValues(services.schema), title: 'A', deliverables: [' one '] });
  expect(valid.data?.deliverables).toEqual(['one']);
  expect(services.schema.safeParse({ ...emptyValues(services.schema), title: 'A', deliverables: ['  '] }).success).toBe(
    false,
  );
});

test('Rejects an item without a title and reports the error', () => {
  const result = posts.schema.safeParse({ ...emptyValues(posts.schema), title: '  ' });
  expect(result.error?.issues[0]?.message).toBe('Title is required');
});

test('A question starts as a draft, and cannot be published without an answer', () => {
  const draft = { ...emptyValues(faq.schema), question: 'Can we cancel?' };
  expect(draft.status).toBe('draft');
  expect(faq.schema.safeParse(draft).success).toBe(true);
  const result = faq.schema.safeParse({ ...draft, status: 'published' });
  expect(result.error?.issues[0]?.message).toBe('Answer is required to publish');
});
