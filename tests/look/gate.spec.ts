import { expect, test, waitUntilHydrated } from '../support/e2e.ts';
import { captureFullPage } from './looks.ts';

test.use({ environment: { PREVIEW_GATE: 'on', PREVIEW_PASSCODE: 'northern lights' } });

test('takes screenshots of the gate', async ({ page }) => {
  await page.goto('/');
  await captureFullPage(page, 'gate');
  await (await waitUntilHydrated(page.getByPlaceholder('Enter passcode'))).fill('southern lights');
  await page.getByRole('button', { name: 'Enter site' }).click();
  await expect(page.getByText('Incorrect passcode. Please try again.')).toBeVisible();
  await captureFullPage(page, 'gate-refused');
});
