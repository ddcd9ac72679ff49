import type { Page } from '@playwright/test';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, test, waitUntilHydrated } from '../support/e2e.ts';

// The browser logs the error responses that these tests cause.
test.use({ allowedProblems: [/status of (4\d\d|503)/] });

async function submit(page: Page, email: string, password: string) {
  await (await waitUntilHydrated(page.getByRole('main').getByLabel('Email'))).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.locator('main form button[type=submit]').click();
}

/** Consecutive messages differ, so that a toast cannot be mistaken for the next one. */
const RULES = [
  ['unknown', 'Password-1', 'Invalid email address'],
  [`${'a'.repeat(250)}@example.com`, 'Password-1', 'Email must be less than 255 characters'],
  ['unknown', 'short-1', 'Invalid email address'],
  // Our own message is shown even below the native minimum length.
  ['a@example.com', 'Ab1', 'Password must be at least 8 characters'],
  ['a@example.com', `Aa1${'x'.repeat(126)}`, 'Password must be less than 128 characters'],
  ['a@example.com', 'password-1', 'Password must contain at least one uppercase letter'],
  ['a@example.com', 'PASSWORD-1', 'Password must contain at least one lowercase letter'],
  ['a@example.com', 'Password-x', 'Password must contain at least one number'],
] as const;

test('The sign-up form reports the first invalid field and the errors of the server', async ({ page, site }) => {
  await page.goto('/auth');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('minlength', '6');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByLabel('Client')).toBeChecked();
  await expect(page.getByText('need admin approval')).toHaveCount(0);
  await page.getByLabel('Team Member').check();
  await expect(page.getByText('need admin approval')).toBeVisible();
  await expect(page.getByRole('link', { name: 'How we treat your data' })).toHaveAttribute('href', '/privacy');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
  await page.getByRole('button', { name: 'Sign up' }).click();

  for (const [email, password, message] of RULES) {
    await test.step(`${email.slice(0, 20)}, ${password.slice(0, 12)}: ${message}`, async () => {
      await submit(page, email, password);
      const toast = page.locator('[data-sonner-toast][data-front=true]');
      await expect(toast).toContainText(message);
      await expect(toast).toContainText('Validation error');
      await expect(page.getByRole('main').getByLabel('Email')).toHaveValue(email);
    });
  }

  const { email } = await site.createUser({ role: 'client' });
  await submit(page, email, 'Password-1');
  const toast = page.locator('[data-sonner-toast][data-front=true]');
  await expect(toast).toContainText('User already registered');
  await expect(toast).toContainText('Sign up failed');
  const emailField = page.getByRole('main').getByLabel('Email');
  await expect(emailField).toBeFocused();
  await expect(emailField).toHaveAccessibleDescription(/^User already registered/);
});

test('Password rules are ticked and announced while the user types a new password', async ({ page }) => {
  await page.goto('/auth?screen=sign-up');
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toHaveAccessibleDescription(/^8 to 128 characters.*An uppercase letter/);
  await (await waitUntilHydrated(password)).fill('Ab1');
  const ticks = page.locator('main form svg.lucide-circle-check');
  await expect(ticks).toHaveCount(3);
  await expect(page.getByText('3 of 4 password rules met')).toHaveRole('status');
  await password.fill('Password-1');
  await expect(ticks).toHaveCount(4);
});

test('A wrong password shows the error of the server, and the input is kept', async ({ page, site }) => {
  const { email } = await site.createUser({ role: 'client' });
  await page.goto('/auth');
  await submit(page, email, 'Wrong-pass-1');
  const toast = page.locator('[data-sonner-toast]');
  await expect(toast).toContainText('Sign in failed');
  await expect(toast).toContainText('Invalid login credentials');
  await expect(page.getByRole('main').getByLabel('Email')).toHaveValue(email);
  // The toast closes. The error at the field remains until the user types.
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toBeFocused();
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await expect(password).toHaveAccessibleDescription(/^Wrong email or password/);
  await expectNoAxeViolations(page);
  await password.fill('Another-pass-1');
  await expect(password).not.toHaveAttribute('aria-invalid');
});

test('A sign-up with a role that cannot be assigned fails, and the user can still sign in', async ({ page }) => {
  const email = `half-${crypto.randomUUID()}@example.com`;
  const error = { code: '42501', message: 'Roles are not given today.', details: null, hint: null };
  await page.route('**/rest/v1/rpc/register_with_role', (route) => route.fulfill({ status: 403, json: error }));
  await page.goto('/auth?screen=sign-up');
  await submit(page, email, 'Password-1');
  const toast = page.locator('[data-sonner-toast]');
  await expect(toast).toContainText('Sign up failed');
  await expect(toast).toContainText('Roles are not given today.');
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('sb-'))))
    .toEqual([]);

  await page.unroute('**/rest/v1/rpc/register_with_role');
  await page.locator('main form button[type=submit]').click();
  await expect(toast.first()).toContainText('User already registered');
  await page.getByRole('button', { name: 'Sign in instead' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
  await submit(page, email, 'Password-1');
  await expect(page).toHaveURL('/client-dashboard');
});

