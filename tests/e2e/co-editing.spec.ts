import type { Page } from '@playwright/test';
import { openAdmin, signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, type Site, test } from '../support/e2e.ts';

// The browser logs the 412 response of a save conflict.
test.use({ starterContent: false, allowedProblems: [/status of 412/] });

async function insertPost(site: Site, slug: string): Promise<string> {
  const row = { title: 'Shared', slug, excerpt: 'Old excerpt', content: 'Old content' };
  return (await site.service.from('posts').insert(row).select('id').single().throwOnError()).data.id;
}

async function readPost(site: Site, id: string) {
  return (await site.service.from('posts').select().eq('id', id).single().throwOnError()).data;
}

/** Saves the header of the news page, as another editor would. */
async function saveHeader(site: Site, content: object): Promise<void> {
  const row = { page_slug: 'news', section_name: 'header', content: JSON.stringify(content), content_type: 'json' };
  await site.service.from('page_content').upsert(row, { onConflict: 'page_slug,section_name' }).throwOnError();
}

async function readHeader(site: Site): Promise<unknown> {
  const { data } = await site.service.from('page_content').select('content').eq('page_slug', 'news').throwOnError();
  return JSON.parse(data[0]?.content);
}

const toast = (page: Page, text: string) => page.locator('[data-sonner-toast]').filter({ hasText: text });

test('Edits of different fields of an item are merged, and the toast lists the merged changes', async ({
  page,
  site,
}) => {
  const id = await insertPost(site, 'different');
  await openAdmin(page, site, `/admin/posts/${id}/edit`);
  await page.getByLabel('Title').fill('My title');
  await site.service.from('posts').update({ excerpt: 'Their excerpt', category: 'Theirs' }).eq('id', id).throwOnError();
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page).toHaveURL('/admin/posts');
  await expect(toast(page, 'Post updated successfully')).toContainText(
    'Their changes were kept: Excerpt and Category.',
  );
  expect(await readPost(site, id)).toMatchObject({
    title: 'My title',
    excerpt: 'Their excerpt',
    category: 'Theirs',
    content: 'Old content',
  });
});

test('Editors are asked only about fields that both changed', async ({ page, site }) => {
  const id = await insertPost(site, 'same');
  await openAdmin(page, site, `/admin/posts/${id}/edit`);
  await page.getByLabel('Title').fill('My title');
  await page.getByLabel('Excerpt').fill('My excerpt');
  const otherEdit = { title: 'Their title', excerpt: 'Their excerpt', category: 'Theirs' };
  await site.service.from('posts').update(otherEdit).eq('id', id).throwOnError();
  await page.getByRole('button', { name: 'Update' }).click();
  const dialog = page.getByRole('dialog', { name: 'Someone else changed this post' });
  await expect(dialog.getByRole('group')).toHaveCount(2);
  await expect(dialog).toContainText('Their changes were kept: Category.');
  await expectNoAxeViolations(page);
  await dialog.getByRole('group', { name: 'Excerpt' }).getByRole('radio', { name: 'Theirs' }).check();
  await dialog.getByRole('button', { name: 'Save selection' }).click();
  await expect(page).toHaveURL('/admin/posts');
  await expect(toast(page, 'Post updated successfully')).toContainText(
    'Their changes were kept: Category and Excerpt.',
  );
  expect(await readPost(site, id)).toMatchObject({ ...otherEdit, title: 'My title' });
});

test('A merged item that is invalid is not saved, and its error is shown in the form', async ({ page, site }) => {
  const row = { author_name: 'Kari', quote: 'Good', status: 'draft' };
  const { data } = await site.service.from('reviews').insert(row).select('id').single().throwOnError();
  await openAdmin(page, site, `/admin/reviews/${data.id}/edit`);
  await page.getByLabel('Status').selectOption('published');
  await site.service.from('reviews').update({ quote: '' }).eq('id', data.id).throwOnError();
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Quote is required to publish')).toBeVisible();
  await expect(page.getByLabel('Status')).toHaveValue('published');
  await page.getByLabel('Quote').fill('Still good');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page).toHaveURL('/admin/reviews');
  const { data: review } = await site.service.from('reviews').select().eq('id', data.id).single().throwOnError();
  expect(review).toMatchObject({ quote: 'Still good', status: 'published' });
});

test('Edits of a section are merged, and its form can be saved again', async ({ page, site }) => {
  await saveHeader(site, { title: 'Old', description: 'Old' });
  await openAdmin(page, site, '/admin/pages/headers?tab=news');
  await page.getByLabel('Title').fill('Mine');
  await saveHeader(site, { title: 'Old', description: 'Theirs' });
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toast(page, 'Content updated successfully')).toContainText('Their changes were kept: Description.');
  await expect(page.getByLabel('Description')).toHaveValue('Theirs');
  expect(await readHeader(site)).toEqual({ title: 'Mine', description: 'Theirs' });

  await page.getByLabel('Title').fill('Mine again');
  await saveHeader(site, { title: 'Theirs again', description: 'Theirs' });
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Someone else changed this section' });
  await expect(dialog).toContainText('Theirs again');
  await expect(dialog).toContainText('Mine again');
  await dialog.getByRole('button', { name: 'Discard mine and load theirs' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Theirs again');
  await page.getByLabel('Title').fill('At last');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect.poll(() => readHeader(site)).toEqual({ title: 'At last', description: 'Theirs' });
});

test('Overwriting a setting that another editor changed requires confirmation', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/settings');
  const card = page.locator('#seo_keywords');
  await card.getByLabel('SEO keywords').fill('mine');
  await site.service
    .from('site_settings')
    .insert({ setting_key: 'seo_keywords', setting_value: 'theirs' })
    .throwOnError();
  await card.getByRole('button', { name: 'Save Changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Someone else changed this setting' });
  await expect(dialog).toContainText('theirs');
  await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
  await expect(toast(page, 'Setting updated successfully')).toBeVisible();
  const { data } = await site.service.from('site_settings').select().eq('setting_key', 'seo_keywords').throwOnError();
  expect(data).toMatchObject([{ setting_value: 'mine' }]);
});

test('Other editors are shown in the form and in the list until they leave', async ({ page, site, browser }) => {
  const id = await insertPost(site, 'together');
  const anna = await site.createUser({ role: 'admin' });
  await site.service.auth.admin.updateUserById(anna.id, { user_metadata: { name: 'Anna' } });
  const otherContext = await browser.newContext({ baseURL: site.url });
  const annaPage = await otherContext.newPage();
  await signIn(annaPage, site, anna);
  await annaPage.goto(`/admin/posts/${id}/edit`);
  await expect(annaPage.getByLabel('Title')).toHaveValue('Shared');
  await expect
    .poll(async () => (await site.service.from('editing').select('item_id').throwOnError()).data)
    .toContainEqual({ item_id: id });

  await openAdmin(page, site, `/admin/posts/${id}/edit`);
  await expect(page.getByText('Anna is editing')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Anna is editing' })).toContainText('Shared');

  await annaPage.getByRole('link', { name: 'Cancel' }).click();
  await expect(annaPage).toHaveURL('/admin/posts');
  await expect
    .poll(async () => (await site.service.from('editing').select('item_id').throwOnError()).data)
    .not.toContainEqual({ item_id: id });
  await otherContext.close();
});
