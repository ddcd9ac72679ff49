/** Visual details of the public layout. */
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoHorizontalScroll, test } from '../support/e2e.ts';

test('The name in the bar is not cut off at any width from 832 to 1024 px', async ({ page }) => {
  await page.goto('/');
  const name = page
    .getByRole('banner')
    .getByRole('link', { name: /Signalfjord/ })
    .first();
  for (const width of [832, 880, 928, 976, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    const isFullyVisible = () => name.evaluate((link) => link.scrollWidth <= link.clientWidth + 1);
    await expect.poll(isFullyVisible, `${width} px`).toBe(true);
  }
});

test('The bar shows "Book a call" in full beside the name on phones and tablets', async ({ page }) => {
  await page.goto('/');
  const bar = page.getByRole('banner');
  const name = bar.getByRole('link', { name: /Signalfjord/ }).first();
  const book = bar.getByRole('link', { name: 'Book a call' });
  for (const width of [384, 390, 430, 640, 834, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(book, `${width} px`).toBeVisible();
    await expectNoHorizontalScroll(page);
    const isWhole = () => name.evaluate((link) => link.scrollWidth <= link.clientWidth + 1);
    await expect.poll(isWhole, `${width} px`).toBe(true);
  }
  await page.setViewportSize({ width: 320, height: 844 });
  await expect(book).toBeHidden();
});

test('In print, every section of the home page is drawn without a loading state', async ({ page }) => {
  await page.goto('/');
  await page.emulateMedia({ media: 'print' });
  const countSkipped = () =>
    page
      .locator('.below-fold')
      .evaluateAll((all) => all.filter((node) => getComputedStyle(node).contentVisibility !== 'visible').length);
  await expect.poll(countSkipped).toBe(0);
  await expect(page.getByText('Loading...').locator('visible=true')).toHaveCount(0);
});

test('In print, no testimonial is cut off or covered', async ({ page }) => {
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.goto('/');
  await page.emulateMedia({ media: 'print' });
  const cards = page.getByRole('group', { name: /^Testimonials/ }).getByRole('listitem');
  const countCovered = () =>
    cards.evaluateAll(
      (all) =>
        all.filter((card) => {
          card.scrollIntoView({ block: 'center', behavior: 'instant' });
          const { left, top, right, bottom } = card.getBoundingClientRect();
          const isOnTop = (x: number, y: number) => card.contains(document.elementFromPoint(x, y));
          return !isOnTop(left + 30, top + 30) || !isOnTop(right - 30, bottom - 30);
        }).length,
    );
  await expect(cards).toHaveCount(11);
  await expect.poll(countCovered).toBe(0);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`The launcher has a ring in the background colour of the page over any content, in the ${colorScheme} theme`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto('/');
    const launcher = page.getByRole('button', { name: 'Open chat' });
    await expect(launcher).toBeVisible();
    const [shadow, pageBackground, buttonBackground] = await launcher.evaluate((button) => {
      const { boxShadow, backgroundColor } = getComputedStyle(button);
      return [boxShadow, getComputedStyle(document.documentElement).backgroundColor, backgroundColor];
    });
    expect(shadow).toContain(`${pageBackground} 0px 0px 0px 2px`);
    expect(buttonBackground).not.toBe(pageBackground);
  });
}

test('The editor tabs are in one row at every width, and only the keyboard shows a focus ring', async ({
  page,
  site,
}) => {
  await openAdmin(page, site, '/admin/pages/home');
  for (const path of ['/admin/pages/home', '/admin/pages/headers']) {
    await page.goto(path);
    const tabs = page.getByRole('tablist').first().getByRole('tab');
    await expect(tabs.nth(1)).toBeVisible();
    for (const width of [320, 834, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const tops = () => tabs.evaluateAll((all) => all.map((tab) => Math.round(tab.getBoundingClientRect().top)));
      await expect.poll(async () => new Set(await tops()).size, `${path} at ${width} px`).toBe(1);
    }
    /** Lists the tabs and panels that have a focus ring. */
    const listRinged = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('[role=tab], [role=tabpanel]')]
          .filter((element) => getComputedStyle(element).outlineStyle !== 'none')
          .map((element) => element.outerHTML.slice(0, 200)),
      );
    await tabs.nth(1).click();
    await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true');
    await expect.poll(listRinged).toEqual([]);
    await page.keyboard.press('ArrowLeft');
    await expect(tabs.first()).toBeFocused();
    await expect.poll(listRinged).toHaveLength(1);
  }
});
