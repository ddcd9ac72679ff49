import { openAdmin, signIn } from '../support/admin-session.ts';
import { expect, test } from '../support/e2e.ts';

test('Every screen of the sign-in pages has its own title', async ({ page }) => {
  await page.goto('/auth');
  await expect(page).toHaveTitle('Sign in · Signalfjord');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveTitle('Create an account · Signalfjord');
  await page.goto('/auth/reset-password');
  await expect(page).toHaveTitle('This link does not work · Signalfjord');
  await page.getByRole('link', { name: 'About' }).first().click();
  await expect(page).toHaveTitle('About · Signalfjord');
});

test('The account pages have titles', async ({ page, site }) => {
  await signIn(page, site, await site.createUser({ role: 'client' }));
  await page.goto('/client-dashboard');
  await expect(page).toHaveTitle('Client dashboard · Signalfjord');
  await page.goto('/account');
  await expect(page).toHaveTitle('Account · Signalfjord');
});

test('The titles of admin pages name the section and the edited item', async ({ page, site }) => {
  await openAdmin(page, site, '/admin');
  await expect(page).toHaveTitle('Dashboard · Admin · Signalfjord');
  await page.goto('/admin/posts');
  await expect(page).toHaveTitle('Blog Posts · Admin · Signalfjord');
  await page.getByRole('link', { name: 'The forty-message rule', exact: true }).click();
  await expect(page).toHaveTitle('Edit post: The forty-message rule · Admin · Signalfjord');
});

test.describe('An unknown URL', () => {
  // The browser logs the status of the page.
  test.use({ allowedProblems: [/status of 404/] });

  test('has the title of the 404 page', async ({ page }) => {
    await page.goto('/no-such-page');
    await expect(page).toHaveTitle('Page not found · Signalfjord');
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await expect(page).toHaveTitle(/^Signalfjord · /);
  });
});
