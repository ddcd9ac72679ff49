import { openAdmin } from '../support/admin-session.ts';
import { dragOnto, expect, moveDown, test } from '../support/e2e.ts';

test.use({ starterContent: false });

test.beforeEach(async ({ site }) => {
  for (const table of ['posts', 'projects', 'reviews', 'team_members']) {
    await site.service.from(table).delete().neq('status', '').throwOnError();
  }
});

test('Posts are listed newest first with their status, and can be unpublished', async ({ page, site }) => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  await site.service
    .from('posts')
    .insert([
      { title: 'Soon', slug: 'soon', published_date: inAnHour, status: 'published' },
      { title: 'Unfinished', slug: 'unfinished', published_date: inAnHour, status: 'draft' },
      { title: 'Out', slug: 'out', published_date: '2026-01-01T00:00:00Z', status: 'published' },
    ])
    .throwOnError();
  const draft = { title: 'On and off', slug: 'on-and-off', content: 'Text', published_date: '2025-01-01T00:00:00Z' };
  await site.service.from('posts').insert(draft).throwOnError();
  await openAdmin(page, site, '/admin/posts');
  const titles = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect(titles).toHaveText([/Soon|Unfinished/, /Soon|Unfinished/, 'Out', 'On and off']);
  const card = (title: string) => page.getByRole('listitem').filter({ hasText: title });
  await expect(card('Soon').getByText('published', { exact: true })).toHaveCount(0);
  await expect(page.getByText('scheduled', { exact: true })).toHaveCount(1);
  await expect(card('Soon').getByText('scheduled', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'More actions for Soon' }).click();
  await expect(page.getByRole('menuitem', { name: 'Unpublish' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'View on site' })).toBeHidden();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More actions for Out' }).click();
  await expect(page.getByRole('menuitem', { name: 'View on site' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(card('Unfinished')).toContainText('draft');
  await expect(card('Out')).toContainText('published');

  const readStatus = async () =>
    (await site.service.from('posts').select().eq('slug', 'on-and-off').single()).data?.status;
  await page.getByRole('button', { name: 'More actions for On and off' }).click();
  await expect(page.getByRole('menuitem', { name: 'View on site' })).toBeHidden();
  await page.getByRole('menuitem', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Post updated successfully')).toBeVisible();
  await expect(card('On and off')).toContainText('published');
  await expect.poll(readStatus).toBe('published');
  await page.getByRole('button', { name: 'More actions for On and off' }).click();
  await expect(page.getByRole('menuitem', { name: 'View on site' })).toHaveAttribute('href', '/news/on-and-off');
  await page.getByRole('menuitem', { name: 'Unpublish' }).click();
  await expect(card('On and off')).toContainText('draft');
  await expect.poll(readStatus).toBe('draft');

  // Only the form of a public item links to its page.
  await page.getByRole('link', { name: 'Out', exact: true }).click();
  const link = page.getByRole('link', { name: 'View post' });
  await expect(link).toHaveAttribute('href', '/news/out');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'On and off', exact: true }).click();
  await expect(page.getByLabel('Title')).toHaveValue('On and off');
  await expect(page.getByRole('button', { name: 'History' })).toBeVisible();
  await expect(link).toHaveCount(0);
});

test('The URL contains search, status and page, and the list shows the number of results', async ({ page, site }) => {
  const posts = Array.from({ length: 30 }, (_, index) => ({
    title: `Letter ${index + 1}`,
    slug: `letter-${index + 1}`,
    status: index < 3 ? 'draft' : 'published',
    published_date: new Date(Date.UTC(2026, 0, 31 - index)).toISOString(),
  }));
  await site.service.from('posts').insert(posts).throwOnError();
  await openAdmin(page, site, '/admin/posts');
  const titles = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect(titles).toHaveCount(24);
  await expect(page.getByText('30 posts')).toBeVisible();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL('/admin/posts?page=2');
  await expect(titles).toHaveCount(6);
  await expect(page.getByText('Page 2 of 2')).toBeVisible();

  await page.getByLabel('Filter by status').selectOption('draft');
  await expect(page).toHaveURL('/admin/posts?status=draft');
  await expect(titles).toHaveText(['Letter 1', 'Letter 2', 'Letter 3']);
  await page.getByRole('searchbox').fill('letter 2');
  await expect(page).toHaveURL(/q=letter/);
  await expect(titles).toHaveText(['Letter 2']);
  await expect(page.getByText('1 post', { exact: true })).toBeVisible();
  await page.getByRole('searchbox').fill('nothing like this, "really" (100%)');
  await expect(page.getByText('No posts found')).toBeVisible();
  await page.getByRole('link', { name: 'Show all posts' }).click();
  await expect(titles).toHaveCount(24);
  await expect(page.getByRole('searchbox')).toHaveValue('');
});

test('Saving or leaving a form returns to the same search and page of the list', async ({ page, site }) => {
  const posts = Array.from({ length: 30 }, (_, index) => ({
    title: `Letter ${index + 1}`,
    slug: `letter-${index + 1}`,
    published_date: new Date(Date.UTC(2026, 0, 31 - index)).toISOString(),
  }));
  await site.service.from('posts').insert(posts).throwOnError();
  await openAdmin(page, site, '/admin/posts?q=letter&status=draft&page=2');
  const list = '/admin/posts?q=letter&status=draft&page=2';
  await page.getByRole('link', { name: 'Letter 30', exact: true }).click();
  await page.getByLabel('Category').fill('Post');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Post updated successfully')).toBeVisible();
  await expect(page).toHaveURL(list);
  await expect(page.getByText('Page 2 of 2')).toBeVisible();

  await page.getByRole('link', { name: 'Edit Letter 29' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(list);

  await page.getByRole('link', { name: 'New Post' }).click();
  await page.getByLabel('Title').fill('Letter 31');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(list);
});

test('Each row is one line, and a click outside its buttons opens the form', async ({ page, site }) => {
  const { data } = await site.service
    .from('projects')
    .insert({ title: 'Low water', slug: 'low-water', company: 'Havn AS', metric: '+40%', status: 'published' })
    .select()
    .single()
    .throwOnError();
  await page.setViewportSize({ width: 1440, height: 900 });
  await openAdmin(page, site, '/admin/projects');
  const row = page.getByRole('listitem').filter({ hasText: 'Low water' });
  await expect.poll(async () => Math.abs(((await row.boundingBox())?.height ?? 0) - 50)).toBeLessThanOrEqual(2);
  await row.getByRole('checkbox').check();
  await expect(page.getByText('1 selected')).toBeVisible();
  await expect(page).toHaveURL('/admin/projects');
  await expect(row).toContainText('Havn AS');
  // Click the middle of the row, which has no text.
  await row.click();
  await expect(page).toHaveURL(`/admin/projects/${data.id}/edit`);
});

test('An incomplete item is not published, and the form opens at the first error', async ({ page, site }) => {
  const { data } = await site.service
    .from('reviews')
    .insert({ author_name: 'Ada Draft', status: 'draft' })
    .select()
    .single()
    .throwOnError();
  const readReview = async () => (await site.service.from('reviews').select().eq('id', data.id).single()).data;
  await openAdmin(page, site, '/admin/reviews?status=draft');
  await page.getByRole('button', { name: 'More actions for Ada Draft' }).click();
  await page.getByRole('menuitem', { name: 'Publish', exact: true }).click();
  const toast = page.locator('[data-sonner-toast]');
  await expect(toast).toContainText('Error updating review');
  await expect(toast).toContainText('Quote is required to publish.');
  await expect(page).toHaveURL(/\/edit\?/);
  await expect(page.getByLabel('Quote')).toBeFocused();
  await expect(page.getByLabel('Quote')).toHaveAttribute('aria-invalid', 'true');
  expect((await readReview()).status).toBe('draft');

  await page.getByLabel('Quote').fill('They kept their promises.');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page).toHaveURL('/admin/reviews?status=draft');
  expect(await readReview()).toMatchObject({ status: 'published', quote: 'They kept their promises.' });
});

test('Duplicate opens a new form with all fields except the slug', async ({ page, site }) => {
  await site.service
    .from('projects')
    .insert({ title: 'Origin', slug: 'origin', company: 'Fjell AS', status: 'published' })
    .throwOnError();
  await openAdmin(page, site, '/admin/projects');
  await page.getByRole('button', { name: 'More actions for Origin' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New Project');
  await expect(page.getByLabel('Title')).toHaveValue('Origin (copy)');
  await expect(page.getByLabel('Slug')).toHaveValue('');
  await expect(page.getByLabel('Company')).toHaveValue('Fjell AS');
  await expect(page.getByLabel('Status')).toHaveValue('draft');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(['Origin (copy)', 'Origin']);
});

test('Cards can be moved with the keyboard and the pointer, and the new order is saved', async ({ page, site }) => {
  const names = ['Ada', 'Bo', 'Cato'];
  await site.service
    .from('team_members')
    .insert(names.map((name, index) => ({ name, display_order: index * 10 })))
    .throwOnError();
  const readOrder = async () =>
    (await site.service.from('team_members').select().order('display_order').throwOnError()).data.map(
      ({ name }) => name,
    );
  await openAdmin(page, site, '/admin/team');
  const titles = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect(titles).toHaveText(names);

  await moveDown(page, 'Ada', 1);
  await expect(titles).toHaveText(['Bo', 'Ada', 'Cato']);
  await expect.poll(readOrder).toEqual(['Bo', 'Ada', 'Cato']);

  await dragOnto(page, ['Cato', 3], ['Bo', 1]);
  await expect(titles).toHaveText(['Cato', 'Bo', 'Ada']);
  await expect.poll(readOrder).toEqual(['Cato', 'Bo', 'Ada']);
  await page.reload();
  await expect(titles).toHaveText(['Cato', 'Bo', 'Ada']);
});

test.describe('A list that fails to load', () => {
  test.use({ allowedProblems: [/403/] });

  test('shows the reason and can be retried', async ({ page, site }) => {
    await openAdmin(page, site, '/admin/settings');
    let fails = true;
    await page.route('**/rest/v1/reviews?*', (route) =>
      fails ? route.fulfill({ status: 403, json: { code: '42501', message: 'permission denied' } }) : route.continue(),
    );
    await page.getByRole('link', { name: 'Reviews', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('permission denied');
    fails = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('No reviews yet. Create your first review to get started.')).toBeVisible();
  });
});

test('A list shows its loading text', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/settings');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/rest\/v1\/(posts|projects|services)\?/, async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Blog Posts' }).click();
  await expect(page.getByText('Loading posts...')).toBeVisible();
  await page.getByRole('link', { name: 'Projects' }).click();
  await expect(page.getByText('Loading projects...')).toBeVisible();
  await page.getByRole('link', { name: 'Services' }).click();
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible();
  release();
  await expect(page.getByText('Loading...', { exact: true })).toBeHidden();
});
