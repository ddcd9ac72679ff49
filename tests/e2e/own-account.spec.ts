import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { TOTP } from 'otpauth';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { signIn } from '../support/admin-session.ts';
import { ADMIN, expect, expectNoAxeViolations, type Site, test } from '../support/e2e.ts';
import { readNewestMail } from '../support/outbox.ts';

// The browser logs the error responses that these tests cause.
test.use({ allowedProblems: [/the server responded with a status of 4/] });

/** Opens the account page with the session of a client. */
async function openWithSession(page: Page, site: Site, client: SupabaseClient): Promise<void> {
  const { data } = await client.auth.getSession();
  await page.goto('/robots.txt');
  const key = `sb-${new URL(site.url).hostname.split('.')[0]}-auth-token`;
  await page.evaluate(([name, value]) => localStorage.setItem(name, value), [
    key,
    JSON.stringify(data.session),
  ] as const);
  await page.goto('/account');
}

async function accountExists(site: Site, id: string): Promise<boolean> {
  const { data } = await site.service.auth.admin.getUserById(id);
  return data.user !== null;
}

test('A user can download their own data', async ({ page, site }) => {
  const user = await site.createUser({ role: 'client' });
  await signIn(page, site, user);
  await page.goto('/account');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('my-data.json');
  const data = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(data).toMatchObject({ account: { id: user.id, email: user.email }, role: { role: 'client' } });
});

test('The account page has two columns on wide screens and one on phones', async ({ page, site }) => {
  await signIn(page, site, await site.createUser({ role: 'client' }));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/account');
  const readLeft = async (name: string) =>
    (await page.getByRole('heading', { name, exact: true }).boundingBox())?.x ?? 0;
  await expect.poll(async () => (await readLeft('Second factor')) - (await readLeft('Name'))).toBeGreaterThan(400);
  await expect.poll(async () => (await readLeft('Your data')) - (await readLeft('Name'))).toBe(0);
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(async () => (await readLeft('Second factor')) - (await readLeft('Name'))).toBe(0);
  await expect(page.getByText('New email', { exact: true })).toBeVisible();
});

test('Deleting an account requires its password', async ({ page, site, browser }) => {
  const [user, otherUser] = [await site.createUser({ role: 'client' }), await site.createUser({ role: 'client' })];
  await site.service.auth.admin.updateUserById(otherUser.id, { password: 'Another-Password-2' });
  const otherPage = await (await browser.newContext({ baseURL: site.url })).newPage();
  await signIn(otherPage, site, user);
  await signIn(page, site, user);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(user.email);
  await expect(dialog.getByLabel('Your password')).toBeFocused();
  await dialog.getByLabel('Your password').fill('Another-Password-2');
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(dialog.getByText('This password is wrong.')).toBeVisible();
  expect(await accountExists(site, user.id)).toBe(true);
  await expectNoAxeViolations(page);

  await dialog.getByLabel('Your password').fill(user.password);
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByText('Account deleted')).toBeVisible();
  expect(await accountExists(site, user.id)).toBe(false);
  expect(await accountExists(site, otherUser.id)).toBe(true);
  await page.goto('/account');
  await expect(page).toHaveURL(/\/auth/);
  await otherPage.goto('/account');
  await expect(otherPage).toHaveURL(/\/auth/);
  await otherPage.context().close();
});

test('The password field of the deletion dialog has the focus, and closing returns it to the button', async ({
  page,
  site,
}) => {
  await signIn(page, site, await site.createUser({ role: 'client' }));
  const release = Promise.withResolvers<void>();
  await page.route('**/auth/v1/factors**', (route) => release.promise.then(() => route.continue()));
  await page.route('**/auth/v1/user', (route) => release.promise.then(() => route.continue()));
  await page.goto('/account');
  const opener = page.getByRole('button', { name: 'Delete my account' });
  await opener.click();
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('Loading...');
  release.resolve();
  await expect(page.getByRole('dialog').getByLabel('Your password')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
});

test('A user who signed in through an emailed link can delete the account with an emailed code', async ({
  page,
  site,
}) => {
  const user = await site.createUser({ role: 'client' });
  const options = { redirectTo: `${site.url}/auth` };
  const { data } = await site.service.auth.admin.generateLink({ type: 'magiclink', email: user.email, options });
  await page.goto(data.properties?.action_link ?? '');
  await expect(page).toHaveURL('/client-dashboard');
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Email me a code' }).click();
  await dialog.getByLabel('Code').fill('000000');
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(dialog.getByText('This code is wrong or has expired.')).toBeVisible();
  const code = /\b\d{6}\b(?=<\/p>)/.exec(await readNewestMail(site.dataFolder, user.email, /sign-in link/))?.[0] ?? '';
  await dialog.getByLabel('Code').fill(code);
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page).toHaveURL('/');
  expect(await accountExists(site, user.id)).toBe(false);
});

test('A user with an authenticator app can delete the account with its code instead of the password', async ({
  page,
  site,
}) => {
  const user = await site.createUser({ role: 'client' });
  const auth = { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() };
  const client = createClient(site.url, PUBLISHABLE_KEY, { auth });
  await client.auth.signInWithPassword(user);
  const { data: app } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
  if (app?.type !== 'totp') throw new Error('The app was not enrolled');
  const codes = new TOTP({ secret: app.totp.secret });
  const verification = await client.auth.mfa.challengeAndVerify({ factorId: app.id, code: codes.generate() });
  expect(verification.error).toBeNull();
  await openWithSession(page, site, client);

  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Code').fill('000000');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('This code is wrong')).toBeVisible();
  // A code is valid only once, so use the next code, which the server already accepts.
  await dialog.getByLabel('Code').fill(codes.generate({ timestamp: Date.now() + 30_000 }));
  await dialog.getByRole('button', { name: 'Continue' }).click();
  expect(await accountExists(site, user.id)).toBe(true);
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page).toHaveURL('/');
  expect(await accountExists(site, user.id)).toBe(false);
});

test('The last admin cannot be deleted and sees the reason', async ({ page, site }) => {
  await signIn(page, site, ADMIN);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(ADMIN.password);
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByText('You are the only admin. Make someone else an admin first.')).toBeVisible();
  await page.goto('/admin/dashboard');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
});
