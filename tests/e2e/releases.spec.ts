import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, type Site, test } from '../support/e2e.ts';

test.use({ starterContent: false });

test.afterEach(async ({ site }) => {
  await site.service.from('releases').delete().neq('name', '').throwOnError();
  await site.service.from('posts').delete().neq('title', '').throwOnError();
  await site.service.from('page_content').delete().neq('page_slug', '').throwOnError();
  await site.service.from('site_settings').delete().neq('setting_key', '').throwOnError();
});

async function addPost(site: Site, values: Record<string, string> = {}): Promise<{ id: string; updated_at: string }> {
  const row = { title: 'Fjord', slug: 'fjord', content: 'Cold', status: 'published', ...values };
  return (await site.service.from('posts').insert(row).select().single().throwOnError()).data;
}

/** Creates a release with one change: a new title of the post. */
async function createRelease(site: Site, title: string) {
  const post = await addPost(site);
  const { data: id } = await site.service
    .rpc('save_to_release', {
      _kind: 'posts',
      _item_id: post.id,
      _action: 'update',
      _data: { title },
      _base: post,
      _name: 'Spring launch',
    })
    .throwOnError();
  return { id: String(id), post };
}

/** Saves the open form to the existing release, or to a new release with this name. */
async function saveToRelease(page: Page, button: ReturnType<Page['getByRole']>, name?: string) {
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'Save to a release' });
  if (name === undefined) await dialog.getByRole('button', { name: 'Save to release' }).click();
  else {
    await dialog.getByLabel('Name').fill(name);
    // In the dialog, the shortcut saves to the release, not to the site.
    await page.keyboard.press('Control+s');
  }
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Saved to the release').first()).toBeVisible();
}

const button = (page: Page, name: string) => page.getByRole('button', { name });

test('A post, a page section and a setting are collected in a release and published together', async ({
  page,
  site,
}) => {
  test.slow();
  const { id } = await addPost(site);
  await openAdmin(page, site, `/admin/posts/${id}/edit`);
  // The same validation rules apply as in the form.
  await page.getByLabel('Title').fill('');
  await button(page, 'Save to a release…').click();
  await expect(page.getByText('Title is required')).toBeVisible();
  await page.getByLabel('Title').fill('Fjord in spring');
  await saveToRelease(page, button(page, 'Save to a release…'), 'Spring launch');
  await expect(page).toHaveURL(/\/admin\/posts$/);

  await page.goto('/admin/pages/headers?tab=contact');
  await page.getByLabel('Title').fill('Write in spring');
  await saveToRelease(page, button(page, 'Save to a release…'));
  await expect(page.getByText('There is a pending change to this section in the release Spring launch')).toBeVisible();
  await expect(page.getByLabel('Title')).not.toHaveValue('Write in spring');

  await page.goto('/admin/settings');
  const card = page.locator('#site_tagline');
  await card.getByLabel('Site tagline').fill('Spring has come');
  await saveToRelease(page, card.getByRole('button', { name: 'Save to a release…' }));
  await card.getByRole('link', { name: 'Spring launch' }).click();

  await expect(page.getByRole('heading', { name: 'Spring launch' })).toBeVisible();
  const changes = page.getByRole('list', { name: 'Changes' }).locator(':scope > li');
  await expect(changes).toHaveCount(3);
  await changes.filter({ hasText: 'Fjord in spring' }).getByText('Changes: Title').click();
  await expect(changes.filter({ hasText: 'Fjord in spring' }).getByText('After')).toBeVisible();
  expect(await (await page.request.get('/news/fjord')).text()).not.toContain('Fjord in spring');

  await button(page, 'Publish now').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Release published')).toBeVisible();
  await expect(page.getByText(/published .* by/)).toBeVisible();
  expect(await (await page.request.get('/news/fjord')).text()).toContain('Fjord in spring');
  expect(await (await page.request.get('/contact')).text()).toContain('Write in spring');
  expect(await (await page.request.get('/')).text()).toContain('Spring has come');

  // The release can be reverted by another release.
  await button(page, 'Undo…').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Create release' }).click();
  await expect(page.getByRole('heading', { name: 'Undo: Spring launch' })).toBeVisible();
  await button(page, 'Publish now').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText(/published .* by/)).toBeVisible();
  expect(await (await page.request.get('/news/fjord')).text()).not.toContain('Fjord in spring');
});

