import { expect, test, waitUntilHydrated } from '../support/e2e.ts';

test('The services page lists the three services with timeline and pricing', async ({ page }) => {
  await page.goto('/services');
  await expect(page).toHaveTitle('Services · Signalfjord');
  await expect(page.getByRole('heading', { level: 2 })).toContainText([
    'Outreach Systems',
    'Lead Generation Automation',
    'AI Chatbots',
  ]);
  for (const timeline of ['4-6 weeks', '3-5 weeks', '2-4 weeks']) await expect(page.getByText(timeline)).toBeVisible();
  const types = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(types.map((text) => JSON.parse(text)['@type'])).toEqual(['BreadcrumbList', 'Service', 'Service', 'Service']);
});

test('A selected service is shown in the booking section of the home page', async ({ page }) => {
  await page.goto('/services');
  await (await waitUntilHydrated(page.getByRole('button', { name: 'Select this service Outreach Systems' }))).click();
  await expect(page).toHaveURL('/#booking');
  await expect(page.locator('#booking')).toBeInViewport();
  await expect(page.locator('#booking')).toContainText('Selected service: Outreach Systems');
  await page.getByRole('button', { name: 'Clear the selected service' }).click();
  await expect(page.locator('#booking')).not.toContainText('Selected service');
});