test('A typed email address is kept when another form of the sign-in page opens', async ({ page }) => {
  await page.goto('/auth');
  const emailField = page.getByRole('main').getByLabel('Email');
  await (await waitUntilHydrated(emailField)).fill('kari@example.com');
  for (const name of ['Email me a sign-in link', 'Back to sign in', 'Forgot password?', 'Back to sign in', 'Sign up']) {
    await page.getByRole('button', { name }).click();
    await expect(emailField).toHaveValue('kari@example.com');
  }
});

test('A network failure shows a generic error', async ({ page, site }) => {
  const { email, password } = await site.createUser({ role: 'client' });
  await page.goto('/auth');
  await page.getByRole('main').getByLabel('Email').fill(email);
  await page.route('**/auth/v1/token**', (route) => route.fulfill({ status: 503, body: 'down' }));
  await submit(page, email, password);
  await expect(page.locator('[data-sonner-toast]')).toContainText('An error occurred');
});

test('The code of the form is loaded only when a field is first touched', async ({ page }) => {
  await page.goto('/auth', { waitUntil: 'networkidle' });
  const listResources = () =>
    page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
  expect((await listResources()).filter((path) => /auth-code|schemas-|index\.esm/.test(path))).toEqual([]);
  const field = await waitUntilHydrated(page.getByRole('main').getByLabel('Email'));
  const code = page.waitForResponse(/\/assets\/auth-code-.*\.js$/);
  await field.focus();
  await code;
});

test('Values that the browser autofills can sign in without touching a field', async ({ page, site }) => {
  const { email, password } = await site.createUser({ role: 'client' });
  await page.goto('/auth');
  const form = page.locator('main form');
  await expect(form).toBeVisible();
  await form.evaluate(
    (form, values) => {
      for (const [name, value] of Object.entries(values))
        form.querySelector<HTMLInputElement>(`[name="${name}"]`)?.setAttribute('value', value);
    },
    { email, password },
  );
  await form.locator('button[type=submit]').click();
  await expect(page).toHaveURL('/client-dashboard');
});

test.describe('A form whose code fails to load', () => {
  test.use({ allowedProblems: [/ERR_FAILED/] });

  test('shows an error and keeps the input', async ({ page }) => {
    await page.route('**/assets/auth-code-*.js', (route) => route.abort());
    await page.goto('/auth');
    await submit(page, 'kari@example.com', 'Password-1');
    const toast = page.locator('[data-sonner-toast]').first();
    await expect(toast).toContainText('An error occurred');
    await expect(toast).toContainText('Please try again later.');
    await expect(page.getByRole('main').getByLabel('Email')).toHaveValue('kari@example.com');
  });
});

test('Each sign-in form marks a field with an error as invalid until the user types', async ({ page }) => {
  const reply = { status: 429, json: { code: 429, error_code: 'over_request_rate_limit', msg: 'Too many for now.' } };
  await page.route(/\/auth\/v1\/(token|signup|recover|otp)/, (route) => route.fulfill(reply));
  const email = page.getByRole('main').getByLabel('Email');
  const password = page.getByLabel('Password', { exact: true });
  const submitButton = page.locator('main form button[type=submit]');
  const heading = page.getByRole('heading', { level: 1 });
  for (const [buttons, field, hasPassword] of [
    [[], password, true],
    [['Sign up'], email, true],
    [['Forgot password?'], email, false],
    [['Email me a sign-in link'], email, false],
  ] as const) {
    await page.goto('/auth');
    for (const name of buttons) {
      await page.getByRole('button', { name }).click();
      await expect(heading).not.toHaveText('Sign in');
    }
    await expect(password).toHaveCount(hasPassword ? 1 : 0);
    await email.fill('kari@example.com');
    if (hasPassword) await password.fill('Password-1');
    await submitButton.click();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toBeFocused();
    await expect(field).toHaveAccessibleDescription(/^Too many for now\./);
    await field.press('End');
    await field.pressSequentially('x');
    await expect(field).not.toHaveAttribute('aria-invalid');
  }
});

test('The sign-in screens pass axe and fit on 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of ['/auth', '/auth?screen=sign-up', '/auth/reset-password']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNoAxeViolations(page);
    await expectNoHorizontalScroll(page);
  }
});
