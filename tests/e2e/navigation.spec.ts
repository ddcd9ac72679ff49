import type { Page } from '@playwright/test';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, test, waitUntilHydrated } from '../support/e2e.ts';

const LINKS = ['Home', 'About', 'Services', 'Projects', 'News', 'Contact'];

test('The bar has six links and marks the current page, and a jump keeps content that is not hydrated', async ({
  page,
}) => {
  await page.goto('/');
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(links).toHaveText(LINKS);
  await expect(links.first()).toHaveAttribute('aria-current', 'page');
  await expect(links.nth(1)).not.toHaveAttribute('aria-current', 'page');

  await waitUntilHydrated(page.getByRole('link', { name: 'Work with us' }));
  const removedCount = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let removed = 0;
        const observer = new MutationObserver((records) => {
          for (const record of records) {
            for (const node of record.removedNodes) if (node instanceof Element && node.querySelector('h2')) removed++;
          }
        });
        observer.observe(document.body, { childList: true, subtree: true });
        addEventListener('test-end', () => resolve(removed));
      }),
  );
  await page.getByRole('link', { name: 'Work with us' }).click();
  await expect(page.locator('#booking')).toBeInViewport();
  await waitUntilHydrated(page.locator('#booking'));
  await page.evaluate(() => dispatchEvent(new Event('test-end')));
  expect(await removedCount).toBe(0);
});

test('A keyboard user can skip to the content, and pages fit on windows from 390 to 2560 px', async ({ page }) => {
  await page.goto('/auth');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  for (const width of [390, 1440, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoHorizontalScroll(page);
  }
});

test('The icon links to the sign-in page, and to the dashboard if a session is stored', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/auth');
  await page.evaluate(() => {
    localStorage.setItem('sb-127-auth-token', '{}');
    localStorage.setItem('dashboard-path', '/team-dashboard');
  });
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/team-dashboard');
});

for (const width of [390, 1440]) {
  test.describe(`At ${width} px,`, () => {
    test.use({ viewport: { width, height: 844 } });

    const top = (page: Page) => page.evaluate(() => Math.round(scrollY));

    test('a new page starts at its top, and Back restores the scroll position', async ({ page }) => {
      await page.goto('/');
      // The next test covers estimated heights.
      await expect(page.locator('html')).toHaveAttribute('data-laid-out', '');
      const link = page.getByRole('link', { name: 'Read all posts' });
      await link.scrollIntoViewIfNeeded();
      await waitUntilHydrated(link);
      const offset = async () => Math.round((await link.boundingBox())?.y ?? 0);
      const before = await offset();
      await link.click();
      await expect(page).toHaveURL('/news');
      await expect.poll(() => top(page)).toBe(0);
      await page.goBack();
      await expect(page).toHaveURL('/');
      await expect.poll(async () => Math.abs((await offset()) - before)).toBeLessThanOrEqual(2);

      await page.goForward();
      await expect(page).toHaveURL('/news');
      await expect.poll(() => top(page)).toBe(0);
    });

    test('Back restores the scroll position even after a jump over estimated heights', async ({ page }) => {
      await page.goto('/');
      await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
      const link = page.getByRole('contentinfo').getByRole('link', { name: 'About Us' });
      await (await waitUntilHydrated(link)).scrollIntoViewIfNeeded();
      const offset = async () => Math.round((await link.boundingBox())?.y ?? 0);
      // Heights may still change before the click, so read the position at the time of the click.
      await link.evaluate((element) =>
        element.addEventListener('click', () => {
          document.documentElement.dataset['pressedAt'] = String(element.getBoundingClientRect().y);
        }),
      );
      await link.click();
      await expect(page).toHaveURL('/about');
      await expect.poll(() => top(page)).toBe(0);
      const before = Number(await page.locator('html').getAttribute('data-pressed-at'));
      await page.goBack();
      await expect(page).toHaveURL('/');
      await expect.poll(async () => Math.abs((await offset()) - before)).toBeLessThanOrEqual(2);
    });

    test('Back restores the scroll position after a jump on the same page', async ({ page }) => {
      await page.goto('/');
      await page.mouse.move(200, 400);
      await page.mouse.wheel(0, 120);
      await expect.poll(() => top(page)).toBe(120);
      await (await waitUntilHydrated(page.getByRole('link', { name: 'Work with us' }))).click();
      await expect(page.locator('#booking')).toBeInViewport();
      await page.mouse.wheel(0, -300);
      const link = page.getByRole('link', { name: 'the contact form', exact: true });
      await link.scrollIntoViewIfNeeded();
      const offset = async () => Math.round((await link.boundingBox())?.y ?? 0);
      const before = await offset();
      await link.click();
      await expect(page).toHaveURL('/contact');
      await page.goBack();
      await expect(page).toHaveURL('/#booking');
      await expect.poll(async () => Math.abs((await offset()) - before)).toBeLessThanOrEqual(2);
      await page.goBack();
      await expect(page).toHaveURL('/');
      await expect.poll(() => top(page)).toBe(120);
    });
  });
}

