import { addDays, dayOf, startOfWeek } from '../../app/ui/lib/zoned-times.ts';
import { signedInClient, signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolationsInAnyMode, expectNoHorizontalScroll, type Site, test } from '../support/e2e.ts';
import { addFigures, newClient } from '../support/site-clients.ts';

const TODAY = dayOf(new Date().toISOString(), 'Europe/Oslo');
const LAST_WEEK = addDays(startOfWeek(TODAY), -7);

/** Adds a held meeting that the client can no longer dispute. @returns its id */
async function addMeeting(site: Site, client_id: string, met_with: string, fields: object = {}): Promise<string> {
  const starts_at = `${LAST_WEEK}T10:00Z`;
  const meeting = { starts_at, booked_on: LAST_WEEK, outcome: 'held', answer_until: starts_at, ...fields };
  const { data } = await site.service
    .from('client_meetings')
    .insert({ client_id, met_with, ...meeting })
    .select('id')
    .single()
    .throwOnError();
  return data.id;
}

async function addReport(site: Site, client_id: string, meeting_id: string, status: string, amount: number | null) {
  const result = { client_id, meeting_id, number: 1, status, amount };
  await site.service.from('client_meeting_results').insert(result).throwOnError();
}

test('The team sets the fee, approvers see the funnel with its costs, and viewers see its counts', async ({
  page,
  site,
}) => {
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  const viewer = await site.createUser({ role: 'client' });
  const membership = { client_id: id, user_id: viewer.id, kind: 'viewer' };
  await site.service.from('client_members').insert(membership).throwOnError();
  const funnel = page.getByRole('region', { name: 'Funnel, Nes AS' });
  const fee = page.getByRole('region', { name: 'Monthly fee, Nes AS' });
  const dialog = page.getByRole('dialog');
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}`);
  await expect(funnel).toContainText('No figures in this period.');
  await expect(fee).toContainText('Not set');
  await fee.getByRole('button', { name: 'Set the monthly fee for Nes AS' }).press('Enter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Enter an amount.');
  await dialog.getByLabel('Amount in NOK').fill('30,000');
  // The fee applies to all of the last 90 days.
  await dialog.getByLabel('From').selectOption({ index: 20 });
  await expectNoAxeViolationsInAnyMode(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(fee).toContainText('NOK 30,000 from');
  await fee.getByText('Changes', { exact: true }).click();
  await expect(fee.getByRole('list', { name: 'Fee changes' }).getByRole('listitem')).toHaveCount(1);
  await expectNoAxeViolationsInAnyMode(page);

  await addFigures(site, id, teamMember.id, [
    { metric: 'delivered', day: LAST_WEEK, value: 1200, days: 7 },
    { metric: 'replies', day: LAST_WEEK, value: 34, days: 7 },
  ]);
  await addReport(site, id, await addMeeting(site, id, 'Kari, Kunde AS'), 'won', 9000);
  await addMeeting(site, id, `Ola ${'Nordmann'.repeat(12)}, Fri AS`);
  await page.reload();
  await expect(funnel.getByRole('listitem')).toHaveText([
    ...['Delivered1,200', 'Replies342.8% of delivered', 'Leads–', 'Meetings booked2'],
    ...['Meetings held2100% of booked', 'Opportunities00% of held', 'Won150% of held'],
  ]);
  await expect(funnel).toContainText('Not reported:150% of held');
  await funnel.getByRole('button', { name: 'Delivered: 1,200. Show the rows' }).click();
  await expect(dialog).toContainText('Delivered: 1,200');
  await page.keyboard.press('Escape');
  await expectNoAxeViolationsInAnyMode(page);

  await page.setViewportSize({ width: 320, height: 720 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard');
  await expect(funnel).toContainText('Fee in this period');
  await expect(funnel).toContainText('Per meeting held');
  await expectNoHorizontalScroll(page);
  await expectNoAxeViolationsInAnyMode(page);
  await funnel.getByRole('button', { name: 'Not reported: 1. Show the rows' }).press('Enter');
  await expect(dialog).toContainText('Held, result not reported');
  await expectNoHorizontalScroll(page);
  await expectNoAxeViolationsInAnyMode(page);
  await dialog.getByRole('button', { name: /^Ola/ }).press('Enter');
  const meetings = page.getByRole('region', { name: 'Meetings, Nes AS' });
  await expect(meetings.getByRole('listitem').filter({ hasText: 'Ola' })).toBeFocused();

  await signIn(page, site, viewer);
  await page.goto('/client-dashboard');
  await funnel.getByRole('button', { name: 'Won: 1. Show the rows' }).click();
  await expect(dialog.getByRole('listitem')).toContainText('Won');
  await expect(page.getByText('9,000')).toHaveCount(0);
  await expect(page.getByText('Fee in this period')).toHaveCount(0);
});

test('A report on a phone opens the won deal, its meeting, its lead, its text and its list row', async ({
  page,
  site,
}) => {
  const { id, member, teamMember } = await newClient(site, 'Vik AS');
  const [team, approver] = [await signedInClient(site, teamMember), await signedInClient(site, member)];
  const { data: campaign } = await site.service.from('campaigns').select('id').eq('client_id', id).single();
  const approve = async (_approval_id: string) =>
    await approver.rpc('decide_approval', { _client_id: id, _approval_id, _number: 1, _verdict: 'yes' }).throwOnError();
  const text = { _client_id: id, _title: 'First mail', _text: 'Hei, shall we talk about bread?' };
  const { data: textId } = await team.rpc('ask_for_approval', text).throwOnError();
  await approve(textId);
  const row = { line: 7, company: 'Vik Bakeri', person: 'Ola Lie, Baker', address: 'ola@vikbakeri.example' };
  const request = { _client_id: id, _title: 'Bakers', _text: 'Bakers in Bergen', _rows: [row], _is_dry_run: false };
  const { data: list } = await team.rpc('ask_for_list_approval', request).throwOnError();
  await approve(list.id);
  const campaignList = { _client_id: id, _campaign_id: campaign?.id, _approval_id: list.id, _is_used: true };
  await team.rpc('set_campaign_list', campaignList).throwOnError();
  const person = { name: 'Ola Lie', company: 'Vik Bakeri', email: 'ola@vikbakeri.example', words: 'Call me.' };
  const origin = { campaign_id: campaign?.id, approval_id: textId, received_at: new Date().toISOString() };
  const { data: lead } = await site.service
    .from('client_leads')
    .insert({ client_id: id, ...person, ...origin, origin: 'reply', status: 'won', taken_at: origin.received_at })
    .select('id')
    .single()
    .throwOnError();
  const deal = await addMeeting(site, id, 'Ola Lie, Vik Bakeri', { lead_id: lead.id });
  await addReport(site, id, deal, 'won', 150_000);
  // Add later meetings, so that the list of meetings shows the deal only through the link.
  for (const name of ['Per', 'Pia', 'Pål', 'Petra'])
    await addMeeting(site, id, name, { starts_at: `${addDays(LAST_WEEK, 1)}T10:00Z` });
  const week = { _client_id: id, _span: 'week', _first_day: LAST_WEEK };
  const { data: reportId } = await team.rpc('start_client_report', week).throwOnError();
  const { data: draft } = await team.rpc('client_report', { _id: reportId }).throwOnError();
  await team
    .rpc('approve_client_report', { _client_id: id, _id: reportId, _content_hash: draft.content_hash })
    .throwOnError();

  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, site, member);
  await page.goto(`/reports/${reportId}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Vik AS' })).toBeVisible();
  await expectNoHorizontalScroll(page);
  await expectNoAxeViolationsInAnyMode(page);
  // 1: the deal.
  await page.getByRole('article').getByRole('button', { name: 'Won: 1. Show the rows' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('listitem')).toContainText('Won, NOK 150,000');
  await expectNoAxeViolationsInAnyMode(page);
  // 2: its meeting.
  await dialog.getByRole('button', { name: 'Ola Lie, Vik Bakeri', exact: true }).click();
  const meeting = page
    .getByRole('region', { name: 'Meetings, Vik AS' })
    .getByRole('listitem')
    .filter({ hasText: 'Ola' });
  await expect(meeting).toBeFocused();
  await expect(meeting).toContainText('Result: Won, NOK 150,000');
  // 3: its lead, with the list row.
  await meeting.getByRole('link', { name: 'Lead: Ola Lie' }).click();
  await expect(dialog).toContainText('Call me.');
  await expect(dialog).toContainText(
    'Line 7: Ola Lie, Baker, Vik Bakeri, o***@vikbakeri.example. Version 1, approved on',
  );
  await expectNoAxeViolationsInAnyMode(page);
  // 4: the list, beside the text.
  await dialog.getByRole('button', { name: 'Bakers' }).click();
  const approvals = page.getByRole('region', { name: 'Approvals, Vik AS' });
  const card = (title: string) => approvals.getByRole('listitem').filter({ hasText: title }).first();
  await expect(card('Bakers')).toBeFocused();
  await expect(card('First mail')).toBeVisible();
  // 5: the text.
  await card('First mail').locator('summary').first().click();
  await expect(card('First mail')).toContainText('Hei, shall we talk about bread?');
});
