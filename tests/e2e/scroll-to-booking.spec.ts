import { expect, test } from '../support/e2e.ts';

const MESSAGE = { type: 'scroll-to-booking' };

test('A message from the page itself leads to the booking section, from any page', async ({ page }) => {
  await page.goto('/auth');
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await page.evaluate((message) => window.postMessage(message, '*'), MESSAGE);
  await expect(page).toHaveURL('/#booking');
});

test('A message from a window that embeds the page does nothing, from one that it embeds it does', async ({ page }) => {
  await page.goto('/auth');
  await expect(page.getByRole('contentinfo')).toBeVisible();
  const frame = await page.evaluateHandle(() => {
    const element = document.createElement('iframe');
    element.src = '/auth';
    document.body.append(element);
    return element;
  });
  const inner = await frame.contentFrame();
  if (!inner) throw new Error('The frame has no document');
  await inner.getByRole('contentinfo').waitFor();
  await page.evaluate((message) => frames[0]?.postMessage(message, '*'), MESSAGE);
  await inner.evaluate((message) => parent.postMessage(message, '*'), MESSAGE);
  await expect(page).toHaveURL('/#booking');
  expect(new URL(inner.url()).pathname).toBe('/auth');
});
