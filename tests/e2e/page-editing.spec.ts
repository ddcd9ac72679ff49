/** Admins edit texts on the public pages themselves. */
import type { Page } from '@playwright/test';
import { openAdmin, signedInClient, signIn } from '../support/admin-session.ts';
import {
  expect,
  expectNoAxeViolations,
  expectNoHorizontalScroll,
  type Site,
  test,
  waitUntilHydrated,
} from '../support/e2e.ts';
import { ADMIN } from '../support/site-template.ts';

const EDIT = { name: 'Edit page', exact: true };

/** Opens a public page in edit mode. Opens the admin area first, because it stores the role in the browser. */
async function editPage(page: Page, site: Site, path: string): Promise<void> {
  await openAdmin(page, site, '/admin/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto(path);
  await page.getByRole('button', EDIT).click();
  await expect(page.getByRole('button', { name: 'Done editing' })).toBeFocused();
}

const editButton = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Editable content' }).getByRole('button', { name, exact: true }).first();

test('An admin edits the headline on the page and saves it', async ({ page, site }) => {
  await editPage(page, site, '/');
  const headline = page.getByRole('heading', { level: 1 });
  await editButton(page, 'Edit main heading').click();
  const drawer = page.getByRole('dialog', { name: 'Hero' });
  const field = drawer.getByLabel('Main heading');
  await expect(field).toBeFocused();

  await field.fill('Not to be saved');
  await expect(headline).toContainText('Not to be saved');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Stay' }).click();
  await expect(field).toHaveValue('Not to be saved');
  await drawer.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(drawer).toHaveCount(0);
  await expect(headline).toContainText('Build something');
  await expect(editButton(page, 'Edit main heading')).toBeFocused();

  await page.keyboard.press('Enter');
  await field.fill('Edited on the page');
  const save = drawer.getByRole('button', { name: 'Save Changes' });
  await save.click();
  await expect(page.getByText('Content updated successfully')).toBeVisible();
  await expect(save).not.toHaveAttribute('aria-busy', 'true');
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  await expect(headline).toContainText('Edited on the page');
  expect(await (await fetch(site.url)).text()).toContain('Edited on the page');
});

test('Items of a list are added on the page, and typing is shown in sections below the fold', async ({
  page,
  site,
}) => {
  await editPage(page, site, '/about');
  await editButton(page, 'Edit chapters 2 title').click();
  const drawer = page.getByRole('dialog', { name: 'Story' });
  await expect(drawer.getByLabel('Title')).toBeFocused();
  await drawer.getByLabel('Title').fill('Changed chapter');
  await expect(page.getByRole('heading', { name: 'Changed chapter' })).toBeVisible();
  await drawer.getByRole('button', { name: 'Add chapter' }).click();
  await drawer.getByLabel('Title').fill('Added chapter');
  await expect(page.getByRole('heading', { name: 'Added chapter' })).toBeVisible();
});

test('An item opens its own form, and the page shows it after saving', async ({ page, site }) => {
  await editPage(page, site, '/services');
  const { data: service } = await site.service
    .from('services')
    .select('title')
    .eq('status', 'published')
    .order('display_order')
    .limit(1)
    .single()
    .throwOnError();
  await editButton(page, 'Edit service title').click();
  const drawer = page.getByRole('dialog', { name: 'Service' });
  const title = drawer.getByLabel('Title');
  await expect(title).toHaveValue(service.title);
  await title.fill('A renamed service');
  await expect(page.getByRole('heading', { name: 'A renamed service' })).toBeVisible();
  await drawer.getByRole('button', { name: 'Update' }).click();
  await expect(drawer).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'A renamed service' })).toBeVisible();
  expect(await (await fetch(`${site.url}/services`)).text()).toContain('A renamed service');
});

test('A figure in two parts and a text with placeholders can be edited', async ({ page, site }) => {
  await editPage(page, site, '/projects');
  await editButton(page, 'Edit project metric').click();
  const metric = page.getByRole('dialog', { name: 'Project' }).getByLabel('Key metric');
  await expect(metric).toBeFocused();
  await metric.fill('+77% answers');
  await expect(page.getByRole('main').getByText('+77%')).toBeVisible();
  await page.goto('/terms');
  await page.getByRole('button', EDIT).click();
  await editButton(page, 'Edit text').click();
  await expect(page.getByRole('dialog', { name: 'Terms' }).getByRole('textbox', { name: 'Text' })).toBeFocused();
});

