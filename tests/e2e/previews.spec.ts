import type { Browser, Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import {
  expect,
  expectNoAxeViolations,
  expectNoHorizontalScroll,
  type Site,
  test,
  waitUntilHydrated,
} from '../support/e2e.ts';

// The browser logs the responses for expired and unknown previews.
test.use({ allowedProblems: [/status of (404|410)/] });

const DAY_MS = 24 * 60 * 60 * 1000;

async function newDraft(site: Site, slug: string): Promise<string> {
  const draft = { title: `Draft ${slug}`, slug, excerpt: 'Not out yet', content: 'See [our work](/projects).' };
  const published_date = new Date(Date.now() - DAY_MS).toISOString();
  const { data } = await site.service
    .from('posts')
    .insert({ ...draft, published_date })
    .select()
    .single()
    .throwOnError();
  return data.id;
}

/** Opens a separate browser. */
async function openOtherBrowser(browser: Browser): Promise<Page> {
  return (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
}

async function createLink(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = page.getByRole('textbox', { name: 'Preview link' });
  await expect(link).toHaveValue(/\/preview#[\w-]{43}$/);
  return link.inputValue();
}

test('A preview link of a draft shows the draft on every page without an account', async ({ page, site, browser }) => {
  const id = await newDraft(site, 'shown');
  await openAdmin(page, site, `/admin/posts/${id}/edit`);
  await page.getByRole('button', { name: 'Preview link' }).click();
  const link = await createLink(page);
  await expectNoAxeViolations(page);

  const guest = await openOtherBrowser(browser);
  await guest.goto(link);
  await expect(guest).toHaveURL(/\/preview\/[\da-f-]{36}\/news\/shown$/);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Draft shown');
  const bar = guest.getByRole('complementary', { name: 'Preview' });
  await expect(bar).toContainText('“Draft shown”');
  await expectNoAxeViolations(guest);

  // From here on the navigation is client-side, and loads the draft through the preview.
  await guest.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await (await waitUntilHydrated(guest.getByRole('navigation').getByRole('link', { name: 'News' }))).click();
  await expect(guest.getByRole('heading', { name: 'Draft shown' })).toBeVisible();
  await guest.getByRole('link', { name: 'Read more about Draft shown' }).click();
  await expect(guest).toHaveURL(/\/preview\/[\da-f-]{36}\/news\/shown$/);
  await expect(guest.getByText('our work')).toBeVisible();
  expect(await guest.evaluate(() => 'isSameDocument' in window)).toBe(true);

  await guest.getByRole('link', { name: 'our work' }).click();
  await expect(guest).toHaveURL(/\/preview\/[\da-f-]{36}\/projects$/);
  await guest.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(guest);
  await expect(bar).toBeInViewport({ ratio: 1 });

  await guest.getByRole('button', { name: 'Leave the preview' }).click();
  await expect(guest).toHaveURL(`${site.url}/`);
  await expect(bar).toHaveCount(0);
  await guest.goto('/news');
  await expect(guest.getByRole('heading', { name: 'Draft shown' })).toHaveCount(0);
  await guest.context().close();
});

test('Links to the whole site can be created, listed and revoked on their own screen', async ({
  page,
  site,
  browser,
}) => {
  await newDraft(site, 'whole');
  await openAdmin(page, site, '/admin/previews');
  await page.getByLabel('Preview of').selectOption('date');
  await page.getByRole('button', { name: 'Create link' }).click();
  await expect(page.getByText('Choose a date').first()).toBeVisible();
  await page.getByLabel('Preview of').selectOption('drafts');
  await page.getByLabel('Valid for').selectOption('1 hour');
  const link = await createLink(page);
  await expectNoAxeViolations(page);

  const guest = await openOtherBrowser(browser);
  await guest.goto(link);
  await expect(guest.getByRole('complementary', { name: 'Preview' })).toContainText('All drafts');
  await guest.getByRole('navigation').getByRole('link', { name: 'News' }).click();
  await expect(guest.getByRole('heading', { name: 'Draft whole' })).toBeVisible();
  // Account pages are not part of the preview.
  await (await waitUntilHydrated(guest.getByRole('link', { name: 'Sign in' }))).click();
  await expect(guest).toHaveURL(`${site.url}/auth`);
  await guest.goBack();

  await page.getByRole('button', { name: 'Revoke the link: All drafts' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Preview link revoked')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Revoke the link: All drafts' })).toHaveCount(0);
  await guest.reload();
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('This preview has expired');
  await expectNoAxeViolations(guest);
  await guest.context().close();
});

test('A preview without a code asks for a code, and an unknown code is reported', async ({ page }) => {
  await page.goto('/preview');
  await expectNoAxeViolations(page);
  await page.getByLabel('Code').fill('not a code');
  const codeResponse = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Open the preview' }).click();
  expect((await codeResponse).status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Preview not found');
});
