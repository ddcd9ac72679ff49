import type { Page } from '@playwright/test';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, moveDown, type Site, test, type User } from '../support/e2e.ts';
import { createNoisyImage } from '../support/resumable-upload.ts';

// The browser logs the responses after the session has ended.
test.use({ allowedProblems: [/status of (400|401|403)/] });

async function insertPost(site: Site, values: Record<string, unknown>) {
  const { data } = await site.service.from('posts').insert(values).select().single().throwOnError();
  return data as { id: string };
}

async function readPost(site: Site, id: string) {
  return (await site.service.from('posts').select().eq('id', id).single().throwOnError()).data;
}

/** Opens a page as a new admin. */
async function openAsWriter(page: Page, site: Site, path: string): Promise<User> {
  const writer = await site.createUser({ role: 'admin' });
  await signIn(page, site, writer);
  await page.goto(path);
  return writer;
}

/** Ends the sessions from another device, without notifying the page. */
async function endSessions(page: Page, site: Site, { email, password }: User): Promise<void> {
  const headers = { apikey: await page.locator('meta[name=supabase-key]').getAttribute('content') };
  const otherSignIn = await page.request.post(`${site.url}/auth/v1/token?grant_type=password`, {
    data: { email, password },
  });
  const { access_token } = await otherSignIn.json();
  const response = await page.request.post(`${site.url}/auth/v1/logout?scope=global`, {
    headers: { apikey: headers.apikey ?? '', authorization: `Bearer ${access_token}` },
  });
  expect(response.ok()).toBe(true);
}

function signInDialog(page: Page) {
  return page.getByRole('dialog', { name: 'You were signed out' });
}

async function signInAgain(page: Page, { email, password }: User): Promise<void> {
  await expect(signInDialog(page).getByLabel('Email')).toHaveValue(email);
  await expect(signInDialog(page).getByLabel('Password')).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}

test('A save after the session ended asks to sign in again, and then continues automatically', async ({
  page,
  site,
}) => {
  const { id } = await insertPost(site, { title: 'Interrupted', slug: 'interrupted' });
  const writer = await openAsWriter(page, site, `/admin/posts/${id}/edit`);
  await page.getByLabel('Excerpt').fill('Written while signed out');
  await endSessions(page, site, writer);

  await page.getByRole('button', { name: 'Update' }).click();
  await expect(signInDialog(page).getByLabel('Email')).not.toBeEditable();
  await expect(signInDialog(page).getByRole('link', { name: 'Use another way to sign in' })).toHaveAttribute(
    'href',
    '/auth',
  );
  await expectNoAxeViolations(page);
  await signInDialog(page).getByLabel('Password').fill('not-the-Password-1');
  await page.keyboard.press('Enter');
  await expect(signInDialog(page).getByText('Invalid login credentials')).toBeVisible();
  await signInDialog(page).getByLabel('Password').fill('');
  await signInAgain(page, writer);
  await expect(page.getByText('Post updated successfully')).toBeVisible();
  await expect(page).toHaveURL('/admin/posts');
  expect((await readPost(site, id)).excerpt).toBe('Written while signed out');
});

