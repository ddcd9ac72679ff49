/** The keyboard goes into each dialog of the records and of the portal, and after Escape back to what opened it. */
import type { Page } from '@playwright/test';
import { openAdmin, signIn } from '../support/admin-session.ts';
import { expect, test } from '../support/e2e.ts';
import { newClient } from '../support/site-clients.ts';

/** Opens each by Enter and leaves it by Escape. */
async function walk(page: Page, path: string, openers: readonly (string | RegExp)[]): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const name of openers) {
    const opener = page.getByRole('main').getByRole('button', { name, exact: true });
    await opener.press('Enter');
    const opened = page.locator('[role=dialog], [role=alertdialog], [role=menu]');
    await expect(opened, `${path}: ${name}`).toHaveCount(1);
    await expect
      .poll(() => opened.evaluate((element) => element.contains(document.activeElement)), `${path}: ${name}`)
      .toBe(true);
    await page.keyboard.press('Escape');
    await expect(opened, `${path}: ${name}`).toHaveCount(0);
    await expect(opener, `${path}: ${name}`).toBeFocused();
  }
}

test('Of a lead, a person, a release, a conversation, a post and a client in the admin area', async ({
  page,
  site,
}) => {
  const idIn = async (table: string, row: object) =>
    (await site.service.from(table).insert(row).select('id').single().throwOnError()).data.id;
  const lead = await idIn('leads', { source: 'contact', email: 'kari@example.com' });
  const release = await idIn('releases', { name: 'Spring' });
  const chat = await idIn('conversations', {});
  await site.service
    .from('chat_messages')
    .insert({ conversation_id: chat, role: 'user', content: 'Hello' })
    .throwOnError();
  const post = await idIn('posts', { title: 'Ferries', slug: 'ferries-walk', content: 'They sail.' });
  const { id, member } = await newClient(site, 'Fjell AS');
  await openAdmin(page, site, '/admin');
  await walk(page, `/admin/leads/${lead}`, ['Delete lead']);
  await walk(page, `/admin/people/${member.id}`, ['Revoke access', 'Reset factors', 'Delete person']);
  await walk(page, `/admin/releases/${release}`, ['Rename…', 'Delete']);
  await walk(page, `/admin/conversations/${chat}`, ['Delete']);
  await walk(page, `/admin/posts/${post}/edit`, ['Preview link', 'History', 'Delete in a release…']);
  await walk(page, '/admin/settings', ['History']);
  await walk(page, `/admin/clients/${id}`, ['See what Fjell AS sees', 'Edit']);
});

test('Of the rooms of a client for who works for it', async ({ page, site }) => {
  const { id, worker } = await newClient(site, 'Fjell AS');
  await signIn(page, site, worker);
  await walk(page, `/team-dashboard/clients/${id}`, [
    'Add a campaign for Fjell AS',
    'Edit Fjell AS in spring',
    'Add a meeting of Fjell AS',
    'Ask Fjell AS for approval',
    'Add a source of events for Fjell AS',
  ]);
});

test('Of one’s account', async ({ page, site }) => {
  await signIn(page, site, await site.createUser({ role: 'client' }));
  await walk(page, '/account', ['Add an authenticator app', 'Delete my account']);
});
