import { expect, expectNoAxeViolations, test, whenHydrated } from '../support/e2e.ts';

const LINKS = ['Home', 'About', 'Services', 'Projects', 'News', 'Contact'];

test('The bar has the six links in order and marks the page we are on', async ({ page }) => {
  await page.goto('/');
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(links).toHaveText(LINKS);
  await expect(links.first()).toHaveAttribute('aria-current', 'page');
  await expect(links.nth(1)).not.toHaveAttribute('aria-current', 'page');
});

test('The bar and the footer are accessible in both themes', async ({ page }) => {
  await page.goto('/auth');
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectNoAxeViolations(page);
});

test('The icon leads to the sign-in page, and to the dashboard when a session is stored', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/auth');
  await page.evaluate(() => {
    localStorage.setItem('sb-127-auth-token', '{}');
    localStorage.setItem('dashboard-path', '/team-dashboard');
  });
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/team-dashboard');
});

test('Scrolling begins at the top on every change of the path, also on the way back', async ({ page }) => {
  await page.goto('/');
  const toBottom = () => page.evaluate(() => window.scrollTo({ top: 5000, behavior: 'instant' }));
  const top = () => page.evaluate(() => scrollY);
  await toBottom();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/auth');
  await expect.poll(top).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL('/');
  await expect.poll(top).toBe(0);
});

test('A new page has the keyboard at its title and is announced', async ({ page }) => {
  await page.goto('/news');
  await page
    .getByRole('link', { name: /^Read more/ })
    .first()
    .press('Enter');
  await expect(page).toHaveURL(/\/news\/./);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.locator('[data-announcer]')).toHaveText(await page.title());
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.locator('[data-announcer]')).toHaveText('News · Signalfjord');
  await expectNoAxeViolations(page);
});

test('A tooltip opens 700 ms after the pointer came, at once for the keyboard, and Escape closes it', async ({
  page,
}) => {
  await page.clock.install({ time: 0 });
  await page.goto('/');
  const toggle = await whenHydrated(page.getByRole('button', { name: 'Toggle theme' }));
  const tooltip = page.getByRole('tooltip');
  await page.clock.pauseAt(3_600_000);
  await toggle.hover();
  await page.clock.runFor(699);
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(tooltip).toBeVisible();
  await page.clock.resume();
  await page.keyboard.press('Escape');
  await expect(tooltip).toHaveCount(0);
  await page.mouse.move(0, 500);
  await page.getByRole('link', { name: 'Contact' }).first().focus();
  await page.keyboard.press('Tab');
  await expect(toggle).toBeFocused();
  await expect(tooltip).toHaveText('Theme: system');
});

test('The keyboard can skip to the content', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the menu opens, keeps the focus, closes on Escape and gives the focus back', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
    const opener = await whenHydrated(page.getByRole('button', { name: 'Open menu' }));
    await opener.click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await expect(menu.getByRole('link')).toHaveText(LINKS.map((label, index) => `0${index + 1}${label}`));
    await expectNoAxeViolations(page);
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(opener).toBeFocused();
  });

  test('following a link of the menu closes it', async ({ page }) => {
    await page.goto('/auth');
    await (await whenHydrated(page.getByRole('button', { name: 'Open menu' }))).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Home' }).click();
    await expect(page).toHaveURL('/');
    await expect(menu).toBeHidden();
  });

  test('a window that becomes wide closes the menu', async ({ page }) => {
    await page.goto('/');
    await (await whenHydrated(page.getByRole('button', { name: 'Open menu' }))).click();
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
    await page.setViewportSize({ width: 1200, height: 800 });
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeHidden();
  });
});

for (const width of [320, 390, 834, 1440, 2560]) {
  test(`Nothing is wider than a window of ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/auth');
    await expect(page.getByRole('contentinfo')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}
