import { createServer, type Server } from 'node:http';
import type { Page } from '@playwright/test';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, type Site, test, type User } from '../support/e2e.ts';

test.use({
  environment: { AUTH_OAUTH_SERVER: 'on' },
  // The application is another host, and the browser logs the failure of the expired request.
  allowedProblems: [/request to another host: http:\/\/localhost|status of (400|404)/],
});

let application: Server;
let callbackUrl: string;
test.beforeAll(async () => {
  application = createServer((_request, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><title>Planner</title><link rel="icon" href="data:,">');
  });
  await new Promise<void>((listening) => application.listen(0, '127.0.0.1', listening));
  const address = application.address();
  callbackUrl = `http://localhost:${typeof address === 'object' ? address?.port : ''}/callback`;
});
test.afterAll(() => application.close());

/** Registers the application. @returns the path of its authorization request */
async function authorizePath(site: Site, { name = 'Planner', scope = 'openid email profile' } = {}): Promise<string> {
  const { data, error } = await site.service.auth.admin.oauth.createClient({
    client_name: name,
    redirect_uris: [callbackUrl],
    token_endpoint_auth_method: 'none',
  });
  if (error) throw error;
  const query = new URLSearchParams({
    client_id: data.client_id,
    redirect_uri: callbackUrl,
    response_type: 'code',
    scope,
    state: 'kept',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  });
  return `/auth/v1/oauth/authorize?${query}`;
}

async function signIn(page: Page, { email, password }: User): Promise<void> {
  await page.getByRole('main').getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.locator('main form button[type=submit]').click();
}

test('A user who has authorized an application is not asked again', async ({ page, site }) => {
  const user = await site.createUser({ role: 'client' });
  const start = await authorizePath(site);
  await page.goto(start);
  await expect(page).toHaveURL(/\/auth\?back=/);
  await expect(page.getByText('Sign in to continue to the application that sent you here.')).toBeVisible();
  await signIn(page, user);
  await expect(page.getByRole('heading', { name: 'Allow Planner to access your account?' })).toBeVisible();
  await expect(page.getByText('read your email address, your name and picture')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
  await expect(page.getByText(user.email)).toBeVisible();
  await page.getByRole('button', { name: 'Allow access' }).click();
  await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/callback\?code=[\w-]+&state=kept&iss=/);
  await page.goto(`${site.url}${start}`);
  await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/callback\?code=/);
});

test('Cancelling returns to the application with an error, and an expired request shows a message', async ({
  page,
  site,
}) => {
  await page.goto('/auth');
  await signIn(page, await site.createUser({ role: 'client' }));
  await expect(page).toHaveURL('/client-dashboard');
  await page.goto(await authorizePath(site));
  const cancel = page.getByRole('button', { name: 'Cancel' });
  await expect(cancel).toBeVisible();
  const consentUrl = page.url();
  await cancel.click();
  await expect(page).toHaveURL(/\/callback\?error=access_denied/);
  await page.goto(consentUrl);
  await expect(page.getByRole('alert')).toContainText('This request has expired');
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL('/');
});

test('The consent screen with a long name passes axe and fits a small screen in both themes', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/auth');
  await signIn(page, await site.createUser({ role: 'client' }));
  await expect(page).toHaveURL('/client-dashboard');
  await page.goto(await authorizePath(site, { name: 'Planner'.repeat(20), scope: 'email phone' }));
  await expect(page.getByRole('button', { name: 'Allow access' })).toBeVisible();
  await expectNoHorizontalScroll(page);
  await expectNoAxeViolations(page);
});
