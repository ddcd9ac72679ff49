/**
 * The Content-Security-Policy in dynamic content. A violation is a console error, which fails the test.
 * display-modes.spec.ts and admin-screens.spec.ts check that every screen complies with it.
 */
import type { BrowserContext } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { expect, test } from '../support/e2e.ts';
import { readViolations, watchPolicy } from '../support/policy-violations.ts';

test.use({ allowedProblems: [/^request to another host: https:\/\/(pictures|drafts|cal)\.example\//] });

test.beforeEach(({ page }) => watchPolicy(page));

test('Toasts and the chat window comply with the policy', async ({ page }) => {
  await page.goto('/contact', { waitUntil: 'networkidle' });
  await page.getByRole('form', { name: 'Contact' }).getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('Name is required').first()).toBeVisible();
  await expect(page.locator('[data-sonner-toaster]')).toHaveCSS('position', 'fixed');
  await page.getByRole('button', { name: /chat/i }).first().click();
  await expect(page.getByRole('textbox', { name: /message/i }).last()).toBeVisible();
  expect(await readViolations(page)).toEqual([]);
});

test('A dialog complies with the policy, and prevents scrolling of the page behind it', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/posts');
  await page
    .getByRole('button', { name: /delete/i })
    .first()
    .click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expect(page.locator('body')).toHaveCSS('overflow', 'hidden');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('body')).not.toHaveCSS('overflow', 'hidden');
  expect(await readViolations(page)).toEqual([]);
});

/** Responds for the other hosts, and records the requests. */
async function mockOtherHosts(context: BrowserContext): Promise<string[]> {
  const requestedUrls: string[] = [];
  await context.route(/^https:\/\/(pictures|drafts|cal)\.example\//, (route) => {
    requestedUrls.push(route.request().url());
    return route.request().resourceType() === 'image'
      ? route.fulfill({
          contentType: 'image/svg+xml',
          body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>',
        })
      : route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Free times</title>' });
  });
  return requestedUrls;
}

test('A picture of another host is shown only in pages that were loaded after its publication', async ({
  page,
  context,
  site,
}) => {
  const requestedUrls = await mockOtherHosts(context);
  await page.goto('/about', { waitUntil: 'networkidle' });
  await site.service
    .from('posts')
    .insert({
      title: 'A fjord far away',
      slug: 'far-away',
      status: 'published',
      published_date: '2020-01-01',
      featured_image: 'https://pictures.example/cover.svg',
      content: '![The far shore](https://pictures.example/shore.svg)',
    })
    .throwOnError();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' }).click();
  await page.getByRole('link', { name: 'A fjord far away' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A fjord far away');
  await expect(page.getByText('The far shore')).toBeVisible();
  await expect(page.getByRole('img', { name: 'The far shore' })).toHaveCount(0);
  expect(requestedUrls).toEqual([]);

  await page.reload();
  const shore = page.getByRole('img', { name: 'The far shore' });
  await shore.scrollIntoViewIfNeeded();
  await expect.poll(() => shore.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBeGreaterThan(0);
  await expect
    .poll(() => requestedUrls.toSorted())
    .toEqual(['https://pictures.example/cover.svg', 'https://pictures.example/shore.svg']);
  expect(await readViolations(page)).toEqual([]);
});

test('Pages that were loaded before the scheduling page was saved show a link instead of a frame', async ({
  page,
  context,
  site,
}) => {
  const requestedUrls = await mockOtherHosts(context);
  await page.goto('/about', { waitUntil: 'networkidle' });
  await site.service
    .from('page_content')
    .upsert(
      { page_slug: 'home', section_name: 'booking', content: '{"calendlyPlaceholder": "https://cal.example/me"}' },
      { onConflict: 'page_slug,section_name' },
    )
    .throwOnError();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  const link = page.getByRole('link', { name: 'Open the scheduling page' });
  await expect(link).toHaveAttribute('href', 'https://cal.example/me');
  expect(requestedUrls).toEqual([]);

  await page.reload();
  await page.locator('#booking').scrollIntoViewIfNeeded();
  await expect(page.frameLocator('iframe[title="Book a 30-minute call"]').locator('html')).toHaveCount(1);
  await expect.poll(() => requestedUrls).toEqual(['https://cal.example/me']);
  expect(await readViolations(page)).toEqual([]);
});

test('An editor sees either a picture of another host immediately, or the reason why it is not shown', async ({
  page,
  context,
  site,
}) => {
  const requestedUrls = await mockOtherHosts(context);
  await openAdmin(page, site, '/admin/posts/new');
  const urlField = page.getByLabel('Featured image');
  const showUrlField = () => page.getByRole('button', { name: 'URL' }).click();
  await showUrlField();
  await urlField.fill('https://drafts.example/new.svg');
  await expect(page.getByRole('img', { name: 'Preview' })).toBeVisible();
  await expect.poll(() => requestedUrls).toEqual(['https://drafts.example/new.svg']);
  await urlField.fill('http://drafts.example/new.svg');
  await expect(page.getByText('Only pictures with an https URL can be shown.')).toBeVisible();
  await urlField.fill('');

  // A document keeps the policy that it was loaded with.
  await page.goto('/contact', { waitUntil: 'networkidle' });
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('link', { name: 'Blog Posts' }).click();
  await page.getByRole('link', { name: 'New Post' }).first().click();
  await showUrlField();
  await urlField.fill('https://drafts.example/newer.svg');
  await expect(page.getByText('Reload this page to show pictures from that site.')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Preview' })).toHaveCount(0);
  // The list shows the saved pictures.
  expect(requestedUrls.filter((url) => url.includes('drafts.example'))).toHaveLength(1);
  expect(await readViolations(page)).toEqual([]);
});
