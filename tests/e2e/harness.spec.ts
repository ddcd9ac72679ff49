import { expect, test } from '../support/e2e.ts';

test('The built site answers in a browser and its data folder has an admin key', async ({ page, site }) => {
  const response = await page.goto('/');
  expect(response?.status()).toBe(200);
  await expect(page.locator('main').first()).toBeVisible();
  expect(site.output()).toContain(site.url);
});
