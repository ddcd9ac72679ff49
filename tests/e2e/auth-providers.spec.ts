/** Sign-in with providers and wallets in a browser, and the sign-in methods of an account. */
import type { Page } from '@playwright/test';
import { newEthereumWallet } from '../../packages/backend/tests/support/wallets.ts';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, test, waitUntilHydrated } from '../support/e2e.ts';
import { startOpenIdProvider, type TestProvider } from '../support/openid-provider.ts';

let acme: TestProvider;

test.use({
  environment: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      acme = await startOpenIdProvider('acme', { showsContinueLink: true });
      await use({
        AUTH_MANUAL_LINKING: 'on',
        AUTH_WEB3_ETHEREUM: 'on',
        AUTH_PROVIDERS: JSON.stringify([
          acme.settings,
          { name: 'industries-of-the-far-north', issuer: 'https://id.example.com', client_id: 'x' },
          { name: 'github', client_id: 'unknown', client_secret: 'nothing' },
        ]),
      });
      await acme.close();
    },
    { scope: 'worker' },
  ],
  // The provider runs on another port on this machine. The browser logs the other messages.
  allowedProblems: [/^request to another host: http:\/\/127\.0\.0\.1:\d+\/|status of 4\d\d/],
});

const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;

async function continueWithAcme(page: Page) {
  await (await waitUntilHydrated(page.getByRole('button', { name: 'Continue with Acme' }))).click();
  await page.getByRole('link', { name: 'Continue' }).click();
}

test('A person who signs in with a provider becomes a client and keeps the same account', async ({ page }) => {
  const email = newEmail();
  acme.person = { sub: crypto.randomUUID(), email, email_verified: true, name: 'Ada Lovelace' };
  await page.goto('/auth');
  await continueWithAcme(page);
  await expect(page).toHaveURL(/\/client-dashboard#?$/);
  await expect(page.getByText(email)).toBeVisible();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/');
  // The provider still has a session and does not ask again.
  await page.goto('/auth?back=%2Faccount');
  await (await waitUntilHydrated(page.getByRole('button', { name: 'Continue with Acme' }))).click();
  await expect(page).toHaveURL(/\/account#?$/);
  await expect(page.getByText(`You are signed in as ${email}.`)).toBeVisible();
});

test('A user who selects Team Member waits for approval', async ({ page }) => {
  acme.person = { sub: crypto.randomUUID(), email: newEmail(), email_verified: true };
  await page.goto('/auth?screen=sign-up');
  await page.getByLabel('Team Member').check();
  await continueWithAcme(page);
  await expect(page).toHaveURL(/\/pending-approval#?$/);
  await expect(page.getByRole('heading', { name: 'Registration Pending' })).toBeVisible();
});

test('A user who declines at the provider sees the message once', async ({ page }) => {
  acme.person = null;
  await page.goto('/auth');
  await continueWithAcme(page);
  await expect(page.getByRole('alert')).toContainText('Sign in failed. The user declined');
  await expectNoAxeViolations(page);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('A user can sign in with a wallet, which is offered only if the browser has one', async ({ page }) => {
  await page.goto('/auth');
  await expect(page.getByRole('button', { name: 'Continue with Acme' })).toBeVisible();
  await expect(page.getByRole('button', { name: /wallet/ })).toHaveCount(0);

  const wallet = newEthereumWallet();
  await page.exposeFunction('askWallet', wallet.request);
  await page.addInitScript(() => {
    const { askWallet } = window as unknown as { askWallet: (call: object) => Promise<unknown> };
    Object.assign(window, { ethereum: { request: (call: object) => askWallet(call) } });
  });
  await page.goto('/auth');
  await (await waitUntilHydrated(page.getByRole('button', { name: 'Continue with an Ethereum wallet' }))).click();
  await expect(page).toHaveURL('/client-dashboard');
  await page.goto('/account');
  await expect(page.getByText('You are signed in.', { exact: true })).toBeVisible();
  await expect(page.getByText(wallet.address)).toBeVisible();
});

test('A provider can be linked to the account, listed, and unlinked', async ({ page, site }) => {
  const { email, password } = await site.createUser({ role: 'client' });
  acme.person = { sub: crypto.randomUUID(), email: newEmail(), email_verified: true };
  await page.goto('/auth?back=%2Faccount');
  await (await waitUntilHydrated(page.getByRole('main').getByLabel('Email'))).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.locator('main form button[type=submit]').click();
  const section = page.getByRole('region', { name: 'Sign-in methods' });
  await expect(section.getByRole('listitem')).toHaveCount(1);
  await expect(section.getByRole('button', { name: /^Unlink/ })).toHaveCount(0);

  await section.getByRole('button', { name: 'Link Acme', exact: true }).click();
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(section.getByRole('listitem')).toHaveText([/Email and password/, /Acme.*person-/]);
  await expect(section.getByRole('button', { name: 'Link Acme', exact: true })).toHaveCount(0);
  await expectNoAxeViolations(page);

  await section.getByRole('button', { name: 'Unlink Acme' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Unlink Acme?' });
  await dialog.getByRole('button', { name: 'Unlink' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(section.getByRole('listitem')).toHaveCount(1);

  // Without a session at the provider, the user is asked again.
  await page.context().clearCookies();
  acme.person = null;
  await section.getByRole('button', { name: 'Link Acme', exact: true }).click();
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(section.getByRole('alert')).toContainText('Could not link the provider. The user declined');
  await expect(page.getByText(`You are signed in as ${email}.`)).toBeVisible();
});

test('The sign-in page with providers passes axe, fits on 320 px and loads without layout shift', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value } = entry as unknown as { value: number };
        Object.assign(window, { shift: ((window as { shift?: number }).shift ?? 0) + value });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const path of ['/auth', '/auth?screen=sign-up']) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Continue with GitHub' })).toBeVisible();
    await expectNoAxeViolations(page);
    await expectNoHorizontalScroll(page);
    expect(await page.evaluate(() => (window as { shift?: number }).shift ?? 0)).toBeLessThan(0.1);
  }
});
