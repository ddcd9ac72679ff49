/** Details of the public frame that nobody notices until they are wrong. */
import { expect, test } from '../support/e2e.ts';

test('The name in the bar is whole at every width from 832 to 1024 px', async ({ page }) => {
  await page.goto('/');
  const name = page
    .getByRole('banner')
    .getByRole('link', { name: /Signalfjord/ })
    .first();
  for (const width of [832, 880, 928, 976, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await name.evaluate((link) => link.scrollWidth <= link.clientWidth + 1), `${width} px`).toBe(true);
  }
});

test('On paper every part of the home page is drawn, and nothing says that it loads', async ({ page }) => {
  await page.goto('/');
  await page.emulateMedia({ media: 'print' });
  const skipped = () =>
    page
      .locator('.below-fold')
      .evaluateAll((parts) => parts.filter((part) => getComputedStyle(part).contentVisibility !== 'visible').length);
  expect(await skipped()).toBe(0);
  await expect(page.getByText('Loading...').locator('visible=true')).toHaveCount(0);
});