for (const path of ['/', '/#booking']) {
  test(`The scroll position does not change while the scripts of ${path} load`, async ({ page }) => {
    const release = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.goto(path, { waitUntil: 'commit' });
    const heading = page.getByRole('heading', { level: 2 }).first();
    await heading.scrollIntoViewIfNeeded();
    const offset = async () => Math.round((await heading.boundingBox())?.y ?? 0);
    const before = await offset();
    release.resolve();
    await waitUntilHydrated(page.getByRole('link', { name: 'Work with us' }));
    await page.waitForLoadState('networkidle');
    expect(Math.abs((await offset()) - before)).toBeLessThanOrEqual(2);
  });
}

test('A new page moves the focus to its title and is announced', async ({ page }) => {
  await page.goto('/news');
  await (await waitUntilHydrated(page.getByRole('link', { name: /^Read more/ }).first())).press('Enter');
  await expect(page).toHaveURL(/\/news\/./);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toBeFocused();
  const title = `${await heading.textContent()} · Signalfjord`;
  await expect(page).toHaveTitle(title);
  await expect(page.locator('[data-announcer]')).toHaveText(title);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.locator('[data-announcer]')).toHaveText('News · Signalfjord');
  await expectNoAxeViolations(page);
});

test('A tooltip opens 700 ms after hover or immediately on focus, and closes on Escape', async ({ page }) => {
  await page.clock.install({ time: 0 });
  await page.goto('/');
  const toggle = await waitUntilHydrated(page.getByRole('button', { name: 'Toggle theme' }));
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
  await page.getByRole('banner').getByRole('link', { name: 'Book a call' }).focus();
  await page.keyboard.press('Tab');
  await expect(toggle).toBeFocused();
  await expect(tooltip).toHaveText('Theme: system');
});

test.describe('On a phone,', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the menu traps the focus and closes on Escape, on navigation and in a wide window', async ({ page }) => {
    await page.goto('/auth');
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
    const opener = await waitUntilHydrated(page.getByRole('button', { name: 'Open menu' }));
    await opener.click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await expect(menu.getByRole('listitem')).toHaveText(LINKS.map((label, index) => `0${index + 1}${label}`));
    await expect(menu.getByRole('link', { name: 'Book a call' })).toHaveAttribute('href', '/#booking');
    await expectNoAxeViolations(page);
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(opener).toBeFocused();

    await opener.click();
    await expect(menu).toBeVisible();
    await page.setViewportSize({ width: 1200, height: 800 });
    await expect(menu).toBeHidden();
    await page.setViewportSize({ width: 390, height: 844 });
    await opener.click();
    await menu.getByRole('link', { name: 'Home' }).click();
    await expect(page).toHaveURL('/');
    await expect(menu).toBeHidden();
  });
});
