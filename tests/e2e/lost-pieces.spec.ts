/** Parts of the site whose code cannot be loaded: without a network, and after a deployment under an open tab. */
import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { chatIn } from '../support/chat.ts';
import { expect, loadToaster, test, whenHydrated } from '../support/e2e.ts';

// The browser's own lines about what it could not load.
test.use({ allowedProblems: [/Failed to load resource|failed request|Failed to fetch dynamically imported module/] });

const FAILURE = 'This part could not be loaded.';

/** Answers 404 for one part of the build, as a server does that has another one. @returns ends it */
async function loseAsset(page: Page, name: string): Promise<() => Promise<void>> {
  const path = `**/assets/${name}-*.js`;
  await page.route(path, (route) => route.fulfill({ status: 404, body: 'Not found' }));
  return () => page.unroute(path);
}

test('Without a network a sent contact form is told of, and the page stays', async ({ page, context }) => {
  await page.goto('/contact');
  const form = page.getByRole('form', { name: 'Contact' });
  const code = [/\/contact-schema-/, /\/zod-/].map(async (name) => (await page.waitForResponse(name)).finished());
  await (await whenHydrated(form.getByLabel('Name'))).fill('Ada');
  await Promise.all([...code, loadToaster(page)]);
  await context.setOffline(true);
  await form.getByRole('button', { name: 'Send message' }).click();
  await expect(page.locator('[data-sonner-toast]')).toContainText('Invalid email address');
  await expect(form.getByLabel('Name')).toHaveValue('Ada');
});

test('Where the toaster itself is missing, its sentences are shown plainly', async ({ page }) => {
  await loseAsset(page, 'toaster-view');
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

test('Without a network the launcher says that the chat is missing, and opens it when the network is back', async ({
  page,
  context,
}) => {
  await page.goto('/contact');
  const chat = chatIn(page);
  await page.getByRole('textbox', { name: 'Message' }).fill('Half a thought');
  await whenHydrated(chat.launcher);
  await context.setOffline(true);
  await chat.launcher.press('Enter');
  await expect(page.getByText(FAILURE)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Half a thought');
  await context.setOffline(false);
  await expect(chat.input).toBeVisible();
  await expect(page.getByText(FAILURE)).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Half a thought');
});

test('Without a network what was typed into a new post outlives the palette', async ({ page, context, site }) => {
  await openAdmin(page, site, '/admin/posts/new');
  await page.getByLabel('Title').fill('Not lost');
  await context.setOffline(true);
  await page.keyboard.press('Control+k');
  await expect(page.getByText(FAILURE)).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText(FAILURE)).toBeHidden();
  await expect(page.getByLabel('Title')).toHaveValue('Not lost');
  await context.setOffline(false);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Go to a section or item' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Title')).toHaveValue('Not lost');
});

test('With a new build under an open tab a missing part says so, and can be tried again', async ({ page }) => {
  const findAgain = await loseAsset(page, 'chat-window');
  await page.goto('/contact');
  await page.getByRole('textbox', { name: 'Message' }).fill('Half a thought');
  await (await whenHydrated(chatIn(page).launcher)).click();
  await expect(page.getByText(FAILURE)).toBeVisible();
  const lostAgain = page.waitForResponse(/\/chat-window-/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await lostAgain;
  await expect(page.getByText(FAILURE)).toBeVisible();
  await findAgain();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(chatIn(page).input).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Half a thought');
});

test('With a new build under an open tab "Try again" on a page that is missing loads the site anew', async ({
  page,
  site,
}) => {
  await openAdmin(page, site, '/admin/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The part with the page of the settings: whatever the browser asks for from now on.
  await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404, body: 'Not found' }));
  await page.evaluate(() => {
    // The router loads the document anew once by itself; here it has done so already.
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
