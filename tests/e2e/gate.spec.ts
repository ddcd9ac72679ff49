import { createClient } from '@supabase/supabase-js';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { openAdmin, signIn } from '../support/admin-session.ts';
import { expectListed, recordScreens } from '../support/api-calls.ts';
import { expect, expectNoAxeViolations, setGateCookie, test, waitUntilHydrated } from '../support/e2e.ts';
import { openMailedLink, readNewestMail } from '../support/outbox.ts';

test.use({ environment: { PREVIEW_GATE: 'on', PREVIEW_PASSCODE: 'northern lights' } });

const GRANT_KEY = 'preview-access';
const THIRTY_DAYS_MS = 30 * 24 * 60 * 60 * 1000;

test('The HTML of every page contains the gate and no content of the page', async ({ request }) => {
  for (const path of ['/', '/about', '/services', '/client-dashboard']) {
    const response = await request.get(path);
    const html = await response.text();
    expect(html).toContain('Under Development');
    expect(html).toContain('Private preview — team access only.');
    expect(html).toContain('<meta name="robots" content="noindex"');
    expect(html).not.toContain('Stay Connected');
    expect(html).not.toContain('northern lights');
    expect(html).not.toMatch(/"page_content"|"site_settings"/);
  }
});

test('The gate makes no API calls on any page', async ({ page }) => {
  expectListed({
    gate: await recordScreens(page, ['/', '/news', '/auth', '/client-dashboard', '/admin/dashboard', '/chat-embed']),
  });
});

test('The gate passes axe, and a wrong passcode is cleared and shows an error until the user types', async ({
  page,
}) => {
  await page.addInitScript((key) => localStorage.setItem(key, '{broken'), GRANT_KEY);
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Toggle theme' })).toBeVisible();
  await expect(page.getByPlaceholder('Enter passcode')).toHaveAttribute('type', 'password');
  await expect(page.getByRole('button', { name: 'Enter site' })).toBeDisabled();
  await expect(page.getByText('Something amazing is being built')).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expectNoAxeViolations(page);
  const passcode = await waitUntilHydrated(page.getByPlaceholder('Enter passcode'));
  // A stored text that is not a grant is removed.
  await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), GRANT_KEY)).toBeNull();
  await passcode.fill('southern lights');
  await page.getByRole('button', { name: 'Enter site' }).click();
  await expect(page.getByText('Incorrect passcode. Please try again.')).toBeVisible();
  await expect(passcode).toHaveValue('');
  await expect(passcode).toBeFocused();
  await expect(page.getByRole('button', { name: 'Enter site' })).toBeDisabled();
  await passcode.pressSequentially('n');
  await expect(page.getByText('Incorrect passcode. Please try again.')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Enter site' })).toBeEnabled();
  expect(await page.evaluate((key) => localStorage.getItem(key), GRANT_KEY)).toBeNull();
});

test('The right passcode opens the requested page, for 30 days', async ({ page }) => {
  await page.goto('/auth');
  const passcode = await waitUntilHydrated(page.getByPlaceholder('Enter passcode'));
  await passcode.fill('northern lights');
  const before = Date.now();
  await passcode.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(page).toHaveURL('/auth');
  const grant = JSON.parse((await page.evaluate((key) => localStorage.getItem(key), GRANT_KEY)) ?? 'null');
  expect(grant.granted).toBe(true);
  expect(grant.version).toMatch(/^\S{12}$/);
  expect(grant.expiry).toBeGreaterThanOrEqual(before + THIRTY_DAYS_MS);
  expect(grant.expiry).toBeLessThanOrEqual(Date.now() + THIRTY_DAYS_MS);

  await page.reload();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
});

test('The focus moves to the heading after a passcode is entered, but not if the gate opens automatically', async ({
  page,
}) => {
  await page.goto('/about');
  const passcode = await waitUntilHydrated(page.getByPlaceholder('Enter passcode'));
  await passcode.fill('northern lights');
  await passcode.press('Enter');
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByText('Under Development')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(page.locator('body')).toBeFocused();
});

test('The button shows that verification is in progress for at least 300 ms', async ({ page }) => {
  await page.clock.install({ time: 0 });
  await page.goto('/');
  await (await waitUntilHydrated(page.getByPlaceholder('Enter passcode'))).fill('x');
  await page.clock.pauseAt(3_600_000);
  await page.getByRole('button', { name: 'Enter site' }).click();
  const verifying = page.getByRole('button', { name: 'Verifying...' });
  await expect(verifying).toBeDisabled();
  // The label must stay legible while the button is busy.
  await expect(verifying).toHaveCSS('opacity', '1');
  await page.clock.runFor(299);
  await expect(verifying).toBeDisabled();
  await page.clock.resume();
  await expect(page.getByText('Incorrect passcode. Please try again.')).toBeVisible();
});

