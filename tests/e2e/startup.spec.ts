import { expect, test } from '../support/e2e.ts';

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('The overlay types the name, blocks scrolling, and is gone after 3.5 s', async ({ page }) => {
    const start = Date.now();
    await page.goto('/');
    const overlay = page.locator('.startup');
    await expect(overlay).toBeVisible();
    await expect(overlay.locator('.startup-letter')).toHaveText([...'Signalfjord']);
    await expect(overlay.locator('.startup-dot')).toHaveCount(3);
    const delays = await overlay
      .locator('.startup-letter')
      .evaluateAll((letters) => letters.map((letter) => getComputedStyle(letter).animationDelay));
    expect(delays.slice(0, 3)).toEqual(['0.15s', '0.3s', '0.45s']);

    await page.mouse.move(600, 400);
    await page.mouse.wheel(0, 600);
    await page.keyboard.press('PageDown');
    await expect(overlay).toHaveCount(0);
    expect(Date.now() - start).toBeGreaterThan(3000);
    expect(await page.evaluate(() => scrollY)).toBe(0);

    await page.mouse.wheel(0, 200);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
  });

  test('It does not come back on the next page', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('.startup')).toHaveCount(0, { timeout: 10_000 });
    await page.getByRole('link', { name: 'Sign in' }).click();
    await expect(page).toHaveURL('/auth');
    await expect(page.locator('.startup')).toHaveCount(0);
  });

  test('The page beneath is in the first HTML and works meanwhile', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Toggle theme' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme-mode', 'light');
    await expect(page.locator('.startup')).toBeVisible();
  });

  test('A new page fades and slides in over 0.4 s and starts at the top', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('.startup')).toHaveCount(0, { timeout: 10_000 });
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
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
});

test('People who want no motion get no overlay', async ({ page }) => {
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.locator('.startup')).toBeHidden();
});

test.describe('without JavaScript', () => {
  // The browser then refuses what the page preloads.
  test.use({
    javaScriptEnabled: false,
    contextOptions: { reducedMotion: 'no-preference' },
    allowedProblems: [/ csp$/],
  });
  test('the overlay goes away too', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('.startup')).toBeHidden({ timeout: 10_000 });
  });
});
