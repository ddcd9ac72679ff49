import { expect, test } from '../support/e2e.ts';

// The browser logs the status of the page.
test.use({ allowedProblems: [/status of 404/] });

test('An unknown URL returns 404 and links to the home page', async ({ page }) => {
  const response = await page.goto('/no-such-page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL('/');
});

test('Paths are case-sensitive, and an unknown path below a known one returns 404', async ({ request }) => {
  expect((await request.get('/AUTH')).status()).toBe(404);
  expect((await request.get('/auth/no-such-page')).status()).toBe(404);
  expect((await request.get('/auth')).status()).toBe(200);
});
