import { expect, test } from 'vitest';
import { containsFilter } from './editing.ts';
import { postsKind } from './posts-editing.ts';
import { projectsKind } from './projects-editing.ts';
import { reviewsKind } from './reviews-editing.ts';
import { servicesKind } from './services-editing.ts';
import { teamMembersKind } from './team-members-editing.ts';

test('A search text is quoted, so that its commas, quotes and wildcards are only text', () => {
  expect(containsFilter(['title', 'slug'], 'a,b')).toBe('title.ilike."%a,b%",slug.ilike."%a,b%"');
  expect(containsFilter(['title'], '50%_"\\')).toBe('title.ilike."%50\\\\%\\\\_\\"\\\\\\\\%"');
});

test('New posts and projects start as drafts, new services, reviews and team members as published', () => {
  expect(postsKind.empty.status).toBe('draft');
  expect(projectsKind.empty.status).toBe('draft');
  expect(servicesKind.empty.status).toBe('published');
  expect(reviewsKind.empty).toMatchObject({ status: 'published', rating: 5, display_order: 0 });
  expect(teamMembersKind.empty).toMatchObject({ status: 'published', display_order: 0 });
});

test('An empty slug is made from the title and an empty date is now', () => {
  const before = Date.now();
  const row = postsKind.toRow(postsKind.schema.parse({ ...postsKind.empty, title: ' Quiet  Outbound ' }));
  const published = Date.parse(row.published_date ?? '');
  expect(row.slug).toBe('quiet-outbound');
  expect(published).toBeGreaterThanOrEqual(before);
  expect(published).toBeLessThanOrEqual(Date.now());
  expect(row.featured_image).toBeNull();
});

test('A display order that is no number becomes 0', () => {
  const order = (display_order: string) =>
    projectsKind.schema.parse({ ...projectsKind.empty, title: 'A', display_order }).display_order;
  expect(['3', '-2', 'x', ''].map(order)).toEqual([3, -2, 0, 0]);
});

test('Projects are saved with an empty gallery and team members with empty social links', () => {
  expect(projectsKind.toRow(projectsKind.schema.parse({ ...projectsKind.empty, title: 'A' })).gallery_images).toEqual(
    [],
  );
  expect(
    teamMembersKind.toRow(teamMembersKind.schema.parse({ ...teamMembersKind.empty, name: 'A' })).social_links,
  ).toEqual({});
});

test('Deliverables are trimmed and blank ones are refused', () => {
  const valid = servicesKind.schema.safeParse({ ...servicesKind.empty, title: 'A', deliverables: [' one '] });
  expect(valid.data?.deliverables).toEqual(['one']);
  expect(servicesKind.schema.safeParse({ ...servicesKind.empty, title: 'A', deliverables: ['  '] }).success).toBe(
    false,
  );
});

test('An item without a title is refused with a sentence', () => {
  const result = postsKind.schema.safeParse({ ...postsKind.empty, title: '  ' });
  expect(result.error?.issues[0]?.message).toBe('Title is required');
});
