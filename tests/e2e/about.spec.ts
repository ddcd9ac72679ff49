import { expect, test, waitUntilHydrated, waitUntilRendered } from '../support/e2e.ts';

test('The about page shows story, careers and team, and its carousel moves in both directions', async ({ page }) => {
  await page.goto('/about');
  await expect(page).toHaveTitle('About · Signalfjord');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Engineers who can write');
  await expect(page.getByRole('heading', { name: 'Our story' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Meet the Team' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Careers' })).toBeVisible();

  const shownMember = page.getByRole('region', { name: 'Meet the Team' }).locator('li[data-shown]');
  await expect(shownMember).toContainText('Sunniva Dahl');
  await (await waitUntilHydrated(page.getByRole('button', { name: 'Next person' }))).click();
  await expect(shownMember).toContainText('Henrik Aune');
  await page.getByRole('button', { name: 'Previous person' }).click();
  await page.getByRole('button', { name: 'Previous person' }).click();
  await expect(shownMember).toContainText('Tobias Renner');
});

test('The carousel does not move when reduced motion is requested', async ({ page }) => {
  await page.clock.install();
  await page.goto('/about');
  await page.getByRole('heading', { name: 'Meet the Team' }).scrollIntoViewIfNeeded();
  await waitUntilHydrated(page.getByRole('button', { name: 'Next person' }));
  await page.clock.runFor(15_000);
  await expect(page.locator('li[data-shown]')).toContainText('Sunniva Dahl');
});

test.describe('With motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('The carousel moves every 5 seconds, and stops on hover or when paused', async ({ page }) => {
    await page.clock.install({ time: 0 });
    await page.goto('/about');
    await page.getByRole('heading', { name: 'Meet the Team' }).scrollIntoViewIfNeeded();
    await waitUntilHydrated(page.getByRole('button', { name: 'Pause the carousel' }));
    await expect(page.locator('ul[aria-live=off]')).toBeAttached();
    await page.clock.pauseAt(3_600_000);
    await waitUntilRendered(page);
    const people = ['Sunniva Dahl', 'Henrik Aune', 'Maja Lindqvist', 'Tobias Renner'];
    const shownMember = page.locator('li[data-shown]');
    const text = (await shownMember.textContent()) ?? '';
    const start = people.findIndex((name) => text.includes(name));
    for (const step of [1, 2, 3]) {
      await page.clock.runFor(5000);
      await expect(shownMember).toContainText(people[(start + step) % 4] ?? '');
    }
    const last = people[(start + 3) % 4] ?? '';

    await page.getByRole('heading', { name: 'Meet the Team' }).hover();
    await expect(page.locator('ul[aria-live=polite]')).toBeAttached();
    await page.clock.runFor(10_000);
    await expect(shownMember).toContainText(last);

    await page.getByRole('button', { name: 'Pause the carousel' }).click();
    await page.getByRole('heading', { level: 1 }).hover();
    await page.clock.runFor(10_000);
    await expect(shownMember).toContainText(last);
  });
});
