/** A phone as a second factor. A user adds it on the account page and enters its code at sign-in. */
import type { Page } from '@playwright/test';
import { expect, expectNoAxeViolations, test, type User } from '../support/e2e.ts';
import { readSentCode } from '../support/outbox.ts';

test.use({
  // Rate limits are on, because the limit of three messages to a number in 15 minutes is tested.
  environment: [{ AUTH_PHONE: 'on', RATE_LIMITS: 'on' }, { scope: 'worker' }],
  // The browser logs the error responses that these tests cause.
  allowedProblems: [/status of (400|404|422|429)/],
});

const LIMIT = /you can only request this after \d+ seconds/;

async function signIn(page: Page, { email, password }: User) {
  await page.goto('/auth');
  await page.getByRole('main').getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function sendCodeTo(page: Page, number: string) {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Phone number').fill(number);
  await dialog.getByRole('button', { name: 'Send code' }).click();
}

const createWrongCode = (code: string) => (code === '000000' ? '000001' : '000000');

test('A user adds a phone, and signs in with a code that is sent to it', async ({ page, site }) => {
  const user = await site.createUser({ role: 'client' });
  await signIn(page, user);
  await expect(page).toHaveURL(/client-dashboard$/);
  await page.goto('/account');
  const section = page.getByRole('region', { name: 'Second factor' });
  const dialog = page.getByRole('dialog');
  await section.getByRole('button', { name: 'Add a phone' }).click();
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await expect(dialog.getByText('Enter the number')).toBeVisible();
  await expect(dialog.getByLabel('Phone number')).toBeFocused();
  await dialog.getByLabel('Name').fill('Work phone');
  await sendCodeTo(page, 'my phone');
  await expect(dialog.getByText('Invalid phone number format (E.164 required)')).toBeVisible();
  await expect(dialog.getByLabel('Phone number')).toHaveValue('my phone');
  await expect(dialog.getByLabel('Phone number')).toBeFocused();
  await expectNoAxeViolations(page);

  await sendCodeTo(page, '+47 91 00 00 01');
  await expect(dialog.getByText('We sent six digits to +4791000001.')).toBeVisible();
  const firstCode = await readSentCode(site.dataFolder, '4791000001', 1);
  await expectNoAxeViolations(page);
  const field = dialog.getByLabel('Code', { exact: true });
  const addButton = dialog.getByRole('button', { name: 'Add phone' });
  await field.fill('12');
  await addButton.click();
  await expect(dialog.getByText('Enter the six digits', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  const secondCode = await readSentCode(site.dataFolder, '4791000001', 2);
  await expect(page.getByText('New code sent')).toBeVisible();
  await field.fill(firstCode === secondCode ? createWrongCode(secondCode) : firstCode);
  await addButton.click();
  await expect(dialog.getByText('This is not the latest code we sent.')).toBeVisible();
  await field.fill(`${secondCode.slice(0, 3)} ${secondCode.slice(3)}`);
  await addButton.click();
  await expect(page.getByText('Phone added')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(section.getByText('Work phone')).toBeVisible();
  await expect(section.getByText('Phone, added')).toBeVisible();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/$/);

  await signIn(page, user);
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await page.getByRole('button', { name: 'Send a code to Work phone' }).click();
  const thirdCode = await readSentCode(site.dataFolder, '4791000001', 3);
  const codeField = page.getByLabel('Code from the text message');
  await expect(codeField).toBeVisible();
  await expectNoAxeViolations(page);
  await codeField.fill(createWrongCode(thirdCode));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('This is not the latest code we sent.')).toBeVisible();
  // A fourth message within 15 minutes is rejected, but the third code is still valid.
  await page.getByRole('button', { name: 'Send another code to Work phone' }).click();
  await expect(page.getByText(LIMIT)).toBeVisible();
  await codeField.fill(thirdCode);
  await page.getByRole('button', { name: 'Continue' }).click();
  // Do not check the URL, because it already contains the dashboard while the sign-in page is shown.
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await page.goto('/account');
  await section.getByRole('button', { name: 'Remove Work phone' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(section.getByText('Work phone')).toHaveCount(0);
});

test('A phone that was not confirmed is not stored', async ({ page, site }) => {
  const user = await site.createUser({ role: 'client' });
  const factorStatuses = async () =>
    (await site.service.auth.admin.mfa.listFactors({ userId: user.id })).data?.factors.map(({ status }) => status);
  await signIn(page, user);
  await expect(page).toHaveURL(/client-dashboard$/);
  await page.goto('/account');
  const dialog = page.getByRole('dialog');
  const openButton = page.getByRole('button', { name: 'Add a phone' });
  await openButton.click();
  await dialog.getByLabel('Name').fill('Old phone');
  await sendCodeTo(page, '+4791000002');
  await expect(dialog.getByLabel('Code', { exact: true })).toBeFocused();
  expect(await factorStatuses()).toEqual(['unverified']);

  await dialog.getByRole('button', { name: 'Change number' }).click();
  await expect(dialog.getByLabel('Phone number')).toHaveValue('+4791000002');
  await expect(dialog.getByLabel('Name')).toHaveValue('Old phone');
  await expect.poll(factorStatuses).toEqual([]);

  await sendCodeTo(page, '+4791000002');
  const sendAgain = dialog.getByRole('button', { name: 'Send again' });
  await sendAgain.click();
  await readSentCode(site.dataFolder, '4791000002', 3);
  await expect(page.getByText('New code sent')).toBeVisible();
  await sendAgain.click();
  await expect(page.getByText(LIMIT)).toBeVisible();
  await expect(dialog.getByLabel('Code', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(openButton).toBeFocused();
  await expect.poll(factorStatuses).toEqual([]);

  // A code that cannot be sent is reported at the number, and no phone is stored.
  await openButton.click();
  await sendCodeTo(page, '+4791000002');
  await expect(dialog.getByText(LIMIT)).toBeVisible();
  await expect(dialog.getByLabel('Phone number')).toHaveValue('+4791000002');
  await expect.poll(factorStatuses).toEqual([]);
});
