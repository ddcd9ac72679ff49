import { readFile } from 'node:fs/promises';
import { signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, test } from '../support/e2e.ts';
import { newClient } from '../support/site-clients.ts';

// The browser logs the 400 response of a rejected change.
test.use({ allowedProblems: [/the server responded with a status of 400/] });

test('The team adds a lead, and an approver opens it from the email, takes it and states why it does not fit', async ({
  page,
  site,
}) => {
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  const section = page.getByRole('region', { name: 'Leads, Nes AS' });
  const dialog = page.getByRole('dialog');
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=leads`);
  await expect(section).toContainText('No leads yet.');
  await section.getByRole('button', { name: 'Add a lead for Nes AS' }).press('Enter');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog).toContainText('A name or an email is required');
  await dialog.getByLabel('Name').fill('Kari Nordmann');
  await dialog.getByLabel('Company').fill('=Kunde AS');
  await dialog.getByLabel('Their reply').fill('Yes, call me on Thursday.');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog).toBeHidden();
  await expect(section.getByRole('listitem')).toContainText('Kari Nordmann');
  await expect(page.getByRole('tab', { name: 'Leads' })).toContainText('1');

  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard');
  await page.getByRole('button', { name: /^New lead: Kari Nordmann/ }).click();
  await expect(dialog).toContainText('Yes, call me on Thursday.');
  const { data: lead } = await site.service.from('client_leads').select('id').eq('client_id', id).single();
  // The mail links to the same address.
  await page.goto(`/client-dashboard?client=${id}&from=mail#lead-${lead?.id}`);
  await expect(dialog).toContainText('Nes AS in spring');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Take' }).click();
  await expect(dialog.getByRole('button', { name: 'Take' })).toBeHidden();
  await dialog.getByLabel('Status').selectOption('Not a fit');
  const reason = page.getByRole('dialog', { name: 'Not a fit?' });
  await reason.getByRole('button', { name: 'Save' }).click();
  await expect(reason).toContainText('Enter a reason.');
  await reason.getByLabel('Reason').fill('Too small.');
  await expectNoAxeViolations(page);
  await reason.getByRole('button', { name: 'Save' }).click();
  await expect(reason).toBeHidden();
  await expect(dialog.getByRole('listitem').first()).toContainText('Not a fit');
  await expect(dialog.getByRole('listitem').first()).toContainText('Too small.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await expect(section.getByRole('listitem')).toContainText('Not a fit');
  await expectNoAxeViolations(page);

  const downloading = page.waitForEvent('download');
  await section.getByRole('button', { name: 'Actions for the leads of Nes AS' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Download CSV' }).press('Enter');
  const csv = await readFile(await (await downloading).path(), 'utf8');
  expect(csv).toContain(`Kari Nordmann,,'=Kunde AS,`);
  expect(csv).toContain('Yes, call me on Thursday.');

  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}#lead-${lead?.id}`);
  await dialog.getByRole('button', { name: 'Delete lead' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(dialog).toBeHidden();
  await expect(section).toContainText('No leads yet.');
});

test('A viewer reads leads without buttons, and more than eight can be searched and filtered', async ({
  page,
  site,
}) => {
  const { id } = await newClient(site, 'Vik AS');
  const viewer = await site.createUser({ role: 'client' });
  const membership = { client_id: id, user_id: viewer.id, kind: 'viewer' };
  await site.service.from('client_members').insert(membership).throwOnError();
  const rows = Array.from({ length: 9 }, (_, index) => ({
    client_id: id,
    name: `Person ${index + 1}`,
    company: 'Kunde AS',
    received_at: new Date().toISOString(),
    origin: 'reply',
    ...(index === 0 && { status: 'won', taken_at: new Date().toISOString() }),
  }));
  await site.service
    .from('client_leads')
    .insert(rows.map((row) => ({ status: 'new', taken_at: null, ...row })))
    .throwOnError();
  await signIn(page, site, viewer);
  await page.goto('/client-dashboard');
  await expect(page.getByRole('region', { name: 'Waiting for you, Vik AS' }).getByRole('listitem').first()).toHaveText(
    /^New lead: Person \d, Kunde AS$/,
  );
  await page.getByRole('tab', { name: 'Leads' }).click();
  const section = page.getByRole('region', { name: 'Leads, Vik AS' });
  await expect(section.getByRole('listitem')).toHaveCount(9);
  await expect(page.getByRole('tab', { name: 'Leads' })).toContainText('8');
  await section.getByLabel('Status').selectOption('Won');
  await expect(section.getByRole('listitem')).toHaveText([/Person 1/]);
  await section.getByLabel('Search leads').fill('Person 2');
  await expect(section).toContainText('No leads match your search.');
  await section.getByLabel('Status').selectOption('All statuses');
  await section.getByRole('listitem').getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'Lead Person 2' });
  await expect(dialog).toContainText('Approvers of Vik AS decide on this.');
  await expect(dialog.getByRole('button', { name: 'Take' })).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Delete lead' })).toHaveCount(0);
  await expectNoAxeViolations(page);
});

test('The team adds a meeting with a lead, and the lead and the meeting link to each other', async ({ page, site }) => {
  const { id, member, teamMember } = await newClient(site, 'Vik AS');
  const { data: lead } = await site.service
    .from('client_leads')
    .insert({ client_id: id, name: 'Ola Lie', company: 'Vik Bakeri', received_at: '2026-05-04', origin: 'person' })
    .select('id')
    .single()
    .throwOnError();
  const sheet = page.getByRole('dialog', { name: 'Lead Ola Lie' });
  const dialog = page.getByRole('dialog', { name: 'New meeting' });
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}#lead-${lead.id}`);
  await sheet.getByRole('button', { name: 'Add a meeting with Ola Lie' }).press('Enter');
  await expect(dialog.getByLabel('Met with')).toHaveValue('Ola Lie, Vik Bakeri');
  await dialog.getByLabel('Time').fill('2026-06-04T10:00');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(sheet.getByRole('listitem').first()).toContainText('booked');
  await expect(sheet.getByLabel('Status')).toHaveValue('meeting');

  await page.setViewportSize({ width: 320, height: 700 });
  await signIn(page, site, member);
  await page.goto(`/client-dashboard?client=${id}#lead-${lead.id}`);
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);
  await sheet.getByRole('list').first().getByRole('button').click();
  const meetings = page.getByRole('region', { name: 'Meetings, Vik AS' });
  await expect(meetings.getByRole('listitem').first()).toContainText('Ola Lie, Vik Bakeri');
  await expectNoAxeViolations(page);
  await meetings.getByRole('link', { name: 'Lead: Ola Lie' }).click();
  await expect(sheet).toBeVisible();
});

