import type { CDPSession, Page } from '@playwright/test';
import { totpCode } from '../../packages/backend/tests/support/factors.ts';
import { ADMIN, expect, expectNoAxeViolations, type Site, test, type User } from '../support/e2e.ts';

// The browser logs the error responses that these tests cause. Some pages are opened at localhost.
test.use({ allowedProblems: [/status of (400|401|403|404|422)|another host: http:\/\/localhost/] });

async function signIn(page: Page, { email, password }: Pick<User, 'email' | 'password'>, origin = '') {
  await page.goto(`${origin}/auth`);
  await page.getByRole('main').getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/$/);
};

/** WebAuthn needs a domain name, so these pages are opened at localhost. That origin has a separate session. */
const localhostUrl = (site: Site) => site.url.replace('127.0.0.1', 'localhost');

/** Adds a virtual authenticator that always confirms. It is a built-in fingerprint reader or a USB key. */
async function addAuthenticator(devtools: CDPSession, transport: 'internal' | 'usb'): Promise<() => Promise<unknown>> {
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: transport === 'internal',
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return () => devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
}

/** Holds the responses that contain the account's list of factors. @returns a function that releases them */
async function holdFactorList(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route('**/auth/v1/user', async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}

/** Adds an app, and lets the test inspect its dialog. @returns its secret */
async function addApp(page: Page, name: string, inspect?: (page: Page) => Promise<void>): Promise<string> {
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code' })).toBeVisible();
  const secret = (await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '';
  await inspect?.(page);
  await dialog.getByLabel('Code', { exact: true }).fill('12');
  await dialog.getByRole('button', { name: 'Add app' }).click();
  await expect(dialog.getByText('Enter the six digits', { exact: true })).toBeVisible();
  await dialog.getByLabel('Code', { exact: true }).fill(totpCode(secret.replaceAll(' ', '')));
  await dialog.getByRole('button', { name: 'Add app' }).click();
  await expect(page.getByText('Authenticator app added')).toBeVisible();
  return secret.replaceAll(' ', '');
}

test('An authenticator app is required at the next sign-in, and can be removed', async ({ page, site }) => {
  const user = await site.createUser({ role: 'client' });
  await signIn(page, user);
  await page.getByRole('link', { name: 'Manage account' }).click();
  const section = page.getByRole('region', { name: 'Second factor' });
  await expect(section.getByRole('button', { name: 'Add an authenticator app' })).toBeVisible();
  // This site cannot send text messages. phone-factor.spec.ts uses one that can.
  await expect(section.getByRole('button', { name: 'Add a phone' })).toHaveCount(0);
  const secret = await addApp(page, 'My phone', expectNoAxeViolations);
  await expect(section.getByRole('button', { name: 'Add an authenticator app' })).toBeFocused();
  await expect(section.getByText('My phone')).toBeVisible();

  await section.getByRole('button', { name: 'Create recovery codes' }).click();
  const codes = page.getByRole('dialog').getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const code = (await codes.first().textContent()) ?? '';
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(section.getByText('10 of 10 codes left.')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/$/);

  await signIn(page, user);
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await expect(page.getByText('Enter the six digits shown by My phone.')).toBeVisible();
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  await expectNoAxeViolations(page);
  await page.goto('/client-dashboard');
  await expect(page).toHaveURL(/\/auth\?back=/);
  await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, 40));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('This code is wrong or has already been used.')).toBeVisible();
  await expect(page.getByLabel('Code', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, 1));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/client-dashboard$/);
  await expect(page.locator('[data-sonner-toast]')).toContainText('Welcome back!');
  await signOut(page);

  await signIn(page, user);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill('wrong');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('This code is wrong or has already been used')).toBeVisible();
  await expect(page.getByLabel('Recovery code')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Recovery code').fill(code.toUpperCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Manage account' }).click();
  await expect(section.getByText('9 of 10 codes left.')).toBeVisible();

  // A user who lost the app cannot remove it first, because they could not sign in any more.
  await section.getByRole('button', { name: 'Remove My phone' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('You signed in with a recovery code. Add your new app or key first')).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await addApp(page, 'New phone');
  await section.getByRole('button', { name: 'Remove My phone' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(section.getByText('My phone')).toHaveCount(0);
  await expect(section.getByText('New phone')).toBeVisible();
});

test('A security key is a second factor, and a passkey signs in without a password', async ({ page, site }) => {
  const user = await site.createUser({ role: 'client' });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const removeAuthenticator = await addAuthenticator(devtools, 'internal');
  await signIn(page, user, localhostUrl(site));
  await page.getByRole('link', { name: 'Manage account' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await expect(passkeys.getByText('Laptop')).toBeVisible();
  await expect(passkeys.getByText('not used yet')).toBeVisible();
  await signOut(page);

  await page.goto(`${localhostUrl(site)}/auth`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('link', { name: 'Manage account' }).click();
  await expect(passkeys.getByText('last used')).toBeVisible();
  await passkeys.getByRole('button', { name: 'Rename Laptop' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Work laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(passkeys.getByText('Work laptop')).toBeVisible();

  await removeAuthenticator();
  await addAuthenticator(devtools, 'usb');
  await page.getByRole('button', { name: 'Add a security key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  const section = page.getByRole('region', { name: 'Second factor' });
  await expect(section.getByText('Security key, added')).toBeVisible();
  await signOut(page);

  await signIn(page, user, localhostUrl(site));
  await page.getByRole('button', { name: 'Use Security key' }).click();
  await page.getByRole('link', { name: 'Manage account' }).click();
  await section.getByRole('button', { name: 'Remove Security key' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('is your only second factor');
  const release = await holdFactorList(page);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Second factor removed')).toBeVisible();
  // The dialog stays open until the row is removed, so that nothing moves under the pointer.
  await expect(dialog).toContainText('is your only second factor');
  release();
  await expect(dialog).toHaveCount(0);
  await expect(section.getByText('Security key, added')).toHaveCount(0);
  await expect(section.getByRole('button', { name: 'Add an authenticator app' })).toBeFocused();
  await passkeys.getByRole('button', { name: 'Remove Work laptop' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(passkeys.getByText('Work laptop')).toHaveCount(0);
  await expectNoAxeViolations(page);
});

test('An admin without a required second factor must add one before getting access', async ({ page, site }) => {
  await signIn(page, ADMIN);
  await expect(page).toHaveURL(/admin\/dashboard$/);
  await page.goto('/admin/settings');
  const card = page.locator('#require_second_factor');
  await card.getByRole('switch', { name: 'Second factor for admins' }).check();
  await card.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.locator('[data-sonner-toast]')).toContainText('Set up a second factor on your account page');
  await expect(card.getByRole('switch', { name: 'Second factor for admins' })).toBeChecked();

  await site.service
    .from('site_settings')
    .upsert({ setting_key: 'require_second_factor', setting_value: 'on' }, { onConflict: 'setting_key' })
    .throwOnError();
  await page.goto('/admin/posts');
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByText('This site requires a second factor for admins.')).toBeVisible();
  await expectNoAxeViolations(page);
  await addApp(page, 'Admin phone');
  await expect(page.getByText('This site requires a second factor for admins.')).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to the dashboard' }).click();
  await expect(page).toHaveURL(/admin\/dashboard$/);
  await page.goto('/admin/settings');
  await card.getByRole('switch', { name: 'Second factor for admins' }).uncheck();
  await card.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Setting updated successfully')).toBeVisible();
});

test('A user who forgot the password enters the second factor before setting a new one', async ({ page, site }) => {
  const user = await site.createUser({ role: 'client' });
  await signIn(page, user);
  await page.getByRole('link', { name: 'Manage account' }).click();
  const secret = await addApp(page, 'Phone');
  await signOut(page);
  const { data } = await site.service.auth.admin.generateLink({
    type: 'recovery',
    email: user.email,
    options: { redirectTo: `${site.url}/auth/reset-password` },
  });
  await page.goto(data.properties?.action_link ?? '');
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, 1));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await page.getByLabel('New password').fill('Another-1-fjord');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page).toHaveURL(/client-dashboard$/);
});
