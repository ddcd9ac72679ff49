import type { Locator, Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { type Calls, expectListed, recordCalls, recordScreens } from '../support/api-calls.ts';
import {
  expect,
  expectFitsWithDoubleText,
  expectNoAxeViolationsInAnyMode,
  expectNoHorizontalScroll,
  test,
  waitUntilHydrated,
} from '../support/e2e.ts';
import { readViolations, watchPolicy } from '../support/policy-violations.ts';
import { PUBLIC_SCREENS } from '../support/screens.ts';

test.use({ allowedProblems: [/status of 404/] });

const readBorderWidth = (element: Locator) =>
  element.evaluate((node) => Number.parseFloat(getComputedStyle(node).borderTopWidth));

const readTop = (element: Locator) => element.evaluate((node) => node.getBoundingClientRect().top);

/** Widths of a small phone and a tablet. */
const WIDTHS = [320, 834];
const DESKTOP = { width: 1280, height: 720 };

test('Every public screen makes only listed API calls, passes axe, follows the policy and fits large text and narrow screens', async ({
  page,
  request,
  site,
}) => {
  test.slow();
  await watchPolicy(page);
  const visitor: Calls = {};
  for (const path of PUBLIC_SCREENS) {
    // Ignore API calls that the previous screen still makes.
    await page.goto('about:blank');
    const readCalls = recordCalls(page);
    await page.goto(path);
    await expect(page.locator('h1, h2, textarea').first()).toBeVisible();
    await expectNoAxeViolationsInAnyMode(page);
    await expectFitsWithDoubleText(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 640 });
      await expectNoHorizontalScroll(page);
    }
    await page.setViewportSize(DESKTOP);
    visitor[path] = readCalls();
    expect(await readViolations(page), path).toEqual([]);
    expect((await (await request.get(path)).text()).match(/<[^>]* style="[^>]*>/), path).toBeNull();
  }
  const published = site.service.from('posts').select('slug').eq('status', 'published').order('slug').limit(1);
  const { data: post } = await published.single().throwOnError();
  const otherCalls = await recordScreens(page, [`/news/${post.slug}`, '/auth/reset-password']);
  expectListed({ visitor: { ...visitor, ...otherCalls } });
});

test('In forced colours mode, buttons have a border, and the selected tab has an outline', async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/contact');
  const primary = page.getByRole('form', { name: 'Contact' }).getByRole('button', { name: 'Send message' });
  await expect.poll(() => readBorderWidth(primary)).toBeGreaterThanOrEqual(1);
  await page.goto('/');
  await expect.poll(() => readBorderWidth(page.getByRole('link', { name: 'Sign in' }))).toBeGreaterThanOrEqual(1);
  const currentLink = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' });
  await expect(currentLink).toHaveCSS('outline-width', '2px');

  await openAdmin(page, site, '/admin/pages/home');
  const [selectedTab, otherTab] = [page.getByRole('tab', { name: 'Hero' }), page.getByRole('tab', { name: 'Footer' })];
  await expect(selectedTab).toHaveAttribute('aria-selected', 'true');
  await expect(selectedTab).toHaveCSS('outline-style', 'solid');
  await expect(otherTab).toHaveCSS('outline-style', 'none');
});

test('Lines and secondary text are darker if the user prefers more contrast', async ({ page }) => {
  await page.goto('/contact');
  const colours = () =>
    page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      return ['--muted', '--line', '--line-strong'].map((name) =>
        Number(/\(([\d.]+)/.exec(style.getPropertyValue(name))?.[1]),
      );
    });
  const defaultLightness = await colours();
  await page.emulateMedia({ contrast: 'more' });
  for (const [index, lightness] of defaultLightness.entries()) {
    await expect.poll(async () => (await colours())[index]).toBeLessThan(lightness - 0.1);
  }
});

test('The bar with the Save button never covers the focused field', async ({ page, site }) => {
  const { data } = await site.service.from('posts').select('id').limit(1).single().throwOnError();
  await page.setViewportSize({ width: 390, height: 700 });
  await openAdmin(page, site, `/admin/posts/${data.id}/edit`);
  await page.getByLabel('Title').focus();
  const isCovered = () =>
    page.evaluate(() => {
      const focused = document.activeElement?.getBoundingClientRect();
      const bar = document.querySelector('.save-bar');
      if (!focused || !bar || bar.contains(document.activeElement)) return false;
      // A field taller than the space above the bar shows its top.
      return focused.top + Math.min(focused.height, 44) > bar.getBoundingClientRect().top;
    });
  const isInSaveBar = () => page.evaluate(() => Boolean(document.activeElement?.closest('.save-bar')));
  for (let stop = 0; stop < 60 && !(await isInSaveBar()); stop++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
    await expect.poll(isCovered, focused).toBe(false);
  }
  expect(await isInSaveBar()).toBe(true);
});

test.describe('In a window under 480 px high', () => {
  test.use({ viewport: { width: 740, height: 340 } });

  test('bars scroll with the page, and the messages take at least half of the height', async ({ page, site }) => {
    await page.goto('/news');
    const header = page.getByRole('banner');
    const launcher = await waitUntilHydrated(page.getByRole('button', { name: /chat/i }).first());
    await scrollToEnd(page);
    await expect.poll(() => readTop(header)).toBeLessThan(-40);
    await launcher.click();
    const input = page.getByRole('textbox', { name: 'Write to the assistant' });
    await expect(input).toBeVisible();
    const log = page.getByRole('log').locator('xpath=../..');
    const height = async () => (await log.boundingBox())?.height;
    await expect.poll(height).toBeGreaterThanOrEqual(170);
    await page.goto('/chat-embed');
    await expect(input).toBeVisible();
    await expect.poll(height).toBeGreaterThanOrEqual(170);

    await openAdmin(page, site, '/admin/pages/home');
    await expect(page.getByRole('button', { name: 'Save Changes' })).toBeVisible();
    await expect(page.locator('.save-bar')).toHaveCSS('position', 'static');
    await scrollToEnd(page);
    await expect.poll(() => readTop(header)).toBeLessThan(-40);
  });
});

const scrollToEnd = (page: Page) =>
  page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));

test.describe('On a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the menu items have text labels without icons', async ({ page }) => {
    await page.goto('/');
    await (await waitUntilHydrated(page.getByRole('button', { name: 'Open menu' }))).click();
    const links = page.getByRole('dialog', { name: 'Menu' }).getByRole('navigation').getByRole('link');
    await expect(links.first()).toHaveAccessibleName('Home');
    for (const link of await links.all()) expect(await link.getAttribute('aria-label')).toBeNull();
    await expect(
      page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'News', exact: true }),
    ).toBeVisible();
  });
});
