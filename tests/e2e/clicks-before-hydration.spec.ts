/** Clicks and input before hydration. The scripts are held back at the network. */
import type { Page } from '@playwright/test';
import { findChat } from '../support/chat.ts';
import { expect, test, waitUntilHydrated } from '../support/e2e.ts';

/** Opens a page whose scripts are held until they are released. */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return released.resolve;
}

test('A button that is clicked three times before hydration is activated once', async ({ page }) => {
  const releaseScripts = await openWithoutScripts(page, '/');
  const toggle = page.getByRole('button', { name: 'Toggle theme' }).first();
  for (let press = 0; press < 3; press++) await toggle.click();
  await expect(page.locator('html')).toHaveAttribute('data-theme-mode', 'system');
  releaseScripts();
  await expect(page.locator('html')).toHaveAttribute('data-theme-mode', 'light');
  await waitUntilHydrated(toggle);
  await toggle.click();
  await expect(page.locator('html')).toHaveAttribute('data-theme-mode', 'dark');
});

test('A click that React would replay is handled once', async ({ page }) => {
  await openWithoutScripts(page, '/');
  // Simulates the time between React's first listener and the button's hydration, which is too short for a real click.
  const toggle = page.getByRole('button', { name: 'Toggle theme' }).first();
  const presses = await toggle.evaluateHandle((button) => {
    const activations: string[] = [];
    document.addEventListener(
      'click',
      () => {
        if (!('__reactProps$' in button)) activations.push('by React');
      },
      true,
    );
    button.addEventListener('click', () => {
      if ('__reactProps$' in button) activations.push('replayed');
    });
    return activations;
  });
  await toggle.click();
  await toggle.evaluate((button) => Object.assign(button, { __reactProps$: {} }));
  await expect.poll(() => presses.jsonValue()).toEqual(['replayed']);
});

test('The mobile menu opens after hydration if it was clicked before', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const releaseScripts = await openWithoutScripts(page, '/about');
  await page.getByRole('button', { name: 'Open menu' }).click();
  releaseScripts();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
});

test('The chat opens after hydration if it was clicked before', async ({ page }) => {
  const releaseScripts = await openWithoutScripts(page, '/contact');
  const chat = findChat(page);
  await chat.launcher.click();
  releaseScripts();
  await expect(chat.input).toBeVisible();
});

test('A message that was sent before hydration is submitted afterwards and does not appear in the URL', async ({
  page,
  site,
}) => {
  const releaseScripts = await openWithoutScripts(page, '/contact');
  const form = page.getByRole('form', { name: 'Contact' });
  await form.getByLabel('Name').fill('Kari Nordmann');
  await form.getByLabel('Email').fill('kari@example.com');
  await form.getByLabel('Message').fill('Hello there');
  await form.getByLabel('Name').press('Enter');
  await expect(form.getByLabel('Message')).toHaveValue('Hello there');
  expect(page.url()).toBe(`${site.url}/contact`);
  releaseScripts();
  await expect(page.getByText("Message sent! We'll get back to you soon.")).toBeVisible();
  await expect(form.getByLabel('Message')).toHaveValue('');
  expect(page.url()).toBe(`${site.url}/contact`);
});

test('Text typed before hydration is kept and stored in the draft', async ({ page }) => {
  const releaseScripts = await openWithoutScripts(page, '/contact');
  const form = page.getByRole('form', { name: 'Contact' });
  await form.getByLabel('Message').fill('Half a thought');
  releaseScripts();
  await waitUntilHydrated(form.getByLabel('Message'));
  await expect(form.getByLabel('Message')).toHaveValue('Half a thought');
  await expect(form.getByRole('link')).toHaveAttribute('href', /body=Half%20a%20thought$/);
});

test('The news search works without scripts', async ({ page }) => {
  const releaseScripts = await openWithoutScripts(page, '/news');
  await page.getByRole('searchbox').fill('deliverability');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL(/[?&]q=deliverability/, { waitUntil: 'commit' });
  releaseScripts();
});

test('The code of the form is loaded only when a field is first touched', async ({ page }) => {
  await page.goto('/contact', { waitUntil: 'networkidle' });
  const countScripts = () =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length);
  const field = await waitUntilHydrated(page.getByRole('textbox', { name: 'Name' }));
  const before = await countScripts();
  const schema = page.waitForResponse(/\/assets\/contact-schema-.*\.js$/);
  await field.focus();
  await schema;
  await expect.poll(countScripts).toBeGreaterThan(before);
});
