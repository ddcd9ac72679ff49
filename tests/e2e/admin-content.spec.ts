import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { expect, test } from '../support/e2e.ts';

interface Kind {
  path: string;
  table: string;
  singular: string;
  plural: string;
  /** Label and column of the item's title or name. */
  name: string;
  column: string;
  fill: (page: Page) => Promise<void>;
  /** Row that is saved when only the required fields are filled in. */
  saved: Record<string, unknown>;
  newStatus: 'draft' | 'published';
}

const KINDS: Kind[] = [
  {
    path: 'posts',
    table: 'posts',
    singular: 'post',
    plural: 'posts',
    name: 'Title',
    column: 'title',
    fill: async () => {},
    saved: { slug: 'first-in-line', excerpt: '', content: '', category: '', featured_image: null },
    newStatus: 'draft',
  },
  {
    path: 'projects',
    table: 'projects',
    singular: 'project',
    plural: 'projects',
    name: 'Title',
    column: 'title',
    fill: async () => {},
    saved: { slug: 'first-in-line', gallery_images: [], display_order: 0, featured_image: null },
    newStatus: 'draft',
  },
  {
    path: 'services',
    table: 'services',
    singular: 'service',
    plural: 'services',
    name: 'Title',
    column: 'title',
    fill: async () => {},
    saved: { slug: 'first-in-line', deliverables: [], display_order: 0, icon_name: null },
    newStatus: 'published',
  },
  {
    path: 'reviews',
    table: 'reviews',
    singular: 'review',
    plural: 'reviews',
    name: 'Author name',
    column: 'author_name',
    fill: (page) => page.getByLabel('Quote').fill('They listen.'),
    saved: { rating: 5, quote: 'They listen.', display_order: 0, avatar_url: null },
    newStatus: 'published',
  },
  {
    path: 'team',
    table: 'team_members',
    singular: 'team member',
    plural: 'team members',
    name: 'Name',
    column: 'name',
    fill: async () => {},
    saved: { position: '', social_links: {}, display_order: 0, avatar_url: null },
    newStatus: 'published',
  },
];

test.use({ starterContent: false });

for (const { path, table, singular, plural, name, column, fill, saved, newStatus } of KINDS) {
  const capitalized = singular.charAt(0).toUpperCase() + singular.slice(1);
  const titleCased = singular.replace(/\b\w/g, (letter) => letter.toUpperCase());

  test(`An editor creates, changes and deletes the first ${singular}`, async ({ page, site }) => {
    await site.service.from(table).delete().neq('status', '').throwOnError();
    await openAdmin(page, site, `/admin/${path}`);
    await expect(page.getByText(`No ${plural} yet. Create your first ${singular} to get started.`)).toBeVisible();

    await page.getByRole('link', { name: `New ${titleCased}` }).click();
    await expect(page).toHaveURL(`/admin/${path}/new`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`New ${titleCased}`);
    await expect(page.getByLabel('Status')).toHaveValue(newStatus);
    await page.getByLabel(name, { exact: true }).fill('First in Line');
    await fill(page);
    await page.getByRole('button', { name: 'Create', exact: true }).click();

    await expect(page.getByText(`${capitalized} created successfully`)).toBeVisible();
    await expect(page).toHaveURL(`/admin/${path}`);
    const card = page.getByRole('listitem').filter({ hasText: 'First in Line' });
    await expect(card).toContainText(newStatus);
    const { data } = await site.service.from(table).select().single().throwOnError();
    expect(data).toMatchObject({ ...saved, [column]: 'First in Line', status: newStatus });

    await card.getByRole('link', { name: 'Edit First in Line' }).click();
    await expect(page).toHaveURL(`/admin/${path}/${data.id}/edit`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Edit ${titleCased}`);
    await page.getByLabel(name, { exact: true }).fill('Second thoughts');
    await page.getByLabel('Status').selectOption('published');
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await expect(page.getByText(`${capitalized} updated successfully`)).toBeVisible();
    await expect(page).toHaveURL(`/admin/${path}`);
    await expect(page.getByRole('listitem').filter({ hasText: 'Second thoughts' })).toContainText('published');

    await page.getByRole('button', { name: 'Delete Second thoughts' }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toContainText(
      'Are you sure you want to delete "Second thoughts"? This action cannot be undone.It can be restored for 30 days under Deleted.',
    );
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Delete Second thoughts' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText(`${capitalized} deleted successfully`)).toBeVisible();
    await expect(page.getByText(`No ${plural} yet. Create your first ${singular} to get started.`)).toBeVisible();
    expect((await site.service.from(table).select()).data).toEqual([]);
  });
}
