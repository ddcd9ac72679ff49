/** Keyboard focus moves into each dialog of the admin area and the portal, and Escape returns it to the opener. */
import { globSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { openAdmin, signIn } from '../support/admin-session.ts';
import { DIALOGS } from '../support/dialogs.ts';
import { expect, test } from '../support/e2e.ts';
import { newClient } from '../support/site-clients.ts';

/** Opens each dialog with Enter and closes it with Escape. */
async function openAndTestDialogs(page: Page, path: string, openers: readonly (string | RegExp)[]): Promise<void> {
  await page.goto(path);
  await testDialogs(page, path, openers);
}

/** Opens a page through the sidebar and tests its dialogs. Loading the page by URL would take three times as long. */
async function openFromSidebarAndTestDialogs(page: Page, path: string, openers: readonly string[]): Promise<void> {
  await page.getByRole('navigation', { name: 'Admin' }).locator(`a[href="${path}"]`).click();
  await expect(page).toHaveURL(path);
  // Wait until the navigation has focused the heading, because that could take the focus from a dialog.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await testDialogs(page, path, openers);
}

async function testDialogs(page: Page, path: string, openers: readonly (string | RegExp)[]): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const name of openers) {
    const opener = page.getByRole('main').getByRole('button', { name, exact: true });
    await opener.press('Enter');
    const dialog = page.locator('[role=dialog], [role=alertdialog], [role=menu]');
    await expect(dialog, `${path}: ${name}`).toHaveCount(1);
    await expect
      .poll(() => dialog.evaluate((element) => element.contains(document.activeElement)), `${path}: ${name}`)
      .toBe(true);
    await page.keyboard.press('Escape');
    await expect(dialog, `${path}: ${name}`).toHaveCount(0);
    await expect(opener, `${path}: ${name}`).toBeFocused();
  }
}

test('Dialogs of a lead, a person, a release, a conversation, a post and a client return the focus', async ({
  page,
  site,
}) => {
  test.slow();
  const insertRow = async (table: string, row: object) =>
    (await site.service.from(table).insert(row).select('id').single().throwOnError()).data.id;
  const lead = await insertRow('leads', { source: 'contact', email: 'kari@example.com' });
  const release = await insertRow('releases', { name: 'Spring' });
  const chat = await insertRow('conversations', {});
  await site.service
    .from('chat_messages')
    .insert({ conversation_id: chat, role: 'user', content: 'Hello' })
    .throwOnError();
  const post = await insertRow('posts', { title: 'Ferries', slug: 'ferries-walk', content: 'They sail.' });
  const check = { question: 'What do you do?', must_name: ['sales'] };
  await site.service.from('assistant_checks').insert(check).throwOnError();
  const reader = { email: 'reader@example.com', confirmed_at: new Date().toISOString() };
  await site.service.from('newsletter_subscribers').insert(reader).throwOnError();
  const { email } = await site.createUser({ role: 'team', approved: false });
  const { id, member } = await newClient(site, 'Fjell AS');
  await openAdmin(page, site, '/admin');
  await openAndTestDialogs(page, `/admin/leads/${lead}`, ['Delete lead']);
  await openAndTestDialogs(page, `/admin/people/${member.id}`, [
    'Revoke access',
    'Reset second factors',
    'Delete person',
  ]);
  await openAndTestDialogs(page, `/admin/releases/${release}`, ['Rename…', 'Delete']);
  await openAndTestDialogs(page, `/admin/conversations/${chat}`, ['Delete']);
  await openAndTestDialogs(page, `/admin/posts/${post}/edit`, ['Preview link', 'History', 'Delete in a release…']);
  await openFromSidebarAndTestDialogs(page, '/admin/settings', ['History']);
  await openFromSidebarAndTestDialogs(page, '/admin/posts', ['Delete Ferries', 'More actions for Ferries']);
  await openFromSidebarAndTestDialogs(page, '/admin/dashboard', [`Reject ${email}`]);
  await openAndTestDialogs(page, '/admin/conversations/checks', ['Edit What do you do?', 'Delete What do you do?']);
  await openAndTestDialogs(page, '/admin/leads/subscribers', ['Delete reader@example.com']);
  await openAndTestDialogs(page, '/admin/leads/webhook', ['Create new secret']);
  await openFromSidebarAndTestDialogs(page, '/admin/people', ['Invite']);
  await openAndTestDialogs(page, '/admin/pages/home?tab=logo-banner', ['Add logo']);
  await openAndTestDialogs(page, `/admin/clients/${id}`, ['View as client: Fjell AS', 'Edit', 'Delete client']);
});

test("Dialogs of a client's pages return the focus for a team member", async ({ page, site }) => {
  const { id, teamMember } = await newClient(site, 'Fjell AS');
  await signIn(page, site, teamMember);
  const path = `/team-dashboard/clients/${id}`;
  await openAndTestDialogs(page, path, ['Add a campaign for Fjell AS', 'Actions for Fjell AS in spring']);
  await openAndTestDialogs(page, `${path}?tab=meetings`, ['Add a meeting for Fjell AS']);
  await openAndTestDialogs(page, `${path}?tab=approvals`, ['Ask for approval: Fjell AS']);
  await openAndTestDialogs(page, `${path}?tab=figures`, ['Add source for Fjell AS']);
});

test('Dialogs of the account page return the focus', async ({ page, site }) => {
  await signIn(page, site, await site.createUser({ role: 'client' }));
  await openAndTestDialogs(page, '/account', ['Add an authenticator app', 'Delete my account']);
});

/** Checks whether a file renders a dialog or a menu, by its imports. */
const DIALOG_IMPORT =
  /\/(dialog|confirm-dialog|form-dialog|document-dialog|dropdown-menu|sheet)\.tsx'|Dialog[^}]*\} from 'radix-ui'/;

test('Every file that renders a dialog or a menu is listed with the spec that opens it', () => {
  const dialogFiles = globSync('app/**/*.tsx', { exclude: ['app/ui/*.tsx', 'app/**/*.test.tsx'] }).filter((file) =>
    DIALOG_IMPORT.test(readFileSync(file, 'utf8')),
  );
  expect(dialogFiles.toSorted()).toEqual(Object.keys(DIALOGS).toSorted());
  for (const [file, [spec, text]] of Object.entries(DIALOGS)) {
    expect(readFileSync(`tests/e2e/${spec}.spec.ts`, 'utf8'), file).toContain(text);
  }
});