test('A new item asks to sign in again, and cancelling keeps the text in the form and in the browser', async ({
  page,
  site,
}) => {
  const writer = await openAsWriter(page, site, '/admin/posts/new');
  await page.getByLabel('Title').fill('New while signed out');
  await endSessions(page, site, writer);

  await page.getByRole('button', { name: 'Create' }).click();
  await signInDialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('You are signed out. Sign in again to do this.', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('New while signed out');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(signInDialog(page)).toBeVisible();

  await page.goto('/auth');
  await signIn(page, site, writer);
  await page.goto('/admin/posts/new');
  await page.getByRole('button', { name: /^Restore changes made/ }).click();
  await expect(page.getByLabel('Title')).toHaveValue('New while signed out');
});

test('A page section and a setting ask to sign in again', async ({ page, site }) => {
  const writer = await openAsWriter(page, site, '/admin/pages/home?tab=booking');
  await page.getByLabel('Heading').fill('Half an hour, signed out');
  await endSessions(page, site, writer);
  await page.getByLabel('Heading').press('Control+s');
  await signInAgain(page, writer);
  await expect(page.getByText('Content updated successfully')).toBeVisible();
  const { data } = await site.service.from('page_content').select('content').eq('section_name', 'booking').single();
  expect(JSON.parse(data?.content)).toMatchObject({ heading: 'Half an hour, signed out' });

  await page.goto('/admin/settings');
  await page.getByLabel('Chat instructions').fill('Written while signed out');
  await endSessions(page, site, writer);
  await page.getByLabel('Chat instructions').press('Control+s');
  await signInAgain(page, writer);
  await expect(page.getByText('Setting updated successfully')).toBeVisible();
  const setting = await site.service.from('site_settings').select().eq('setting_key', 'chat_instructions').single();
  expect(setting.data).toMatchObject({ setting_value: 'Written while signed out' });
});

test('A deletion that failed because the session ended is repeated after signing in', async ({ page, site }) => {
  const { id } = await insertPost(site, { title: 'To be deleted', slug: 'to-be-deleted' });
  const writer = await openAsWriter(page, site, '/admin/posts');
  await page.getByRole('button', { name: 'Delete To be deleted' }).click();
  await endSessions(page, site, writer);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(signInDialog(page)).toBeVisible();
  expect((await readPost(site, id)).title).toBe('To be deleted');
  await signInAgain(page, writer);
  await expect(page.getByText('Post deleted successfully')).toBeVisible();
  await expect(page.getByText('To be deleted')).toHaveCount(0);
  const { data } = await site.service.from('posts').select('id').eq('id', id).throwOnError();
  expect(data).toEqual([]);
});

test('A new order is saved after signing in again', async ({ page, site }) => {
  const writer = await openAsWriter(page, site, '/admin/services');
  const handles = page.getByRole('button', { name: /^Move / });
  const firstLabel = (await handles.first().getAttribute('aria-label')) ?? '';
  await endSessions(page, site, writer);
  await moveDown(page, firstLabel.replace('Move ', ''), 1);
  await signInAgain(page, writer);
  await expect(page.getByText('Service updated successfully')).toBeVisible();
  await page.reload();
  await expect(handles.nth(1)).toHaveAttribute('aria-label', firstLabel);
});

test('An upload and the deletion of a file continue after signing in again', async ({ page, site }) => {
  const writer = await openAsWriter(page, site, '/admin/media');
  await expect(page.locator('input[type=file]')).toBeAttached();
  await endSessions(page, site, writer);
  const buffer = await picture(8, 8);
  await page.locator('input[type=file]').setInputFiles({ name: 'late.png', mimeType: 'image/png', buffer });
  await signInAgain(page, writer);
  await expect(page.getByText('File uploaded successfully')).toBeVisible();

  await page.getByRole('button', { name: 'Delete late.png' }).click();
  const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Delete' });
  // The dialog first loads the uses of the file, and that request would also ask to sign in.
  await expect(confirm).toBeEnabled();
  await endSessions(page, site, writer);
  await confirm.click();
  await signInAgain(page, writer);
  await expect(page.getByText('File deleted successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'late.png' })).toHaveCount(0);
});

test('A large upload resumes at the same offset after signing in again', async ({ page, site }) => {
  const writer = await openAsWriter(page, site, '/admin/media');
  const requests: string[] = [];
  const uploadHeld = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route('**/storage/v1/upload/resumable**', (route) => {
    requests.push('POST');
    return route.continue();
  });
  await page.route('**/storage/v1/upload/resumable/*', async (route) => {
    const offset = route.request().headers()['upload-offset'] ?? '';
    requests.push(`${route.request().method()} ${offset}`.trim());
    if (offset === '6291456') uploadHeld.resolve();
    if (offset === '6291456') await released.promise;
    await route.continue();
  });
  const buffer = await createNoisyImage(2400, 1500);
  await page.locator('input[type=file]').setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer });
  await uploadHeld.promise;
  await endSessions(page, site, writer);
  released.resolve();
  await signInAgain(page, writer);
  await expect(page.getByRole('heading', { name: 'large.png' })).toBeVisible();
  expect(requests).toEqual(['POST', 'PATCH 0', 'PATCH 6291456', 'HEAD', 'PATCH 6291456']);
});

test('Signing in again in another tab continues the save, but not as another user', async ({ page, site }) => {
  const otherUser = await site.createUser({ role: 'client' });
  const { id } = await insertPost(site, { title: 'Two tabs', slug: 'two-tabs' });
  const writer = await openAsWriter(page, site, `/admin/posts/${id}/edit`);
  await page.getByLabel('Excerpt').fill('Waited for');
  await endSessions(page, site, writer);
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(signInDialog(page)).toBeVisible();

  const tab = await page.context().newPage();
  const signInInTab = async ({ email, password }: User) => {
    await tab.goto('/auth');
    await tab.getByRole('main').getByLabel('Email').fill(email);
    await tab.getByLabel('Password', { exact: true }).fill(password);
    await tab.locator('main form button[type=submit]').click();
  };
  await signInInTab(otherUser);
  await expect(signInDialog(page).getByRole('alert')).toContainText(otherUser.email);
  await tab.getByRole('button', { name: 'Sign Out' }).click();
  await expect(tab).toHaveURL('/');
  await signInInTab(writer);
  await expect(page).toHaveURL('/admin/posts');
  expect((await readPost(site, id)).excerpt).toBe('Waited for');
});

test('If the session ends while there are unsaved changes, the form asks to sign in instead of redirecting', async ({
  page,
  site,
}) => {
  const writer = await openAsWriter(page, site, '/admin/reviews/new');
  await page.getByLabel('Quote').fill('Still here');
  await endSessions(page, site, writer);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await signInAgain(page, writer);
  await expect(signInDialog(page)).toBeHidden();
  await expect(page.getByLabel('Quote')).toHaveValue('Still here');
  await page.getByLabel('Author name').fill('Kari Fjord');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL('/admin/reviews');
});

test('A user whose role was removed is notified and keeps the text', async ({ page, site }) => {
  const { id } = await insertPost(site, { title: 'Demoted', slug: 'demoted' });
  const writer = await openAsWriter(page, site, `/admin/posts/${id}/edit`);
  await page.getByLabel('Excerpt').fill('Too late');
  await site.service.from('user_roles').delete().eq('user_id', writer.id).throwOnError();
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('You are no longer an admin, so this was not done.', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Excerpt')).toHaveValue('Too late');
  expect((await readPost(site, id)).excerpt).not.toBe('Too late');
});
