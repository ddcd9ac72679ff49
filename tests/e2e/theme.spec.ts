import { expect, test, waitUntilHydrated } from '../support/e2e.ts';

const KEY = 'theme-mode';

test('The toggle switches between system, light and dark, and system mode follows the operating system', async ({
  page,
}) => {
  await page.goto('/');
  const toggle = await waitUntilHydrated(page.getByRole('button', { name: 'Toggle theme' }));
  const readMode = () => page.evaluate((key) => localStorage.getItem(key), KEY);
  const root = page.locator('html');
  expect(await readMode()).toBeNull();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(root).toHaveClass(/dark/);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(root).not.toHaveClass(/dark/);
  await toggle.click();
  await expect.poll(readMode).toBe('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(root).toHaveCSS('color-scheme', /light/);
  await expect(root).not.toHaveClass(/dark/);
  await page.emulateMedia({ colorScheme: 'light' });
  await toggle.click();
  await expect.poll(readMode).toBe('dark');
  await expect(root).toHaveClass(/dark/);
  await toggle.click();
  await expect.poll(readMode).toBe('system');
  await expect(root).not.toHaveClass(/dark/);
});

test("A saved dark mode is applied before the first paint, and the browser's bars follow", async ({ page }) => {
  await page.addInitScript((key) => localStorage.setItem(key, 'dark'), KEY);
  await page.route('**/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto('/');
  await expect(page.locator('html')).toHaveClass(/dark/);
  await expect(page.locator('meta[name="theme-color"]')).toHaveCount(1);
});

test('An invalid saved mode counts as system', async ({ page }) => {
  await page.addInitScript((key) => localStorage.setItem(key, 'sepia'), KEY);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  await expect(page.locator('html')).toHaveClass(/dark/);
  await expect(page.locator('html')).toHaveAttribute('data-theme-mode', 'system');
});

test('A theme change is applied to other tabs immediately', async ({ page, context }) => {
  await page.goto('/');
  const otherPage = await context.newPage();
  await otherPage.goto('/');
  const toggle = await waitUntilHydrated(page.getByRole('button', { name: 'Toggle theme' }));
  await toggle.click();
  await toggle.click();
  await expect(otherPage.locator('html')).toHaveClass(/dark/);
});