test('An approver sets up a webhook for leads, tests it, and reads its log', async ({ page, site }) => {
  const { id, member } = await newClient(site, 'Dal AS');
  const viewer = await site.createUser({ role: 'client' });
  const membership = { client_id: id, user_id: viewer.id, kind: 'viewer' };
  await site.service.from('client_members').insert(membership).throwOnError();
  const section = page.getByRole('region', { name: 'Leads, Dal AS' });
  const sheet = page.getByRole('dialog', { name: 'Webhook for Dal AS' });
  await signIn(page, site, member);
  await page.goto('/client-dashboard?tab=leads');
  const actions = section.getByRole('button', { name: 'Actions for the leads of Dal AS' });
  await actions.press('Enter');
  await page.getByRole('menuitem', { name: 'Webhook' }).press('Enter');
  await expect(sheet).toContainText('Nothing sent yet. Save a URL first.');
  await sheet.getByLabel('URL').fill('http://crm.invalid');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(sheet).toContainText('Enter a URL that begins with https://');
  await expectNoAxeViolations(page);
  await sheet.getByLabel('URL').fill('https://crm.invalid/leads');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(sheet.getByText(/^whsec_•/)).toBeVisible();
  await sheet.getByRole('button', { name: 'Show' }).click();
  const first = await sheet.getByText(/^whsec_/).textContent();
  await sheet.getByRole('button', { name: 'Create new secret' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Create new secret' }).click();
  await expect(sheet.getByText(first ?? '')).toHaveCount(0);
  await sheet.getByRole('button', { name: 'Send a test' }).click();
  // The host does not exist.
  await expect(sheet.getByRole('listitem')).toContainText('The server could not be reached');
  // A finished delivery of a lead.
  const { data: lead } = await site.service
    .from('client_leads')
    .insert({ client_id: id, name: 'Ola Lie', received_at: '2026-05-04', origin: 'person' })
    .select('id')
    .single()
    .throwOnError();
  await site.service
    .from('client_webhook_deliveries')
    .update({ status: 'delivered', response: 'Created 4711', last_error: null })
    .eq('lead_id', lead.id)
    .throwOnError();
  await page.reload();
  await actions.click();
  await page.getByRole('menuitem', { name: 'Webhook' }).click();
  const delivery = sheet.getByRole('listitem').filter({ hasText: 'New lead: Ola Lie' });
  await expect(delivery).toContainText('Delivered');
  await delivery.getByText('Payload and response').click();
  await expect(delivery).toContainText('"name": "Ola Lie"');
  await expect(delivery).toContainText('Created 4711');
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);
  await sheet.getByLabel('URL').fill('');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(sheet.getByRole('button', { name: 'Send a test' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(actions).toBeFocused();

  await signIn(page, site, viewer);
  await page.goto('/client-dashboard?tab=leads');
  await expect(section.getByRole('listitem')).toContainText('Ola Lie');
  await actions.click();
  await expect(page.getByRole('menuitem')).toHaveText(['Download CSV']);
});
