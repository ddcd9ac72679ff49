import { expect, test } from '../support/e2e.ts';

test('The built site answers in a browser, and the tests may see everything behind it', async ({ page, site }) => {
  const response = await page.goto('/');
  expect(response?.status()).toBe(200);
  await expect(page.locator('main').first()).toBeVisible();

  const { data } = await site.service.from('user_roles').select('role').eq('role', 'admin').throwOnError();
  expect(data).toHaveLength(1);
});
