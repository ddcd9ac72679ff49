import type { Page } from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { signIn as startSession } from '../support/admin-session.ts';
import { ADMIN, expect, expectNoAxeViolations, expectNoHorizontalScroll, type Site, test } from '../support/e2e.ts';
import { extractLink, openMailedLink, readNewestMail } from '../support/outbox.ts';

async function signUp(page: Page, email: string, role: 'Client' | 'Team Member') {
  await page.goto('/auth?screen=sign-up');
  await page.getByRole('main').getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('Password-1');
  await page.getByLabel(role).check();
  await page.locator('main form button[type=submit]').click();
}

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto('/auth');
  await page.getByRole('main').getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.locator('main form button[type=submit]').click();
}

// The browser logs the error responses that these tests cause, and the page logs a failed role lookup.
test.use({ allowedProblems: [/status of (400|401|403|409|500)|The role lookup failed/] });

const newAddress = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@example.com`;

test('A client can sign up, reload without losing the session, and sign out to the home page', async ({ page }) => {
  const email = newAddress('client');
  await signUp(page, email, 'Client');
  await expect(page).toHaveURL('/client-dashboard');
  const toast = page.locator('[data-sonner-toast]');
  await expect(toast).toContainText('Account created!');
  await expect(toast).toContainText('Your account has been created successfully.');
  await expect(page.getByText(email)).toBeVisible();
  await expect(page.getByText('Client', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: 'View Projects' })).toHaveAttribute('href', '/projects');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/client-dashboard');
  await expect(page).toHaveURL('/auth');
});

test('A team member can open the dashboard after an admin approves the registration', async ({
  page,
  browser,
  site,
}) => {
  const email = newAddress('team');
  await signUp(page, email, 'Team Member');
  await expect(page.locator('[data-sonner-toast]')).toContainText('Registration submitted! Awaiting admin approval.');
  await expect(page).toHaveURL('/pending-approval');
  await expect(page.getByRole('heading', { name: 'Registration Pending' })).toBeVisible();
  await expect(page.getByText('1-2 business days')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
  await expect(page.getByRole('listitem').and(page.locator('[aria-current=step]'))).toContainText(
    'An admin reviews your registration',
  );
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' })).toBeVisible();
  await expect(page.getByText('Stay Connected')).toHaveCount(0);
  await expect(page.getByText(email)).toBeVisible();
  for (const path of ['/team-dashboard', '/client-dashboard', '/admin/dashboard', '/admin/posts']) {
    await page.goto(path);
    await expect(page).toHaveURL('/pending-approval');
  }

  const admin = await openAdmin(browser, site);
  const pending = admin.getByRole('region', { name: 'Pending team members' });
  const registration = pending.getByRole('listitem').filter({ hasText: email });
  await expect(registration).toContainText('Email not confirmed');
  await expect(registration).toContainText('someone else may have used their address');
  await expectNoAxeViolations(admin);
  await registration.getByRole('button', { name: `Approve ${email}` }).click();
  await expect(admin.getByText('Team member approved successfully')).toBeVisible();
  await expect(pending.getByText(email)).toHaveCount(0);
  await admin.context().close();

  await readNewestMail(site.dataFolder, email, /Your registration is approved\r?\n/);
  await expect(page).toHaveURL('/team-dashboard', { timeout: 30_000 });
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/');
  await signIn(page, { email, password: 'Password-1' });
  await expect(page).toHaveURL('/team-dashboard');
  const viewClients = page.getByRole('button', { name: 'View Clients' });
  await expect(viewClients).toHaveAccessibleDescription(/^An admin assigns clients to you\./);
  await expect(page.getByRole('link', { name: 'Write to us' })).toHaveAttribute('href', /^mailto:.+@/);
  await expect(page.getByText('Team Member', { exact: true })).toBeVisible();
});

test('Confirming the address by emailed link in the browser that signed up keeps the password', async ({
  page,
  site,
}) => {
  const email = newAddress('confirming');
  await signUp(page, email, 'Client');
  await expect(page).toHaveURL('/client-dashboard');
  await page.goto('/account');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByLabel('Code from the email')).toBeVisible();
  await expectNoAxeViolations(page);
  await openMailedLink(page, await readNewestMail(site.dataFolder, email, /sign.?in/i));
  await expect(page.getByText('Address confirmed')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Confirm your address' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign Out' }).first().click();
  await expect(page).toHaveURL('/');
  await signIn(page, { email, password: 'Password-1' });
  await expect(page).toHaveURL('/client-dashboard');
});

test('Confirming in another browser discards the sign-up data and asks for a new password', async ({
  page,
  browser,
  site,
}) => {
  const email = newAddress('owner');
  await signUp(page, email, 'Client');
  await expect(page).toHaveURL('/client-dashboard');
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Confirm your address' })).toBeVisible();
  await expectNoAxeViolations(page);

  const otherContext = await browser.newContext({ baseURL: site.url });
  const owner = await otherContext.newPage();
  await createClient(site.url, PUBLISHABLE_KEY).auth.resetPasswordForEmail(email, {
    redirectTo: `${site.url}/auth/reset-password`,
  });
  await openMailedLink(owner, await readNewestMail(site.dataFolder, email, /password/i));
  await expect(owner.getByText('removed these from the account: the password and open sessions.')).toBeVisible();
  await expectNoAxeViolations(owner);
  await owner.getByLabel('New password').fill('Chosen-password-1');
  await owner.getByRole('button', { name: 'Save password' }).click();
  await expect(owner).toHaveURL('/client-dashboard');
  await owner.goto('/account');
  await expect(owner.getByText('removed these from the account: the password and open sessions.')).toBeVisible();
  await expect(owner.getByRole('heading', { name: 'Confirm your address' })).toHaveCount(0);
  await otherContext.close();

  await page.goto('/client-dashboard');
  await expect(page).toHaveURL(/\/auth/);
  await signIn(page, { email, password: 'Chosen-password-1' });
  await expect(page).toHaveURL('/client-dashboard');
});

test('Entering the code in the browser that signed up confirms the address and keeps all sign-up data', async ({
  page,
  site,
}) => {
  const email = newAddress('typing');
  await signUp(page, email, 'Client');
  await expect(page).toHaveURL('/client-dashboard');
  await page.goto('/account');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  const code =
    /^\d{6}$/m.exec((await readNewestMail(site.dataFolder, email, /sign.?in/i)).replaceAll('\r', ''))?.[0] ?? '';
  await page.getByLabel('Code from the email').fill(code);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page.getByText('Address confirmed')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Confirm your address' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/');
  await signIn(page, { email, password: 'Password-1' });
  await expect(page).toHaveURL('/client-dashboard');
});

test('A user with a declined registration is notified and cannot open a dashboard', async ({ page, browser, site }) => {
  const email = newAddress('declined');
  await signUp(page, email, 'Team Member');
  await expect(page).toHaveURL('/pending-approval');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/');

  const admin = await openAdmin(browser, site);
  await admin.getByRole('button', { name: `Reject ${email}` }).click();
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Reject' }).click();
  await expect(admin.getByText('Team member rejected successfully')).toBeVisible();
  await admin.context().close();
  await readNewestMail(site.dataFolder, email, /declined/i);

  await signIn(page, { email, password: 'Password-1' });
  await expect(page.getByRole('heading', { name: 'Registration Declined' })).toBeVisible();
  await page.goto('/team-dashboard');
  await expect(page).toHaveURL('/pending-approval');
});

test('A rejection can be undone before the email is sent, and reverted later', async ({ page, browser, site }) => {
  const email = newAddress('regretted');
  await signUp(page, email, 'Team Member');
  await expect(page).toHaveURL('/pending-approval');

  const admin = await openAdmin(browser, site);
  const reject = admin.getByRole('button', { name: `Reject ${email}` });
  const dialog = admin.getByRole('alertdialog');
  await reject.click();
  await expect(dialog).toContainText(email);
  await expectNoAxeViolations(admin);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(reject).toBeFocused();

  await reject.click();
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await admin.getByRole('button', { name: 'Undo' }).click();
  await expect(admin.getByText('No email was sent.')).toBeVisible();
  await expect(reject).toBeVisible();
  const decision = admin.getByRole('region', { name: 'Decisions' }).getByRole('listitem').filter({ hasText: email });
  await expect(decision).toContainText(`Undone by ${ADMIN.email}`);

  await reject.click();
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(reject).toHaveCount(0);
  await expect(admin.getByRole('heading', { name: 'Pending tasks' })).toBeFocused();
  await readNewestMail(site.dataFolder, email, /About your registration/);
  await expect(decision).toHaveCount(2);
  await expectNoAxeViolations(admin);
  await admin.getByRole('button', { name: `Restore ${email}` }).click();
  await expect(admin.getByText('Rejection undone').first()).toBeVisible();
  await admin.getByRole('button', { name: `Approve ${email}` }).click();
  await expect(admin.getByText('Team member approved successfully')).toBeVisible();
  await admin.context().close();
  await page.goto('/team-dashboard');
  await expect(page.getByText('Team Member', { exact: true })).toBeVisible();
});

test('A forgotten password can be reset once through the emailed link', async ({ page, site }) => {
  const { email, password } = await site.createUser({ role: 'client' });
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByRole('main').getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('a message is on its way')).toBeVisible();

  const mail = await readNewestMail(site.dataFolder, email, /password/i);
  await openMailedLink(page, mail);
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await page.getByLabel('New password').fill('Another-2');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page).toHaveURL('/client-dashboard');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/');

  await openMailedLink(page, mail);
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible();

  await signIn(page, { email, password: 'Another-2' });
  await expect(page).toHaveURL('/client-dashboard');
  expect(password).not.toBe('Another-2');
});

test('An email scanner that opens a link does not use it up', async ({ page, site, request }) => {
  const { email } = await site.createUser({ role: 'client' });
  await createClient(site.url, PUBLISHABLE_KEY).auth.signInWithOtp({
    email,
    options: { shouldCreateUser: false, emailRedirectTo: `${site.url}/auth` },
  });
  const mail = await readNewestMail(site.dataFolder, email, /sign.?in/i);
  for (let attempt = 0; attempt < 2; attempt++) expect((await request.get(extractLink(mail))).status()).toBe(200);
  await page.goto(extractLink(mail));
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/client-dashboard');
  await page.goto('/auth/confirm?type=magiclink');
  await expect(page.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible();
});

test('An emailed link to a protected page opens that page after sign-in', async ({ page, site }) => {
  const { email, password } = await site.createUser({ role: 'client' });
  await page.goto('/account?from=mail');
  await expect(page.getByText('Sign in to open the page from our email.')).toBeVisible();
  await page.getByRole('main').getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.locator('main form button[type=submit]').click();
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign Out' }).first().click();
  await expect(page).toHaveURL('/');
  // Repeat with a sign-in link.
  await page.goto('/account?from=mail');
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click();
  await page.getByRole('main').getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await openMailedLink(page, await readNewestMail(site.dataFolder, email, /sign.?in link/i));
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
});

test('Each role is redirected to its own dashboard', async ({ page, site }) => {
  const client = await site.createUser({ role: 'client' });
  await signIn(page, client);
  await expect(page.locator('[data-sonner-toast]')).toContainText('You have been signed in successfully.');
  // Subpages of the dashboards. session.test.ts checks every role on every page.
  for (const path of ['/admin/posts', '/pending-approval']) {
    await page.goto(path);
    await expect(page).toHaveURL('/client-dashboard');
  }
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/');

  await signIn(page, await site.createUser({ role: 'team' }));
  await expect(page).toHaveURL('/team-dashboard');
  await page.goto('/client-dashboard');
  await expect(page).toHaveURL('/team-dashboard');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/');

  await signIn(page, ADMIN);
  await expect(page).toHaveURL('/admin/dashboard');
  for (const path of ['/admin-dashboard', '/admin']) {
    await page.goto(path);
    await expect(page).toHaveURL('/admin/dashboard');
  }
});

test('React hydrates server-rendered HTML even if hydration is delayed', async ({ page, site }) => {
  // React schedules its work with messages to itself, one per task.
  await page.addInitScript(() => {
    const send = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (...message) {
      setTimeout(() => Reflect.apply(send, this, message), 20);
    };
  });
  const paths = ['/client-dashboard', '/team-dashboard', '/pending-approval', '/account', '/admin/dashboard'];
  for (const path of paths) {
    await page.goto(path);
    await expect(page).toHaveURL('/auth');
    await expect(page.getByLabel('Email')).toBeVisible();
  }
  await signIn(page, await site.createUser({ role: 'client' }));
  await expect(page).toHaveURL('/client-dashboard');
  for (const path of ['/team-dashboard', '/admin/dashboard', '/auth']) {
    await page.goto(path);
    await expect(page).toHaveURL('/client-dashboard');
    await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  }
});

test('Signing out ends the session in every tab', async ({ context, site }) => {
  const first = await context.newPage();
  await startSession(first, site, await site.createUser({ role: 'client' }));
  await first.goto('/client-dashboard');
  const second = await context.newPage();
  await second.goto('/client-dashboard');
  await expect(second.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await first.getByRole('button', { name: 'Sign Out' }).click();
  await expect(first).toHaveURL('/');
  await expect(second).toHaveURL('/');
});

test('A user who was signed out on another device can sign in again and returns to the same page', async ({
  page,
  site,
}) => {
  const user = await site.createUser({ role: 'client' });
  await startSession(page, site, user);
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
  await endSessions(site, user);

  await page.reload();
  await expect(page).toHaveURL('/auth?back=%2Faccount');
  await expect(page.getByText('You were signed out')).toBeVisible();
  await page.getByRole('main').getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.locator('main form button[type=submit]').click();
  await expect(page).toHaveURL('/account');
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
});

test('An open page redirects to the sign-in page when its session is ended on another device', async ({
  page,
  site,
}) => {
  const user = await site.createUser({ role: 'team' });
  await startSession(page, site, user);
  await page.goto('/team-dashboard');
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await endSessions(site, user);
  // The page checks its session again when it becomes visible.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(page).toHaveURL('/auth?back=%2Fteam-dashboard');
  await expect(page.getByText('You were signed out')).toBeVisible();
});

test('A failed role lookup does not sign the user out', async ({ page, site }) => {
  await startSession(page, site, await site.createUser({ role: 'client' }));
  await page.route('**/rest/v1/user_roles**', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }));
  await page.goto('/client-dashboard');
  await expect(page.getByRole('heading', { name: 'Your role could not be loaded' })).toBeVisible();
  await page.unroute('**/rest/v1/user_roles**');
  await page.goto('/client-dashboard');
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
});

test('Signing out keeps the admin on the page until the session has ended', async ({ page, site }) => {
  await startSession(page, site, ADMIN);
  await page.goto('/admin/dashboard');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/auth/v1/logout**', async (route) => {
    await released;
    await route.continue();
  });
  const signOutButton = page.getByRole('navigation', { name: 'Admin' }).getByRole('button', { name: 'Sign Out' });
  await signOutButton.click();
  await expect(signOutButton).toBeDisabled();
  await expect(page).toHaveURL('/admin/dashboard');
  // The button is disabled after the click. The session ends after the code for unsaved changes has loaded.
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('sb-'))))
    .toEqual([]);
  await expect(page).toHaveURL('/admin/dashboard');
  release();
  await expect(page).toHaveURL('/');
  await page.goto('/admin/posts');
  await expect(page).toHaveURL('/auth');
});

test('A user who loses the role while signed in is redirected and can no longer read data', async ({ page, site }) => {
  const user = await site.createUser({ role: 'team' });
  await startSession(page, site, user);
  await page.goto('/team-dashboard');
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await site.service.from('user_roles').delete().eq('user_id', user.id).throwOnError();
  await page.goto('/team-dashboard');
  await expect(page.getByRole('heading', { name: 'No Access' })).toBeVisible();
});

test('A user can change name and password and end other sessions on the account page', async ({ page, site }) => {
  const user = await site.createUser({ role: 'client' });
  // Open a second session. Another test covers its pages.
  await createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } }).auth.signInWithPassword(user);
  await startSession(page, site, user);
  await page.goto('/client-dashboard');
  await page.getByRole('link', { name: 'Manage account' }).click();

  await page.getByRole('textbox', { name: 'Name' }).fill('Kari Nordmann');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.locator('[data-sonner-toast]').first()).toContainText('Name saved');

  await expect(page.getByText('This session')).toBeVisible();
  await expect(page.getByRole('button', { name: 'End session' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByRole('button', { name: 'End session' })).toHaveCount(0);

  await page.getByLabel('Current password').fill(user.password);
  await page.getByLabel('New password').fill('Changed-3');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome, Kari Nordmann' })).toBeVisible();
});

test('A wrong current password is reported at its field without clearing the form', async ({ page, site }) => {
  const user = await site.createUser({ role: 'client' });
  await startSession(page, site, user);
  await page.goto('/account');
  const currentPassword = page.getByLabel('Current password');
  const newPassword = page.getByLabel('New password');

  await newPassword.fill('Changed-3');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(currentPassword).toHaveAccessibleDescription('Current password is required');
  await currentPassword.fill('Mistaken-9');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(currentPassword).toHaveAccessibleDescription('The current password is incorrect');
  await expect(currentPassword).toBeFocused();
  await expect(currentPassword).toHaveValue('Mistaken-9');
  await expect(newPassword).toHaveValue('Changed-3');
  await expectNoAxeViolations(page);

  await currentPassword.fill(user.password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await expect(currentPassword).toHaveValue('');
});

test('A user who signed in with an emailed link is not asked for a current password for one day', async ({
  page,
  site,
}) => {
  const { email, password } = await site.createUser({ role: 'client' });
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click();
  await page.getByRole('main').getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await openMailedLink(page, await readNewestMail(site.dataFolder, email, /sign/i));
  await expect(page).toHaveURL('/client-dashboard');
  await page.goto('/account');
  await page.getByLabel('New password').fill('Changed-3');
  await expect(page.getByLabel('Current password')).toHaveCount(0);

  await page.route('**/auth/v1/user', (route) => {
    const body = { code: 'reauthentication_needed', message: 'Password update requires reauthentication' };
    const request = route.request();
    const lacksPassword = request.method() === 'PUT' && !request.postData()?.includes('current_password');
    const headers = { 'x-supabase-api-version': '2024-01-01' };
    return lacksPassword ? route.fulfill({ status: 400, headers, json: body }) : route.fallback();
  });
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByLabel('Current password')).toHaveAccessibleDescription(/You signed in a while ago/);
  await expect(page.getByLabel('New password')).toHaveValue('Changed-3');
  await page.getByLabel('Current password').fill(password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
});

test('A change of email requires confirmation from both mailboxes', async ({ page, site }) => {
  const user = await site.createUser({ role: 'client' });
  const newEmail = newAddress('moved');
  await startSession(page, site, user);
  await page.goto('/account');
  await page.getByLabel('New email').fill(newEmail);
  await page.getByRole('button', { name: 'Change email' }).click();
  await expect(page.locator('[data-sonner-toast]').first()).toContainText('Check both mailboxes');
  await openMailedLink(page, await readNewestMail(site.dataFolder, `To: ${user.email}`, /e-?mail/i));
  await expect(page.getByText(`You are signed in as ${user.email}`)).toBeVisible();
  await openMailedLink(page, await readNewestMail(site.dataFolder, `To: ${newEmail}`, /e-?mail/i));
  await expect(page.getByText(`You are signed in as ${newEmail}`)).toBeVisible();
});

test('The dashboards pass axe and fit on 320 px, and a printed report has no controls', async ({ page, site }) => {
  const client = await site.createUser({ role: 'client' });
  await page.setViewportSize({ width: 320, height: 700 });
  await startSession(page, site, client);
  await page.goto('/client-dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);
  await page.getByRole('link', { name: 'Manage account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);
  await page.getByRole('link', { name: 'Back to the dashboard' }).click();
  await page.getByRole('link', { name: 'Generate Report' }).click();
  await expect(page.getByRole('heading', { name: 'Account report' })).toBeVisible();
  await expect(page.getByRole('article')).toContainText(client.email);
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('navigation').first()).toBeHidden();
  await expect(page.getByRole('article')).toBeVisible();
});

/** Ends every session of the account, as 'Sign out everywhere else' on another device does. */
async function endSessions(site: Site, { email, password }: { email: string; password: string }) {
  const otherClient = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
  await otherClient.auth.signInWithPassword({ email, password });
  const { error } = await otherClient.auth.signOut({ scope: 'global' });
  if (error) throw error;
}

async function openAdmin(browser: import('@playwright/test').Browser, site: Site): Promise<Page> {
  const context = await browser.newContext({ baseURL: site.url, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await startSession(page, site, ADMIN);
  await page.goto('/admin/dashboard');
  return page;
}
