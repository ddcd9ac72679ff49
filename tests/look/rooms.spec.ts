import type { Page } from '@playwright/test';
import { openAdmin, signedInClient, signIn } from '../support/admin-session.ts';
import { findFreeTimes, saveAvailability } from '../support/booking.ts';
import { findChat } from '../support/chat.ts';
import { expect, type Site, test, waitUntilHydrated } from '../support/e2e.ts';
import { readNewestMail } from '../support/outbox.ts';
import { ADMIN } from '../support/site-template.ts';
import { captureFullPage, captureScreens, captureViewport } from './looks.ts';

test.beforeEach(() => test.setTimeout(1_800_000));

test('takes screenshots of the sample client as its approver, its team and an admin', async ({ page, site }) => {
  const { id, approver, teamMember } = await sampleClient(site);
  await signIn(page, site, approver);
  await page.goto('/client-dashboard');
  await captureTabs(page, 'sample-portal');
  await captureScreens(page, ['/client-dashboard/report', '/account'], 'sample-');
  await signIn(page, site, teamMember);
  await captureScreens(page, ['/team-dashboard'], 'sample-');
  await page.goto(`/team-dashboard/clients/${id}`);
  await captureTabs(page, 'sample-team-client');
  await openAdmin(page, site, `/admin/clients/${id}`);
  await captureTabs(page, 'sample-admin-client');
  await captureScreens(page, ['/admin/clients', '/admin/dashboard', `/admin/people/${approver.id}`], 'sample-');
});

test('takes screenshots of the pages behind links of emails', async ({ page, site }) => {
  const { id, approver, teamMember } = await sampleClient(site);
  const team = await signedInClient(site, teamMember);
  const text = 'Hi {{first_name}},\n\nyou run three bakeries in Bergen. Who writes to new hotels?\n\nBest,\nAda';
  await team.rpc('ask_for_approval', { _client_id: id, _title: 'First mail, week 48', _text: text }).throwOnError();
  await team.rpc('add_client_lead', { _client_id: id, _name: 'Kari Moe' }).throwOnError();
  await saveAvailability(site.service);
  const [starts_at] = await findFreeTimes(site.service, 1);
  await site.service.rpc('book', { _starts_at: starts_at, _name: 'Ola Dal', _email: 'ola@example.com' }).throwOnError();
  for (const [name, address, subject, link] of [
    ['approve', approver.email, /Please approve: First mail/, /\/approve\/[0-9a-f]{64}/],
    ['lead', approver.email, /New lead: Kari Moe/, /\/lead\/[0-9a-f]{64}/],
    ['booking', 'ola@example.com', /./, /\/booking\/[0-9a-f]{64}/],
  ] as const) {
    const mail = await readNewestMail(site.dataFolder, address, subject);
    await page.goto(link.exec(mail)?.[0] ?? '');
    await captureFullPage(page, `link-${name}`);
  }
});

test('takes screenshots of the chat', async ({ page, site }) => {
  const settings = site.service.from('site_settings');
  await settings.insert({ setting_key: 'leads_from_chat', setting_value: 'on' }).throwOnError();
  await saveAvailability(site.service);
  const chat = findChat(page);
  await page.goto('/services');
  await chat.open();
  await captureViewport(page, 'chat-empty');
  await chat.ask('What do you offer?');
  await expect(chat.typing).toHaveCount(0);
  await chat.ask('Can I book a call next week?');
  await expect(chat.window.getByRole('group', { name: /Free times/ })).toBeVisible();
  await captureViewport(page, 'chat-times');
  await chat.window
    .getByRole('group', { name: /Free times/ })
    .getByRole('button')
    .first()
    .click();
  await captureViewport(page, 'chat-form');
  await page.goto('/chat-embed');
  const input = await waitUntilHydrated(page.getByLabel('Write to the assistant'));
  await input.fill('What do you offer?');
  await input.press('Enter');
  await expect(page.getByRole('log')).toContainText('Services');
  await captureViewport(page, 'chat-embed-answer');
});

test('takes screenshots of the forms of the front door', async ({ page }) => {
  await page.goto('/auth');
  await (await waitUntilHydrated(page.getByRole('button', { name: /Sign up/ }).first())).click();
  await captureFullPage(page, 'sign-up');
  await page.goto('/contact');
  await (await waitUntilHydrated(page.getByRole('button', { name: /^Send/ }))).click();
  await captureFullPage(page, 'contact-errors');
});

/** A client with the sample data, an approver and a team member. */
async function sampleClient(site: Site) {
  const approver = await site.createUser({ role: 'client' });
  const teamMember = await site.createUser({ role: 'team' });
  const { data: client_id } = await (await signedInClient(site, ADMIN)).rpc('add_sample_client').throwOnError();
  await site.service.from('client_members').insert({ client_id, user_id: approver.id }).throwOnError();
  await site.service.from('client_assignments').insert({ client_id, user_id: teamMember.id }).throwOnError();
  return { id: client_id as string, approver, teamMember };
}

/** Takes screenshots of each tab of the client on the current page. */
async function captureTabs(page: Page, prefix: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 1000 });
  const tabs = page.getByRole('tablist').first().getByRole('tab');
  await expect(tabs.first()).toBeVisible();
  for (const tab of await tabs.all()) {
    await tab.click();
    const [label = ''] = /^[A-Za-z]+/.exec(await tab.innerText()) ?? [];
    await captureFullPage(page, `${prefix}-${label.toLowerCase()}`);
  }
}
