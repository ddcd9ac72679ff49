import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { openAdmin, signedInClient, signIn } from '../support/admin-session.ts';
import { ADMIN, expect, expectNoAxeViolations, expectNoHorizontalScroll, type Site, test } from '../support/e2e.ts';
import { openMailedLink, readNewestMail } from '../support/outbox.ts';

async function openPerson(page: Page, site: Site, id: string): Promise<void> {
  await openAdmin(page, site, `/admin/people/${id}`);
  await expect(page.getByRole('heading', { name: 'Access' })).toBeVisible();
}

/** Clicks the button of an action and confirms the dialog that describes its effect. */
async function confirmAction(page: Page, label: string, effect: RegExp, confirm = label): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: label }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(effect);
  await dialog.getByRole('button', { name: confirm }).click();
}

async function readRole(site: Site, id: string) {
  const { data } = await site.service.from('user_roles').select('role, approved').eq('user_id', id).maybeSingle();
  return data;
}

test('The Team page links to the people list, whose URL contains search and role', async ({ page, site }) => {
  const team = await site.createUser({ role: 'team' });
  await site.createUser({ role: 'client' });
  await openAdmin(page, site, '/admin/dashboard');
  await page.getByRole('link', { name: 'Manage Users' }).click();
  await expect(page).toHaveURL('/admin/team');
  await page.getByRole('link', { name: 'Accounts and roles' }).click();
  await expect(page).toHaveURL('/admin/people');
  await expect(page.getByRole('heading', { name: 'People', level: 1 })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search by email or name' }).fill(team.email.toUpperCase());
  await expect(page.getByText('1 person')).toBeVisible();
  await expect(page.getByRole('row', { name: team.email })).toContainText('Team');
  await page.getByRole('combobox', { name: 'Filter by role' }).selectOption('Clients');
  await expect(page.getByText('No accounts found')).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/people\?q=.*standing=client/);
  await page.reload();
  await expect(page.getByText('No accounts found')).toBeVisible();
  await page.getByRole('combobox', { name: 'Filter by role' }).selectOption('Team');
  await page.getByRole('link', { name: team.email }).click();
  await expect(page.getByRole('heading', { name: team.email })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/standing=team/);
});

test('A pending user can be approved, revoked and restored, and the record lists each action', async ({
  page,
  site,
}) => {
  const person = await site.createUser({ role: 'team', approved: false });
  await openPerson(page, site, person.id);
  await confirmAction(page, 'Approve', /gets access to the team dashboard as soon as their address is confirmed/);
  await expect(page.getByText('Team member approved successfully')).toBeVisible();
  await expect(page.getByText('Has access to the team dashboard.')).toBeVisible();
  expect(await readRole(site, person.id)).toEqual({ role: 'team', approved: true });

  await confirmAction(page, 'Revoke access', /loses access to all dashboards/);
  await expect(page.getByText('Access revoked', { exact: true })).toBeVisible();
  expect(await readRole(site, person.id)).toBeNull();

  await confirmAction(page, 'Restore', /becomes pending again/);
  await expect(page.getByText('Asked to join the team. A decision is pending.')).toBeVisible();
  expect(await readRole(site, person.id)).toEqual({ role: 'team', approved: false });

  await confirmAction(page, 'Make client', /loses their pending registration/);
  await expect(page.getByText('Has access to the client portal.')).toBeVisible();

  await confirmAction(page, 'Make admin', /can see and change everything/);
  await expect(page.getByText('Can see and change everything in the admin area.')).toBeVisible();
  expect(await readRole(site, person.id)).toEqual({ role: 'admin', approved: true });
  expect(await readNewestMail(site.dataFolder, person.email, /is now an admin/)).toContain('/admin/people/');

  await page.getByRole('link', { name: 'Activity log of this account' }).click();
  await expect(page.getByRole('main').getByRole('listitem')).toContainText([
    `${ADMIN.email} made ${person.email} an admin`,
    `${ADMIN.email} made ${person.email} a client`,
    `${ADMIN.email} undid the decision about ${person.email}`,
    `${ADMIN.email} revoked the access of ${person.email}`,
    `${ADMIN.email} approved ${person.email} as a team member`,
  ]);
});

test('Ending sessions and resetting factors ask for confirmation', async ({ page, site, browser }) => {
  const person = await site.createUser({ role: 'client' });
  const otherContext = await browser.newContext({ baseURL: site.url });
  const otherPage = await otherContext.newPage();
  await signIn(otherPage, site, person);
  for (let index = 0; index < 2; index++) await signedInClient(site, person);
  await openPerson(page, site, person.id);
  // Sessions of the same program and address share a row.
  await expect(page.getByRole('listitem').filter({ hasText: 'last active' })).toHaveCount(2);
  await expect(page.getByRole('listitem').filter({ hasText: 'node' })).toContainText('2 sessions');
  await confirmAction(page, 'End all sessions', /signed out everywhere immediately/, 'End sessions');
  await expect(page.getByText('No active sessions.')).toBeVisible();
  await otherPage.goto('/client-dashboard');
  await expect(otherPage).toHaveURL(/\/auth/);
  await otherContext.close();
  await confirmAction(page, 'Reset second factors', /loses all second factors/);
  await expect(page.getByText('Second factors reset')).toBeVisible();
});

