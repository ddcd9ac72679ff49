import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from '../support/e2e.ts';

/** Folder of the screenshots, with a subfolder for each variant (width and theme). */
export const SCREENSHOTS_FOLDER = join(import.meta.dirname, '..', '..', 'look');

/** All variants, or those in the environment variable LOOKS: `LOOKS=390-light,1440-dark npm run look`. */
export const LOOKS = [390, 834, 1440]
  .flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ name: `${width}-${theme}`, width, theme })))
  .filter(({ name }) => (process.env.LOOKS ?? name).split(',').includes(name));

/** Opens each path and takes its screenshots. */
export async function captureScreens(page: Page, paths: readonly string[], prefix = ''): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    // Omit IDs from file names, because they differ in each run.
    const screen =
      path
        .slice(1)
        .replace(/[0-9a-f-]{36}/, 'one')
        .replaceAll(/[/?=&]/g, '_') || 'home';
    await captureFullPage(page, prefix + screen);
  }
}

/** Takes a screenshot of the whole page in every variant. The page is opened once and then resized. */
export async function captureFullPage(page: Page, screen: string): Promise<void> {
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  await renderAll(page);
  for (const { name, width, theme } of LOOKS) {
    await setVariant(page, width, theme);
    await page.screenshot({ path: join(SCREENSHOTS_FOLDER, name, `${screen}.png`), fullPage: true });
  }
}

/** Takes screenshots of the viewport, for dialogs and menus. */
export async function captureViewport(page: Page, screen: string): Promise<void> {
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  for (const { name, width, theme } of LOOKS) {
    await setVariant(page, width, theme);
    await page.screenshot({ path: join(SCREENSHOTS_FOLDER, name, `${screen}.png`) });
  }
}

async function setVariant(page: Page, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize({ width, height: width < 500 ? 844 : 1000 });
  await page.emulateMedia({ colorScheme });
}

/** Scrolls to the end and back, because some content is rendered only when it scrolls into view. */
async function renderAll(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += window.innerHeight) {
      window.scrollTo({ top, behavior: 'instant' });
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    window.scrollTo({ top: 0, behavior: 'instant' });
  });
  await page.waitForLoadState('networkidle');
}
