/** Keyboard focus after actions in the admin area. */
import { openAdmin } from '../support/admin-session.ts';
import { expect, test } from '../support/e2e.ts';

test.use({ starterContent: false });

test('Deleting an item moves the focus to the neighbouring row, or to the heading of an empty list', async ({
  page,
  site,
}) => {
  const reviews = ['Ada', 'Bo', 'Cleo'].map((author_name, display_order) => ({
    author_name,
    quote: 'Yes',
    display_order,
  }));
  await site.service.from('reviews').insert(reviews).throwOnError();
  await openAdmin(page, site, '/admin/reviews');
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const remove = async (name: string) => {
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(link(name)).toHaveCount(0);
  };
  await page.getByRole('button', { name: 'Delete Bo' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Delete Bo' })).toBeFocused();
  await remove('Bo');
  await expect(link('Cleo')).toBeFocused();
  await remove('Cleo');
  await expect(link('Ada')).toBeFocused();
  await remove('Ada');
  await expect(page.getByRole('heading', { level: 1, name: 'Reviews' })).toBeFocused();
});

test('Publishing an item that no longer matches the filter focuses the next row or the heading', async ({
  page,
  site,
}) => {
  const posts = ['First', 'Second'].map((title) => ({ title, slug: title.toLowerCase(), content: 'Text' }));
  await site.service.from('posts').insert(posts).throwOnError();
  await openAdmin(page, site, '/admin/posts?status=draft');
  const titles = page.getByRole('main').getByRole('heading', { level: 2 });
  const publishFirst = async () => {
    await page
      .getByRole('button', { name: /^More actions/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Publish', exact: true }).click();
  };
  await publishFirst();
  await expect(titles).toHaveCount(1);
  await expect(titles.getByRole('link')).toBeFocused();
  await publishFirst();
  await expect(titles).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Blog Posts' })).toBeFocused();
});

test('Creating or saving an item focuses the heading of the list', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/projects/new');
  await page.getByLabel('Title').fill('Harbour');
  await page.getByRole('button', { name: 'Create' }).click();
  const heading = page.getByRole('heading', { level: 1, name: 'Projects' });
  await expect(heading).toBeFocused();
  await page.getByRole('link', { name: 'Edit Harbour' }).click();
  await page.getByLabel('Company').fill('Havn AS');
  await page.keyboard.press('Control+s');
  await expect(heading).toBeFocused();
});

test('Saving or resetting a section of a page keeps the focus on the button', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/pages/home?tab=booking');
  const save = page.getByRole('button', { name: 'Save Changes' });
  await page.getByLabel('Heading').fill('Talk to us');
  await save.click();
  await expect(page.getByText('Content updated successfully')).toBeVisible();
  await expect(save).toBeFocused();
  const reset = page.getByRole('button', { name: 'Reset to default' });
  await reset.click();
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect(page.getByLabel('Heading')).toHaveValue('Ready to Scale Your Outbound?');
  await expect(reset).toBeFocused();
});

test('Opening a page from the palette focuses its heading', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/posts');
  await page.getByRole('link', { name: 'New Post' }).focus();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('Settings');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin/settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('New Review');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'New Review' })).toBeFocused();
});

test('Closing the palette restores the focus, or focuses the heading', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/posts');
  const opener = page.getByRole('link', { name: 'New Post' });
  const openAndClose = async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
    await page.keyboard.press('Escape');
  };
  await opener.focus();
  await openAndClose();
  await expect(opener).toBeFocused();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await openAndClose();
  await expect(page.getByRole('heading', { level: 1, name: 'Blog Posts' })).toBeFocused();
});

test('The link to the opening hours focuses the page heading, and approving a user focuses the heading of the tasks', async ({
  page,
  site,
}) => {
  await openAdmin(page, site, '/admin/bookings');
  await page.getByRole('link', { name: 'Set hours' }).press('Enter');
  await expect(page.getByLabel('Where the call happens')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Bookings' })).toBeFocused();

  const { email } = await site.createUser({ role: 'team', approved: false });
  await page.goto('/admin');
  await page.getByRole('button', { name: `Approve ${email}` }).press('Enter');
  await expect(page.getByText(/^(No pending tasks or registrations|No pending registrations)/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Pending tasks' })).toBeFocused();
});