test("A person's data can be downloaded, and deleting a person deletes the chats that name them", async ({
  page,
  site,
}) => {
  const person = await site.createUser({ role: 'client' });
  const { data: chat } = await site.service.from('conversations').insert({}).select('id').single().throwOnError();
  const message = { conversation_id: chat.id, role: 'user', content: `I am ${person.email}` };
  await site.service.from('chat_messages').insert(message).throwOnError();
  await openPerson(page, site, person.id);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`data-of-${person.email}.json`);
  const data = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(data).toMatchObject({ account: { email: person.email }, chats: [{ id: chat.id }] });

  await page.getByRole('button', { name: 'Delete person' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('the chat containing their address');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await confirmAction(page, 'Delete person', /This cannot be undone/, 'Delete permanently');
  await expect(page).toHaveURL('/admin/people');
  await expect(page.getByText('Person deleted')).toBeVisible();
  expect((await site.service.from('conversations').select().eq('id', chat.id)).data).toEqual([]);
  await page.goto(`/admin/people/${person.id}`);
  await expect(page.getByText('Person not found')).toBeVisible();
  await page.goto('/admin/people/record');
  await expect(page.getByRole('main').getByRole('listitem').first()).toHaveText(
    new RegExp(`deleted account ${person.id.slice(0, 8)}`),
  );
});

test.describe('Actions that the database rejects', () => {
  test.use({ allowedProblems: [/the server responded with a status of 4/] });

  test('The reason for a rejected action is shown', async ({ page, site }) => {
    const person = await site.createUser({ role: 'client' });
    await openPerson(page, site, person.id);
    await site.service.auth.admin.deleteUser(person.id);
    await confirmAction(page, 'Revoke access', /keeps the account/);
    await expect(page.getByText('This account no longer exists.')).toBeVisible();
    await expect(page.getByText('Person not found')).toBeVisible();
  });

  test('Inviting an existing user shows an error and keeps the input', async ({ page, site }) => {
    const { email } = await site.createUser({ role: 'client' });
    await openAdmin(page, site, '/admin/people');
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    const message = 'This address already has an account. Find it in the list and change its role there.';
    await expect(page.getByText(message, { exact: true })).toBeVisible();
    await expect(dialog.getByLabel('Email')).toHaveValue(email);
  });
});

test('Admins manage their own account on the account page', async ({ page, site }) => {
  await openAdmin(page, site, `/admin/people?q=${ADMIN.email}`);
  await page.getByRole('link', { name: ADMIN.email }).click();
  await expect(page.getByText('This is your own account.')).toBeVisible();
  for (const label of ['Make client', 'End all sessions', 'Reset second factors', 'Delete person']) {
    await expect(page.getByRole('button', { name: label })).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'your account page' }).click();
  await expect(page).toHaveURL('/account');
});

test('An invited person follows the emailed link and gets access', async ({ page, site, browser }) => {
  const email = `guest-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await openAdmin(page, site, '/admin/people');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(dialog.getByText('Invalid email address')).toBeVisible();
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Role').selectOption('Team member');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('Invitation sent')).toBeVisible();
  await expect(page.getByRole('row', { name: email })).toContainText('Invited');

  const guestContext = await browser.newContext({ baseURL: site.url });
  const guest = await guestContext.newPage();
  await openMailedLink(guest, await readNewestMail(site.dataFolder, email, /invites you to the team/));
  await expect(guest).toHaveURL(/\/team-dashboard#?$/);
  await guestContext.close();
});

test('The people pages pass axe, fit on 320 px, and show cards on narrow screens', async ({ page, site }) => {
  const email = `${'very.long.'.repeat(6)}${crypto.randomUUID().slice(0, 8)}@example.com`;
  const person = await site.createUser({ role: 'team', approved: false, email });
  await openAdmin(page, site, '/admin/people');
  for (const path of ['/admin/people', `/admin/people/${person.id}`, '/admin/people/record']) {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    // admin-screens.spec.ts opens the other screens of this width.
    if (path.endsWith(person.id)) await expectNoAxeViolations(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoHorizontalScroll(page);
    await expectNoAxeViolations(page);
  }
  await page.goto('/admin/people');
  await expect(page.getByRole('table')).toHaveCount(0);
  await page.getByRole('link', { name: email }).click();
  await page.getByRole('button', { name: 'Delete person' }).click();
  await expect(page.getByRole('alertdialog')).toBeInViewport({ ratio: 1 });
  await expectNoAxeViolations(page);
});
