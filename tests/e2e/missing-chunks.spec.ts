/**
 * Code of the site that fails to load, because there is no network or because a deployment replaced the files of an
 * open tab.
 */
import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { findChat } from '../support/chat.ts';
import { expect, loadToaster, test, waitUntilHydrated } from '../support/e2e.ts';
import { findRichText, focusText } from '../support/rich-text.ts';

// The browser logs failed loads.
test.use({ allowedProblems: [/Failed to load resource|failed request|Failed to fetch dynamically imported module/] });

const LOAD_ERROR = 'This part could not be loaded.';

/** Responds with 404 for one build file, like a server with another build. @returns a function that restores the file */
async function breakAsset(page: Page, name: string): Promise<() => Promise<void>> {
  const path = `**/assets/${name}-*.js`;
  await page.route(path, (route) => route.fulfill({ status: 404, body: 'Not found' }));
  return () => page.unroute(path);
}

test('Without a network, a sent contact form reports the failure, and the page still works', async ({
  page,
  context,
}) => {
  await page.goto('/contact');
  const form = page.getByRole('form', { name: 'Contact' });
  const code = [/\/contact-schema-/, /\/zod-/].map(async (name) => (await page.waitForResponse(name)).finished());
  await (await waitUntilHydrated(form.getByLabel('Name'))).fill('Ada');
  await Promise.all([...code, loadToaster(page)]);
  await context.setOffline(true);
  await form.getByRole('button', { name: 'Send message' }).click();
  await expect(page.locator('[data-sonner-toast]')).toContainText('Invalid email address');
  await expect(form.getByLabel('Name')).toHaveValue('Ada');
});

test('Toast messages are shown as plain text if the code for toasts fails to load', async ({ page }) => {
  await breakAsset(page, 'toaster-view');
  await page.goto('/contact');
  const form = page.getByRole('form', { name: 'Contact' });
  await form.getByLabel('Name').fill('Ada');
  await form.getByRole('button', { name: 'Send message' }).click();
  const notice = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Close' }) });
  await expect(notice).toContainText('Invalid email address');
  await notice.getByRole('button', { name: 'Close' }).click();
  await expect(notice).toBeHidden();
  await expect(form.getByLabel('Name')).toHaveValue('Ada');
});

test('Without a network, the launcher reports that the chat is unavailable, and opens it when online again', async ({
  page,
  context,
}) => {
  await page.goto('/contact');
  const chat = findChat(page);
  await page.getByRole('textbox', { name: 'Message' }).fill('Half a thought');
  await waitUntilHydrated(chat.launcher);
  await context.setOffline(true);
  await chat.launcher.press('Enter');
  await expect(page.getByText(LOAD_ERROR)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Half a thought');
  await context.setOffline(false);
  await expect(chat.input).toBeVisible();
  await expect(page.getByText(LOAD_ERROR)).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Half a thought');
});

test('Without a network, the text of a new post is kept when the palette opens', async ({ page, context, site }) => {
  await openAdmin(page, site, '/admin/posts/new');
  // Without a network, the editor would show the same message.
  await focusText(page);
  await page.getByLabel('Title').fill('Not lost');
  await context.setOffline(true);
  await page.keyboard.press('Control+k');
  await expect(page.getByText(LOAD_ERROR)).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText(LOAD_ERROR)).toBeHidden();
  await expect(page.getByLabel('Title')).toHaveValue('Not lost');
  await context.setOffline(false);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Go to a section or item' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Title')).toHaveValue('Not lost');
});

test('If the editor fails to load, the text of a post is shown, and a retry loads the editor', async ({
  page,
  site,
}) => {
  const { data: post } = await site.service
    .from('posts')
    .insert({ title: 'Readable', slug: 'readable', content: 'Still **here**' })
    .select()
    .single()
    .throwOnError();
  const restoreAsset = await breakAsset(page, 'rich-text-editor');
  await openAdmin(page, site, `/admin/posts/${post.id}/edit`);
  await expect(page.getByText(LOAD_ERROR)).toBeVisible();
  await expect(findRichText(page)).toHaveText('Still here');
  await restoreAsset();
  await page.getByRole('button', { name: 'Try again' }).click();
  await focusText(page);
  await expect(page.getByText(LOAD_ERROR)).toBeHidden();
});

test('After a deployment, an open tab reports a missing file and offers a retry', async ({ page }) => {
  const restoreAsset = await breakAsset(page, 'chat-window');
  await page.goto('/contact');
  await page.getByRole('textbox', { name: 'Message' }).fill('Half a thought');
  await (await waitUntilHydrated(findChat(page).launcher)).click();
  await expect(page.getByText(LOAD_ERROR)).toBeVisible();
  const secondFailure = page.waitForResponse(/\/chat-window-/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await secondFailure;
  await expect(page.getByText(LOAD_ERROR)).toBeVisible();
  await restoreAsset();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(findChat(page).input).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Half a thought');
});

test('After a deployment, "Try again" reloads the site if an open tab cannot load a page', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // All scripts that are requested from now on are missing, including the settings page's.
  await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404, body: 'Not found' }));
  await page.evaluate(() => {
    // The router reloads the document only once. Mark that reload as done.
    const { getItem } = Storage.prototype;
    Storage.prototype.getItem = function (key) {
      return key.startsWith('tanstack_router_reload:') ? '1' : getItem.call(this, key);
    };
  });
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  await page.unroute('**/assets/*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});
