import { signedInClient, signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, type Site, test } from '../support/e2e.ts';
import { newClient } from '../support/site-clients.ts';
import { addSource, postEvents } from '../support/sources.ts';

/** Adds the text “First mail”, approved. @returns the id of its approval */
async function addApprovedText(site: Site, client_id: string, text: string): Promise<string> {
  const { data: approval } = await site.service
    .from('approvals')
    .insert({ client_id, title: 'First mail' })
    .select('id')
    .single()
    .throwOnError();
  const version = { client_id, approval_id: approval.id, number: 1 };
  await site.service
    .from('approval_versions')
    .insert({ ...version, text })
    .throwOnError();
  await site.service
    .from('approval_decisions')
    .insert({ ...version, verdict: 'yes' })
    .throwOnError();
  return approval.id;
}

test('Events of a source update the figures, and the client can open the events of a figure', async ({
  page,
  site,
}) => {
  const { id, member, teamMember } = await newClient(site, 'Fjell AS');
  await addApprovedText(site, id, 'Hello {{first_name}}, in Oslo.');
  const { data: list } = await site.service
    .from('approvals')
    .insert({ client_id: id, title: 'Bakers', kind: 'list' })
    .select('id')
    .single()
    .throwOnError();
  const listVersion = { client_id: id, approval_id: list.id, number: 1 };
  await site.service
    .from('approval_versions')
    .insert({ ...listVersion, text: 'Bakers in Oslo.' })
    .throwOnError();
  const rows = ['annen.example', 'kunde.example'].map((domain, index) => ({ ...listVersion, line: index + 2, domain }));
  await site.service.from('approval_rows').insert(rows).throwOnError();
  await site.service
    .from('approval_decisions')
    .insert({ ...listVersion, verdict: 'yes' })
    .throwOnError();
  await site.service
    .from('do_not_contact')
    .insert({ client_id: id, kind: 'domain', value: 'kunde.example', hint: 'kunde.example' })
    .throwOnError();

  const section = page.getByRole('region', { name: 'Event sources, Fjell AS' });
  const dialog = page.getByRole('dialog');
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=figures`);
  await expect(section).toContainText('No event sources yet.');
  await section.getByRole('button', { name: 'Add source for Fjell AS' }).press('Enter');
  await expect(dialog.getByLabel('Campaign', { exact: true })).toBeFocused();
  await dialog.getByLabel('Provider', { exact: true }).selectOption('Custom JSON');
  await dialog.getByLabel('Secret').fill('hemmelig');
  for (const name of ['Messages: sent, delivered, bounced', 'Replies and positive replies']) {
    await dialog.getByLabel(name).uncheck();
  }
  await dialog.getByRole('button', { name: 'Create source' }).click();
  await expect(dialog.getByText('Choose at least one metric.')).toBeVisible();
  await expectNoAxeViolations(page);
  await dialog.getByLabel('Messages: sent, delivered, bounced').check();
  await dialog.getByLabel('Replies and positive replies').check();
  await dialog.getByRole('button', { name: 'Create source' }).click();
  await expect(dialog).toContainText('It will not be shown again');
  const token = /campaign-events\/([0-9a-f]{64})/.exec(await dialog.innerText())?.[1] ?? '';
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(section).toContainText(/Custom JSON · counts from .* · no event yet/);

  await section.getByRole('button', { name: 'Texts that Fjell AS in spring may send' }).click();
  await dialog.getByLabel('Step that sends First mail').selectOption('Step 1');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await section.getByRole('button', { name: 'Lists that Fjell AS in spring may contact' }).click();
  await dialog.getByRole('switch', { name: 'Bakers' }).press('Space');
  await expect(dialog.getByRole('switch', { name: 'Bakers' })).toBeChecked();
  await expect(dialog).toContainText('Version 1, 2 rows');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Done' }).click();

  const at = new Date().toISOString();
  const events = [
    { id: '1', kind: 'sent', at, to: 'ola@annen.example', step: 1, text: 'Hello Ola, in Oslo.' },
    { id: '2', kind: 'sent', at, to: 'kari@kunde.example', step: 1, text: 'Hello Kari, in Bergen.' },
    { id: '3', kind: 'delivered', at, to: 'ola@annen.example' },
    { id: '4', kind: 'delivered', at, to: 'kari@kunde.example' },
    { id: '5', kind: 'reply', at, to: 'ola@annen.example' },
    { id: '6', kind: 'danced', at },
    { id: '7', kind: 'sent', at, to: 'eva@tredje.example', step: 1, text: 'Hello Eva, in Oslo.' },
  ];
  expect((await postEvents(site, token, events)).status).toBe(401);
  expect((await postEvents(site, token, events, { 'x-webhook-secret': 'hemmelig' })).status).toBe(200);
  await page.reload();
  await section.getByText('1 not counted').click();
  await expect(section).toContainText('danced, 1 of an unknown type');
  const alarms = page.getByRole('region', { name: 'Alarms, Fjell AS' });
  await expect(alarms.getByRole('listitem')).toContainText([
    /wrote to e\*\*\*@tredje\.example, who is not on its approved lists: version 1 of “Bakers”/,
    /not approved: “Hello Kari, in Bergen/,
    /wrote to kunde\.example/,
  ]);
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoHorizontalScroll(page);
  for (const _ of events.slice(0, 3)) {
    const alarmCount = await alarms.getByRole('listitem').count();
    await alarms
      .getByRole('button', { name: /^Dismiss/ })
      .first()
      .click();
    await expect(alarms.getByRole('listitem')).toHaveCount(alarmCount - 1);
  }

  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard');
  await expect(page.getByRole('main')).toContainText('Progress');
  await expect(page.getByText('Event sources, Fjell AS')).toHaveCount(0);
  await page
    .getByRole('button', { name: /Delivered/ })
    .first()
    .click();
  await expect(dialog).toContainText('Events of our own');
  await dialog.getByRole('button', { name: 'Show the events' }).click();
  const eventRows = dialog.getByRole('list', { name: 'Events' }).getByRole('listitem');
  await expect(eventRows).toHaveCount(2);
  await expect(eventRows.filter({ hasText: 'o***@annen.example' })).toHaveCount(1);
  await expectNoAxeViolations(page);

  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=figures`);
  await section.getByRole('button', { name: 'New webhook URL for Fjell AS in spring' }).click();
  await dialog.getByRole('button', { name: 'Create new URL' }).click();
  await expect(dialog).not.toContainText(token);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await section.getByRole('button', { name: 'End the source of Fjell AS in spring' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click();
  await expect(section).toContainText('Ended');
  expect((await postEvents(site, token, events)).status).toBe(404);
});

test('The team and the client see the results of a text, with a range instead of a single percentage', async ({
  page,
  site,
}) => {
  const { id, member, teamMember } = await newClient(site, 'Fjell AS');
  const { data: campaign } = await site.service
    .from('campaigns')
    .select('id')
    .eq('client_id', id)
    .single()
    .throwOnError();
  const worker = await signedInClient(site, teamMember);
  const approval = await addApprovedText(site, id, 'Hello {{first_name}}.');
  const text = { _client_id: id, _campaign_id: campaign.id, _approval_id: approval, _is_sent: true, _step: 1 };
  await worker.rpc('set_campaign_text', text).throwOnError();
  const token = await addSource(worker, { id, campaign: campaign.id });
  const at = new Date().toISOString();
  const newEvent = (person: number) => ({ id: `${person}`, at, to: `p${person}@kunde.example`, step: 1 });
  const sentEvent = (person: number) => ({ ...newEvent(person), kind: 'sent', text: 'Hello Kari.' });
  const replyEvent = (person: number) => ({ ...newEvent(person), kind: 'reply' });
  await postEvents(site, token, [...Array.from({ length: 199 }, (_, person) => sentEvent(person)), replyEvent(0)]);

  await signIn(page, site, member);
  await page.goto('/client-dashboard?tab=approvals');
  await page.getByText('Decided: 1').click();
  await page.getByText('Results of this text').click();
  const result = page.getByRole('listitem').filter({ hasText: 'Version 1 · step 1' }).last();
  await expect(result).toContainText('Sent199too few messages');

  await postEvents(site, token, [sentEvent(199), ...Array.from({ length: 12 }, (_, person) => replyEvent(person))]);
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=approvals`);
  await page.getByRole('button', { name: 'Ask for approval: Fjell AS' }).click();
  await page.getByRole('menuitem', { name: 'Approval of a text' }).click();
  await page.getByText('Results of earlier texts').click();
  await expect(result).toContainText('Sent200Bounced00% to 1.9%Replied123.5% to 10%');
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoHorizontalScroll(page);
});
