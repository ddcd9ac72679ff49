import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';

test.use({ starterContent: false });

test('A deleted post moves to the trash, and can be restored to its URL or deleted permanently', async ({
  page,
  site,
}) => {
  const { data } = await site.service
    .from('posts')
    .insert([
      { title: 'Kept', slug: 'kept', status: 'published' },
      { title: 'Thrown away', slug: 'thrown-away', status: 'published' },
    ])
    .select('id')
    .throwOnError();
  await openAdmin(page, site, '/admin/posts');
  for (const title of ['Kept', 'Thrown away']) {
    await page.getByRole('button', { name: `Delete ${title}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('link', { name: title, exact: true })).toBeHidden();
  }
  await page.getByRole('link', { name: 'Deleted' }).click();
  await expect(page).toHaveURL('/admin/posts/deleted');
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(['Thrown away', 'Kept']);
  await expect(page.getByText('2 posts')).toBeVisible();
  await expectNoAxeViolations(page);

  await page.getByRole('button', { name: 'Restore Kept' }).click();
  await expect(page.getByText('"Kept" restored')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.getByRole('button', { name: 'Delete Thrown away permanently' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByText('No deleted posts')).toBeVisible();

  const { data: remaining } = await site.service.from('posts').select('id, slug').throwOnError();
  expect(remaining).toEqual([{ id: data[0]?.id, slug: 'kept' }]);
  await page.getByRole('link', { name: 'All posts' }).click();
  await expect(page.getByRole('link', { name: 'Kept', exact: true })).toBeVisible();
  expect((await page.request.get('/news/kept')).status()).toBe(200);
  expect((await page.request.get('/news/thrown-away')).status()).toBe(404);
});

test('Restoring a post whose slug is in use reports the new slug', async ({ page, site }) => {
  for (const title of ['First', 'Second']) {
    await site.service.from('posts').insert({ title, slug: 'contested' }).throwOnError();
    if (title === 'First') await site.service.from('posts').delete().eq('slug', 'contested').throwOnError();
  }
  await openAdmin(page, site, '/admin/posts/deleted');
  await page.getByRole('button', { name: 'Restore First' }).click();
  await expect(page.getByText('That slug is already in use, so it was changed to "contested-2".')).toBeVisible();
});

test('A deleted file can be restored to its URL', async ({ page, site }) => {
  const bucket = site.service.storage.from('content-media');
  const metadata = { original_name: 'Ferry.png', alt: 'A ferry' };
  const { error } = await bucket.upload('ferry.png', await picture(60, 40), { metadata });
  expect(error).toBeNull();
  const path = '/storage/v1/object/public/content-media/ferry.png';
  await openAdmin(page, site, '/admin/media');
  await page.getByRole('button', { name: 'Delete Ferry.png' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('File deleted successfully')).toBeVisible();
  expect((await page.request.get(path)).status()).toBe(400);
  await page.getByRole('link', { name: 'Deleted' }).click();
  await page.getByRole('button', { name: 'Restore Ferry.png' }).click();
  await expect(page.getByText('"Ferry.png" restored')).toBeVisible();
  await expect(page.getByText('No deleted files')).toBeVisible();
  expect((await page.request.get(path)).status()).toBe(200);
  await page.getByRole('link', { name: 'All files' }).click();
  await page.getByRole('button', { name: 'Details of Ferry.png' }).click();
  await expect(page.getByRole('dialog').getByLabel('Alt text')).toHaveValue('A ferry');
});
