import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, type Site, test } from '../support/e2e.ts';
import { ADMIN } from '../support/site-template.ts';

test.use({ starterContent: false });

async function insertPost(site: Site, values: Record<string, unknown>): Promise<string> {
  return (await site.service.from('posts').insert(values).select('id').single().throwOnError()).data.id;
}

const changePost = (site: Site, id: string, values: Record<string, unknown>) =>
  site.service.from('posts').update(values).eq('id', id).throwOnError();

const history = (page: Page) => page.getByRole('dialog', { name: 'History' });
const versions = (page: Page) => history(page).getByRole('list', { name: 'Versions' }).getByRole('button');

test('A version shows its changes, can be loaded into the form, and is saved like any other change', async ({
  page,
  site,
}) => {
  const id = await insertPost(site, { title: 'Ferries', slug: 'ferries', content: 'They sail in winter.' });
  await changePost(site, id, { content: 'They rest in winter.', status: 'published' });
  await changePost(site, id, { title: 'All ferries' });
  await openAdmin(page, site, `/admin/posts/${id}/edit`);
  const [title, content] = [page.getByLabel('Title'), page.getByRole('textbox', { name: 'Content' })];
  await content.fill('Typed and not saved');
  await page.getByRole('button', { name: 'History' }).click();

  await expect(versions(page)).toHaveText([/now.*Changed: Title/, /Changed: Content, Status/, /Created/]);
  await expect(history(page).getByRole('heading', { name: 'Title' })).toBeVisible();
  await expect(history(page).getByRole('button', { name: 'Restore this version' })).toBeDisabled();
  await versions(page).nth(1).click();
  await expect(history(page).locator('mark')).toHaveText(['sail', 'rest', 'draft', 'published']);
  await expectNoAxeViolations(page);
  await versions(page).nth(2).click();
  await history(page).getByLabel('Show').selectOption('Compared with the saved version');
  await expect(history(page).getByRole('heading', { level: 3 })).toHaveText(['Title', 'Content', 'Status']);
  await history(page).getByRole('button', { name: 'Restore this version' }).click();

  await expect(history(page)).toBeHidden();
  await expect(title).toHaveValue('Ferries');
  await expect(content).toHaveText('They sail in winter.');
  await expect(page.getByLabel('Status')).toHaveValue('published');
  await page
    .getByRole('region', { name: /Notifications/ })
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect(content).toHaveText('Typed and not saved');
  await expect(title).toHaveValue('All ferries');

  await page.getByRole('button', { name: 'History' }).click();
  await versions(page).nth(2).click();
  await history(page).getByRole('button', { name: 'Restore this version' }).click();
  await expect(content).toHaveText('They sail in winter.');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page).toHaveURL('/admin/posts');
  const { data } = await site.service
    .from('posts')
    .select('title, content, status')
    .eq('id', id)
    .single()
    .throwOnError();
  expect(data).toEqual({ title: 'Ferries', content: 'They sail in winter.', status: 'published' });

  // The earlier draft is still offered. The restore creates a separate version.
  await page.goto(`/admin/posts/${id}/edit`);
  await page.getByRole('button', { name: /^Restore changes made/ }).click();
  await expect(content).toHaveText('Typed and not saved');
  await page.getByRole('button', { name: 'History' }).click();
  await expect(versions(page)).toHaveCount(4);
  await expect(versions(page).first()).toContainText(ADMIN.email);
});

test('Saving a restored version detects conflicts like any other save', async ({ page, site }) => {
  const id = await insertPost(site, { title: 'Twice', slug: 'twice', content: 'First' });
  await changePost(site, id, { content: 'Second' });
  await openAdmin(page, site, `/admin/posts/${id}/edit`);
  await page.getByRole('button', { name: 'History' }).click();
  await versions(page).last().click();
  await history(page).getByRole('button', { name: 'Restore this version' }).click();
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveText('First');
  await changePost(site, id, { content: 'Third' });
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByRole('dialog', { name: 'Someone else changed this post' })).toContainText('Third');
});

test('Sections and settings have a history, even a section that was reset', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/pages/headers?tab=news');
  const heading = page.getByRole('tabpanel').getByLabel('Title');
  await heading.fill('All our news');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Content updated successfully')).toBeVisible();
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
  await expect(heading).not.toHaveValue('All our news');
  await page.getByRole('button', { name: 'History' }).click();
  await expect(versions(page)).toHaveText([/Reset to default/, /Created/]);
  await versions(page).last().click();
  await history(page).getByRole('button', { name: 'Restore this version' }).click();
  await expect(heading).toHaveValue('All our news');

  await site.service.from('site_settings').insert({ setting_key: 'site_tagline', setting_value: 'One' }).throwOnError();
  await site.service.from('site_settings').update({ setting_value: 'Two' }).eq('setting_key', 'site_tagline');
  await page.goto('/admin/settings');
  await expect(page.getByLabel('Site tagline')).toHaveValue('Two');
  await site.service
    .from('site_settings')
    .insert({ setting_key: 'seo_keywords', setting_value: 'fjord' })
    .throwOnError();
  // The restored setting is shown even if it does not match the search.
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('webhook');
  await expect(page.getByLabel('Site tagline')).toBeHidden();
  await page.getByRole('button', { name: 'History' }).click();
  await expect(versions(page)).toHaveText([
    /now.*SEO keywords.*Created/,
    /now.*Site tagline.*Changed/,
    /Site tagline.*Created/,
  ]);
  await expectNoAxeViolations(page);
  await history(page).getByLabel('Filter settings').selectOption('Site tagline');
  await expect(versions(page)).toHaveText([/now.*Changed/, /Created/]);
  await versions(page).last().click();
  await history(page).getByRole('button', { name: 'Restore this version' }).click();
  await expect(page.getByLabel('Site tagline')).toHaveValue('One');
  await expect(page.getByLabel('Site tagline')).toBeFocused();
  await page.locator('#site_tagline').getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Setting updated successfully')).toBeVisible();
});