test('The edit buttons have the tab order of the page, and editing can be ended with the keyboard', async ({
  page,
  site,
}) => {
  await editPage(page, site, '/contact');
  await expect(editButton(page, 'Edit title')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(editButton(page, 'Edit title')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(editButton(page, 'Edit description')).toBeFocused();
  await page.keyboard.press('Enter');
  const field = page.getByRole('dialog', { name: 'Contact' }).getByLabel('Description');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(editButton(page, 'Edit description')).toBeFocused();
  await page.getByRole('button', { name: 'Done editing' }).press('Enter');
  await expect(page.getByRole('button', EDIT)).toBeFocused();
  await expect(page.getByRole('region', { name: 'Editable content' })).toHaveCount(0);
});

test('On a phone, the form is below the text that it edits, in both themes', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await editPage(page, site, '/contact');
    await editButton(page, 'Edit description').click();
    await expect(page.getByRole('dialog').getByLabel('Description')).toBeFocused();
    await expect(editButton(page, 'Edit description')).toBeInViewport({ ratio: 1 });
    await expectNoHorizontalScroll(page);
    await expectNoAxeViolations(page);
  }
});

test('A draft is edited in its preview, and the preview of a release cannot be edited', async ({ page, site }) => {
  const draft = { title: 'A draft', slug: 'a-draft', excerpt: 'Not out yet', content: 'Cold water.' };
  const { data: post } = await site.service.from('posts').insert(draft).select().single().throwOnError();
  const change = { _kind: 'posts', _item_id: post.id, _action: 'update', _data: { title: 'Released' }, _base: post };
  const { data: release } = await site.service.rpc('save_to_release', { ...change, _name: 'Spring' }).throwOnError();
  const admin = await signedInClient(site, ADMIN);
  const openPreview = async (subject: object) => {
    const { data: link } = await admin.rpc('create_preview_link', subject).throwOnError();
    await page.goto(`/preview#${link.token}`);
    await expect(page).toHaveURL(new RegExp(`/preview/${link.id}`));
  };
  await openAdmin(page, site, '/admin/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await openPreview({ _kind: 'posts', _item_id: post.id });
  await page.getByRole('button', EDIT).click();
  await editButton(page, 'Edit post title').click();
  const drawer = page.getByRole('dialog', { name: 'Post' });
  await drawer.getByLabel('Title').fill('A better draft');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A better draft');
  await expectNoAxeViolations(page);
  await drawer.getByRole('button', { name: 'Update' }).click();
  await expect(drawer).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A better draft');
  await expect(page.getByRole('button', EDIT)).toBeVisible();
  expect((await fetch(`${site.url}/news/a-draft`)).status).toBe(404);

  const links = page.waitForResponse(/list_preview_links/);
  await openPreview({ _release_id: release });
  await links;
  await waitUntilHydrated(page.getByRole('heading', { level: 1 }));
  await expect(page.getByRole('button', EDIT)).toHaveCount(0);
});

test('Clients, team members and visitors see no edit button', async ({ page, site }) => {
  for (const role of ['client', 'team'] as const) {
    await signIn(page, site, await site.createUser({ role }));
    // A stored path is only a hint, so the role is checked again.
    await page.evaluate(() => localStorage.setItem('dashboard-path', '/admin/dashboard'));
    const roleResponse = page.waitForResponse(/user_roles/);
    await page.goto('/contact');
    await roleResponse;
    await waitUntilHydrated(page.getByRole('heading', { level: 1 }));
    await expect(page.getByRole('button', EDIT)).toHaveCount(0);
  }
  await page.evaluate(() => localStorage.clear());
  const scripts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  await page.goto('/contact');
  await waitUntilHydrated(page.getByRole('heading', { level: 1 }));
  await page.waitForLoadState('networkidle');
  expect(scripts.filter((url) => /edit-|supabase|signed-in/.test(url))).toEqual([]);
});

test('A page has the same bytes with and without an admin session', async ({ page, site }) => {
  const fetchBytes = async (headers: Record<string, string> = {}) =>
    Buffer.from(await (await fetch(`${site.url}/contact`, { headers })).arrayBuffer()).toString('base64');
  const before = await fetchBytes();
  await editPage(page, site, '/contact');
  const token = await page.evaluate(() => Object.entries(localStorage).find(([key]) => key.startsWith('sb-'))?.[1]);
  const session: unknown = JSON.parse(token ?? '{}');
  const bearer =
    typeof session === 'object' && session && 'access_token' in session ? String(session.access_token) : '';
  expect(bearer).not.toBe('');
  const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  expect(await fetchBytes({ authorization: `Bearer ${bearer}`, cookie: cookies || `session=${bearer}` })).toBe(before);
  expect(await fetchBytes()).toBe(before);
  const html = Buffer.from(before, 'base64').toString();
  expect(html).not.toMatch(/Edit page|page-editing|edit-page/);
});
