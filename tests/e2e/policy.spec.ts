/** The Content-Security-Policy holds on every screen: a violation is a console error, which fails the test. */
import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { expect, test } from '../support/e2e.ts';

const PUBLIC = ['/', '/about', '/services', '/projects', '/news', '/contact', '/auth', '/chat-embed', '/no-such-page'];
const ADMIN = [
  '/admin/dashboard',
  '/admin/posts',
  '/admin/posts/new',
  '/admin/projects/new',
  '/admin/services/new',
  '/admin/reviews/new',
  '/admin/team/new',
  '/admin/pages/home',
  '/admin/pages/headers',
  '/admin/media',
  '/admin/conversations',
  '/admin/embed',
  '/admin/settings',
];

test.use({ allowedProblems: [/status of 404/] });

/** Directives that were violated on the screen, also those that the console does not name. */
async function violations(page: Page, path: string): Promise<string[]> {
  await page.goto(path, { waitUntil: 'networkidle' });
  return page.evaluate(() => window.violated);
}

declare global {
  interface Window {
    violated: string[];
  }
}

test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    window.violated = [];
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      window.violated.push(`${violatedDirective} ${blockedURI} ${sample}`),
    );
  }),
);

test('No public screen violates the policy, and none carries a style attribute', async ({ page, request }) => {
  for (const path of PUBLIC) {
    expect(await violations(page, path), path).toEqual([]);
    expect((await (await request.get(path)).text()).match(/<[^>]* style="[^>]*>/), path).toBeNull();
  }
});

test('Toasts and the chat window keep to the policy', async ({ page }) => {
  await page.goto('/contact', { waitUntil: 'networkidle' });
  await page.getByRole('form', { name: 'Contact' }).getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('Name is required').first()).toBeVisible();
  await expect(page.locator('[data-sonner-toaster]')).toHaveCSS('position', 'fixed');
  await page.getByRole('button', { name: /chat/i }).first().click();
  await expect(page.getByRole('textbox', { name: /message/i }).last()).toBeVisible();
  expect(await page.evaluate(() => window.violated)).toEqual([]);
});

test('No admin screen violates the policy, and a dialog still keeps the page behind it from scrolling', async ({
  page,
  site,
}) => {
  await openAdmin(page, site, '/admin/posts');
  for (const path of ADMIN) expect(await violations(page, path), path).toEqual([]);
  await page.goto('/admin/posts');
  await page
    .getByRole('button', { name: /delete/i })
    .first()
    .click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expect(page.locator('body')).toHaveCSS('overflow', 'hidden');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('body')).not.toHaveCSS('overflow', 'hidden');
  expect(await page.evaluate(() => window.violated)).toEqual([]);
});
