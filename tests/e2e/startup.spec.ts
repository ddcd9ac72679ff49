import type { Page } from '@playwright/test';
import { expect, test, waitUntilHydrated } from '../support/e2e.ts';

/** Pauses the overlay at its start, so that slow machines have time to check it. */
async function holdOverlay(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.startup { animation-play-state: paused !important }');
    document.adoptedStyleSheets = [sheet];
  });
}

test.describe('With motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('The overlay types one letter of the name every 150 ms, and has faded out after 3.5 s', async ({ page }) => {
    await holdOverlay(page);
    await page.goto('/');
    const overlay = page.locator('.startup');
    await expect(overlay).toBeVisible();
    const letters = overlay.locator('.startup-letter');
    await expect(letters).toHaveText([...'Signalfjord']);
    const delays = await letters.evaluateAll((all) => all.map((letter) => getComputedStyle(letter).animationDelay));
    expect(delays.slice(0, 3)).toEqual(['0.15s', '0.3s', '0.45s']);
    await expect(overlay.locator('.startup-dot')).toHaveCount(3);
    const { delay, duration } = await overlay.evaluate((element) => {
      const [animation] = element.getAnimations();
      const timing = animation?.effect?.getTiming();
      animation?.finish();
      return { delay: timing?.delay, duration: timing?.duration };
    });
    expect([delay, duration]).toEqual([3000, 500]);
    await expect(overlay).toHaveCount(0);
  });

  test('Scrolling is blocked for the first 3.5 s', async ({ page }) => {
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.goto('/');
    const areBlocked = () =>
      page.evaluate(() =>
        [
          new WheelEvent('wheel', { bubbles: true, cancelable: true }),
          new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true, cancelable: true }),
          new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true }),
        ].map((gesture) => !document.body.dispatchEvent(gesture)),
      );
    expect(await areBlocked()).toEqual([true, true, false]);
    await page.clock.runFor(3499);
    expect(await areBlocked()).toEqual([true, true, false]);
    await page.clock.runFor(1);
    expect(await areBlocked()).toEqual([false, false, false]);
  });

  test('The overlay is not shown on the next page', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('.startup')).toHaveCount(0);
    await (await waitUntilHydrated(page.getByRole('link', { name: 'Sign in' }))).click();
    await expect(page).toHaveURL('/auth');
    await expect(page.locator('.startup')).toHaveCount(0);
  });

  test('The overlay is shown once per browser session', async ({ page, context }) => {
    await holdOverlay(page);
    await page.goto('/');
    await expect(page.locator('.startup')).toBeVisible();
    for (const path of ['/', '/about', '/auth', '/admin/dashboard']) {
      await page.goto(path);
      await expect(page.locator('html')).toHaveAttribute('data-started');
      await expect(page.locator('.startup')).toBeHidden();
    }
    const otherPage = await context.newPage();
    await holdOverlay(otherPage);
    await otherPage.goto('/about');
    await expect(otherPage.locator('.startup')).toBeVisible();
  });

  test('The overlay is not shown on pages behind emailed links, or after them', async ({ browser, site }) => {
    for (const path of [
      `/booking/${'0'.repeat(64)}`,
      `/approve/${'0'.repeat(64)}`,
      `/lead/${'0'.repeat(64)}`,
      `/result/${'0'.repeat(64)}`,
      '/auth/reset-password',
      '/auth/confirm?token_hash=x',
    ]) {
      const context = await browser.newContext({ baseURL: site.url, reducedMotion: 'no-preference' });
      const page = await context.newPage();
      await holdOverlay(page);
      for (const nextPath of [path, '/']) {
        await page.goto(nextPath);
        await expect(page.locator('html')).toHaveAttribute('data-started');
        await expect(page.locator('.startup')).toBeHidden();
      }
      await context.close();
    }
  });

  test('The page below the overlay is usable while it is shown', async ({ page }) => {
    await holdOverlay(page);
    await page.goto('/');
    await (await waitUntilHydrated(page.getByRole('button', { name: 'Toggle theme' }))).focus();
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme-mode', 'light');
    await expect(page.locator('.startup')).toBeVisible();
  });

  test('A new page fades and slides in over 0.4 s and starts at the top', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('.startup')).toHaveCount(0);
    await waitUntilHydrated(page.getByRole('link', { name: 'Sign in' }));
    await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    const transitions = page.evaluate(
      () =>
        new Promise<(number | string | undefined)[]>((resolve) => {
          const { animate } = Element.prototype;
          Element.prototype.animate = function (frames, options) {
            resolve([this.localName, typeof options === 'object' ? Number(options.duration) : options]);
            return animate.call(this, frames, options);
          };
        }),
    );
    await page.getByRole('contentinfo').getByRole('link', { name: 'Home' }).first().focus();
    await page.getByRole('link', { name: 'Sign in' }).click();
    expect(await transitions).toEqual(['main', 400]);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  });
});

test('The overlay is not shown with reduced motion', async ({ page }) => {
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.locator('.startup')).toBeHidden();
});

test.describe('Without JavaScript,', () => {
  // Chromium logs an error for each preload that it blocks.
  test.use({
    javaScriptEnabled: false,
    contextOptions: { reducedMotion: 'no-preference' },
    allowedProblems: [/ csp$/],
  });
  test('the overlay disappears', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('.startup')).toBeHidden();
  });
});