test('Conflicts with newer changes to the site are shown with a choice before publishing', async ({ page, site }) => {
  const { id, post } = await createRelease(site, 'Ours');
  await site.service.from('posts').update({ title: 'Theirs' }).eq('id', post.id).throwOnError();
  await openAdmin(page, site, `/admin/releases/${id}`);
  await expect(page.getByText('One change cannot be published.')).toBeVisible();
  await expect(button(page, 'Publish now')).toBeDisabled();
  const problem = page.getByRole('region', { name: 'Problem' });
  await expect(problem).toContainText('“Ours” was changed on the site in the same fields (title).');
  await expect(problem).toContainText('Theirs');
  await expectNoAxeViolations(page);
  await problem.getByRole('button', { name: 'Publish the release’s version' }).click();
  await expect(problem).toBeHidden();
  await button(page, 'Publish now').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Release published')).toBeVisible();
  const { data } = await site.service.from('posts').select('title').eq('id', post.id).single().throwOnError();
  expect(data.title).toBe('Ours');
});

test('A change can be edited, a deletion added, and the release scheduled and unscheduled', async ({ page, site }) => {
  const { id, post } = await createRelease(site, 'Ours');
  const otherPost = await addPost(site, { title: 'Old news', slug: 'old' });
  await openAdmin(page, site, `/admin/posts/${post.id}/edit`);
  await expect(page.getByLabel('Title')).toHaveValue('Fjord');
  await page.getByRole('link', { name: 'Spring launch' }).click();
  await page.getByRole('link', { name: 'Edit Ours' }).click();
  await expect(page.getByText('You are editing a pending change in the release')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Ours');
  await page.getByLabel('Title').fill('Ours, better');
  await button(page, 'Save to release').click();
  await expect(page).toHaveURL(`/admin/releases/${id}`);
  await expect(page.getByRole('heading', { name: 'Ours, better' })).toBeVisible();

  await page.goto(`/admin/posts/${otherPost.id}/edit`);
  await button(page, 'Delete in a release…').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add to release' }).click();
  await expect(page.getByText('This post will be deleted by the release')).toBeVisible();
  await page.getByRole('link', { name: 'Spring launch' }).click();
  await expect(page.getByRole('heading', { name: 'Old news' })).toBeVisible();

  await button(page, 'Plan…').click();
  const dialog = page.getByRole('dialog', { name: 'Plan the release' });
  await dialog.getByLabel('Date and time').fill('2020-01-01T09:00');
  await dialog.getByRole('button', { name: 'Plan' }).click();
  await expect(dialog.getByText('Choose a time in the future, or publish it now')).toBeVisible();
  const year = new Date().getFullYear() + 1;
  await dialog.getByLabel('Date and time').fill(`${year}-03-01T09:00`);
  await dialog.getByRole('button', { name: 'Plan' }).click();
  await expect(page.getByText(`Planned for 1 Mar ${year}, 09:00`).first()).toBeVisible();
  await button(page, 'Remove plan').click();
  await expect(page.getByText('Open', { exact: true })).toBeVisible();
  await button(page, 'Remove Old news').click();
  await expect(page.getByRole('heading', { name: 'Old news' })).toBeHidden();
  const { data } = await site.service.from('releases').select('publish_at, release_changes(data)').eq('id', id);
  expect(data).toEqual([
    { publish_at: null, release_changes: [{ data: expect.objectContaining({ title: 'Ours, better' }) }] },
  ]);
});

test('A release passes axe in both themes', async ({ page, site }) => {
  const { id } = await createRelease(site, 'Ours');
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await openAdmin(page, site, '/admin/releases');
    await expect(page.getByRole('link', { name: 'Spring launch' })).toBeVisible();
    await expectNoAxeViolations(page);
    await page.goto(`/admin/releases/${id}`);
    await page.getByText('Changes: Title').click();
    await expect(page.getByText('After')).toBeVisible();
    await expectNoAxeViolations(page);
    await page.getByRole('link', { name: 'Edit Ours' }).click();
    await expect(page.getByLabel('Title')).toHaveValue('Ours');
    await expectNoAxeViolations(page);
  }
});
