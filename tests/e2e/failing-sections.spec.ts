/** Failing sections of the home page. The rest of the page still works, and a visitor can send a message. */
import type { Page } from '@playwright/test';
import { saveAvailability } from '../support/booking.ts';
import { CHROMIUM_ARGUMENTS, requireChromium } from '../support/chromium.ts';
import { expect, test } from '../support/e2e.ts';

// On some machines, Chrome reports this time zone but cannot format times in it.
test.use({
  launchOptions: {
    executablePath: requireChromium(),
    args: CHROMIUM_ARGUMENTS,
    env: { ...process.env, TZ: 'Etc/Unknown' },
  },
  // The browser logs scripts that fail to load.
  allowedProblems: [/Failed to load resource|Failed to fetch dynamically imported module/],
});

async function scrollThrough(page: Page) {
  await page.evaluate(async () => {
    for (let top = 0; top < document.body.scrollHeight; top += 400) {
      window.scrollTo(0, top);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
}

test('A browser with an unknown time zone is offered times in UTC', async ({ page, site }) => {
  await saveAvailability(site.service);
  await page.goto('/#booking');
  await expect(page.getByLabel('Time zone')).toHaveValue('UTC');
  await expect(page.locator('#booking').getByRole('radio').first()).toBeVisible();
});

test('If the booking section cannot load, the page still works and the section offers other ways to contact us', async ({
  page,
  site,
}) => {
  await saveAvailability(site.service);
  await page.route('**/assets/booking-panel-*.js', (route) => route.fulfill({ status: 404, body: 'Not found' }));
  await page.goto('/');
  await scrollThrough(page);
  const section = page.locator('#booking');
  await expect(section.getByRole('alert')).toContainText('The calendar could not be shown.');
  await expect(section.getByRole('link', { name: 'the contact form' })).toBeVisible();
  await expect(section.getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.unroute('**/assets/booking-panel-*.js');
  await section.getByRole('button', { name: 'Try again' }).click();
  await expect(section.getByRole('radio').first()).toBeVisible();
});
