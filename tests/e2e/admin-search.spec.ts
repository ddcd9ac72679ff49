import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, type Site, test } from '../support/e2e.ts';

test.use({ starterContent: false });

test.beforeEach(({ site }) => site.service.from('posts').delete().neq('slug', '').throwOnError());

async function insertPosts(site: Site, ...posts: Record<string, string>[]): Promise<void> {
  const rows = posts.map((post, index) => ({
    slug: `post-${index}`,
    content: 'Some text.',
    category: '',
    status: 'draft',
    published_date: new Date(Date.UTC(2026, 0, 28 - index)).toISOString(),
    ...post,
  }));
  await site.service.from('posts').insert(rows).throwOnError();
}

async function readStatuses(site: Site): Promise<Record<string, string>> {
  const { data } = await site.service.from('posts').select('title, status').order('title').throwOnError();
  return Object.fromEntries(data.map(({ title, status }) => [title, status]));
}

const cards = (page: Page) => page.getByRole('main').getByRole('listitem');
const titles = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 });
const toast = (page: Page, text: string) => page.locator('[data-sonner-toast]').filter({ hasText: text });

test('Search finds a mistyped word in title and body, best match first', async ({ page, site }) => {
  await insertPosts(
    site,
    { title: 'Rain', content: 'Long ago. **Conversations** were short.', category: 'Craft' },
    { title: 'Conversation', category: 'Ads' },
    { title: 'Snow' },
  );
  await openAdmin(page, site, '/admin/posts');
  await expect(titles(page)).toHaveText(['Rain', 'Conversation', 'Snow']);
  await page.getByRole('searchbox').fill('conversatoin');
  await expect(titles(page)).toHaveText(['Conversation', 'Rain']);
  await expect(page.getByText('2 posts')).toBeVisible();
  await expect(cards(page).filter({ hasText: 'Rain' }).locator('mark')).toHaveText('Conversations');
  await expect(cards(page).first().locator('mark')).toHaveText('Conversation');
  await expectNoAxeViolations(page);

  await page.getByLabel('Filter by category').selectOption('Craft');
  await expect(titles(page)).toHaveText(['Rain']);
  await page.getByLabel('Sort by').selectOption('title');
  await expect(page).toHaveURL('/admin/posts?q=conversatoin&category=Craft&sort=title');
  await page.reload();
  await expect(titles(page)).toHaveText(['Rain']);
  await expect(page.getByLabel('Sort by')).toHaveValue('title');
  await page.getByLabel('Filter by category').selectOption('');
  await expect(titles(page)).toHaveText(['Conversation', 'Rain']);
});

test('Publishing several items publishes the valid ones and keeps the others selected', async ({ page, site }) => {
  await site.service.from('reviews').delete().neq('status', '').throwOnError();
  const review = (author_name: string, quote: string) => ({ author_name, quote, status: 'draft' });
  await site.service.from('reviews').insert([review('Kari', 'Good'), review('Ola', ''), review('Liv', 'Fine')]);
  await openAdmin(page, site, '/admin/reviews');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('3 selected')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(toast(page, '2 of 3 reviews published')).toContainText('"Ola": Quote is required to publish.');
  await expect(page.getByRole('checkbox', { name: 'Select Ola' })).toBeChecked();
  await expect(page.getByText('1 selected')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Select all on this page' })).toBeFocused();
  const { data } = await site.service.from('reviews').select('author_name').eq('status', 'published').throwOnError();
  expect(data.map(({ author_name }) => author_name).sort()).toEqual(['Kari', 'Liv']);
});

test('Several items can be unpublished and deleted, and messages about one item are singular', async ({
  page,
  site,
}) => {
  await insertPosts(
    site,
    { title: 'A', status: 'published' },
    { title: 'B', status: 'published' },
    { title: 'C', status: 'published' },
  );
  await openAdmin(page, site, '/admin/posts');
  await page.getByRole('checkbox', { name: 'Select A', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Select B' }).check();
  await page.getByRole('button', { name: 'Unpublish' }).click();
  await expect(toast(page, '2 posts unpublished')).toBeVisible();
  expect(await readStatuses(site)).toEqual({ A: 'draft', B: 'draft', C: 'published' });

  await page.getByRole('checkbox', { name: 'Select A', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Select B' }).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(
    'Are you sure you want to delete these 2 posts? This action cannot be undone.They can be restored for 30 days under Deleted.',
  );
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('checkbox', { name: 'Select B' }).uncheck();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(dialog).toContainText('Are you sure you want to delete "A"? This action cannot be undone.');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page, '1 post deleted')).toBeVisible();
  await expect(titles(page)).toHaveText(['B', 'C']);
});

test('The palette finds settings, page texts, people, items and actions despite typos, with the keyboard only', async ({
  page,
  site,
}) => {
  await insertPosts(site, { title: 'Outreach that answers' });
  const { id } = await site.createUser({ role: 'client', email: 'palette-person@example.com' });
  await openAdmin(page, site, '/admin/dashboard');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  const searchPalette = async (text: string, option: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill(text);
    await expect(page.getByRole('option', { name: option, exact: true })).toBeVisible();
  };
  await searchPalette('outraech', 'Outreach that answers');
  await expectNoAxeViolations(page);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Title')).toHaveValue('Outreach that answers');

  await searchPalette('palette-persn', 'palette-person@example.com');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/admin/people/${id}`);

  await searchPalette('tagline', 'Site tagline');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Site tagline')).toBeFocused();

  await searchPalette('accent', 'Accent colour');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin/settings/brand');

  await searchPalette('testimonails', 'Home: Testimonials');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Testimonials', selected: true })).toBeVisible();

  await searchPalette('new psot', 'New Post');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin/posts/new');

  await searchPalette('chnage theme', 'Change theme');
  const themeMode = () => page.evaluate(() => localStorage.getItem('theme-mode'));
  const before = await themeMode();
  await page.keyboard.press('Enter');
  await expect.poll(themeMode).not.toBe(before);

  await searchPalette('invite', 'Invite someone');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /invite/i })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL('/admin/people');

  await searchPalette('sign out', 'Sign out');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
});
