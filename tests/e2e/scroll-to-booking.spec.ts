import { expect, test } from '../support/e2e.ts';

const MESSAGE = { type: 'scroll-to-booking' };

test('A message from the page itself leads to the booking section, from any page', async ({ page }) => {
  await page.goto('/auth');
  // The field comes with hydration, and the listener with it.
  await expect(page.getByRole('contentinfo').getByRole('textbox')).toBeAttached();
  await page.evaluate((message) => window.postMessage(message, '*'), MESSAGE);
  await expect(page).toHaveURL('/#booking');
});

test('A message from a window that embeds the page does nothing, from one that it embeds it does', async ({ page }) => {
  await page.goto('/auth');
  // The field comes with hydration, and the listener with it.
  await expect(page.getByRole('contentinfo').getByRole('textbox')).toBeAttached();
  const frame = await page.evaluateHandle(() => {
    const element = document.createElement('iframe');
    element.src = '/auth';
    document.body.append(element);
    return element;
  });
  const inner = await frame.contentFrame();
  if (!inner) throw new Error('The frame has no document');
  await inner.getByRole('contentinfo').getByRole('textbox').waitFor({ state: 'attached' });
  await page.evaluate((message) => frames[0]?.postMessage(message, '*'), MESSAGE);
  await inner.evaluate((message) => parent.postMessage(message, '*'), MESSAGE);
  await expect(page).toHaveURL('/#booking');
  expect(new URL(inner.url()).pathname).toBe('/auth');
});