test('A valid stored grant opens the site', async ({ page }) => {
  await setGateCookie(page);
  await page.goto('/');
  await expect(page.getByRole('contentinfo').getByText('Stay Connected')).toBeVisible();
});

test('A stored grant that is expired, forged or for an earlier passcode does not open the site', async ({ page }) => {
  await page.goto('/robots.txt');
  for (const stored of [
    { granted: true, expiry: 1 },
    { granted: false, expiry: 4_000_000_000_000 },
    { granted: true, expiry: 4_000_000_000_000, version: 'earlier' },
  ]) {
    await page.evaluate(([key, text]) => localStorage.setItem(key, text), [GRANT_KEY, JSON.stringify(stored)] as const);
    await page.goto('/');
    await expect(page.getByPlaceholder('Enter passcode')).toBeVisible();
    await expect(page.getByRole('contentinfo').getByText('Stay Connected')).toHaveCount(0);
  }
});

test.describe('For users without the passcode,', () => {
  // The API rejects wrong tokens and ended sessions.
  test.use({ allowedProblems: [/status of (400|401|403|404)/] });

  test('a valid session opens the gate, and an ended one does not', async ({ page, site }) => {
    const client = await site.createUser({ role: 'client' });
    await signIn(page, site, client);
    await page.goto('/client-dashboard');
    await expect(page.getByText(client.email)).toBeVisible();
    await page.evaluate(() => localStorage.clear());

    await signIn(page, site, client);
    const otherClient = createClient(site.url, PUBLISHABLE_KEY);
    await otherClient.auth.signInWithPassword(client);
    expect((await otherClient.auth.signOut({ scope: 'global' })).error).toBeNull();
    await page.goto('/');
    await expect(page.getByPlaceholder('Enter passcode')).toBeVisible();
  });

  test('an emailed sign-in link opens the dashboard and then the whole site', async ({ page, site }) => {
    const { email } = await site.createUser({ role: 'client' });
    await createClient(site.url, PUBLISHABLE_KEY).auth.signInWithOtp({
      email,
      options: { shouldCreateUser: false, emailRedirectTo: `${site.url}/auth` },
    });
    await openMailedLink(page, await readNewestMail(site.dataFolder, email, /sign.?in/i));
    await expect(page).toHaveURL('/client-dashboard');
    await page.goto('/about');
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  });

  test('an emailed link to a protected page asks to sign in, and the same URL typed by hand shows the gate', async ({
    page,
    site,
  }) => {
    const { email, password } = await site.createUser({ role: 'client' });
    await page.goto('/account');
    await expect(page.getByPlaceholder('Enter passcode')).toBeVisible();
    await page.goto('/account?from=mail');
    await page.getByRole('main').getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.locator('main form button[type=submit]').click();
    await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
    await page.goto('/');
    await expect(page.getByRole('contentinfo').getByText('Stay Connected')).toBeVisible();
  });

  test('a forged token shows only its own page', async ({ page, request }) => {
    const path = `/booking/${'0'.repeat(64)}`;
    const html = await (await request.get(path)).text();
    expect(html).toContain('Under Development');
    expect(html).not.toContain('Stay Connected');
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
    await page.getByRole('link', { name: 'Signalfjord, home' }).click();
    await expect(page.getByPlaceholder('Enter passcode')).toBeVisible();
    await page.goto('/');
    await expect(page.getByPlaceholder('Enter passcode')).toBeVisible();
    expect(await page.evaluate((key) => localStorage.getItem(key), GRANT_KEY)).toBeNull();
  });

  test('an admin sees on the dashboard that the gate is on', async ({ page, site }) => {
    await openAdmin(page, site, '/admin/dashboard');
    await expect(page.getByRole('region', { name: 'Go live' }).getByText('Turn off the preview gate')).toBeVisible();
  });
});

test.describe('Without JavaScript,', () => {
  // Chromium logs an error for each preload that it blocks.
  test.use({ javaScriptEnabled: false, allowedProblems: [/ csp$/] });
  test('the site is not shown', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByText('Stay Connected')).toHaveCount(0);
  });
});
