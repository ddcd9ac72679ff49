import { readFile } from 'node:fs/promises';
import { createClient } from '@supabase/supabase-js';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, test } from '../support/e2e.ts';
import { readNewestMail } from '../support/outbox.ts';
import { newClient } from '../support/site-clients.ts';

// The browser logs the 400 response of a rejected request.
test.use({ allowedProblems: [/the server responded with a status of 400/] });

test('The client approves criteria as sentences, and each later meeting is checked against them', async ({
  page,
  site,
}) => {
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  const approvals = page.getByRole('region', { name: 'Approvals, Nes AS' });
  const section = page.getByRole('region', { name: 'Meetings, Nes AS' });
  const dialog = page.getByRole('dialog');
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=approvals`);
  await approvals.getByRole('button', { name: 'Ask for approval: Nes AS' }).click();
  await page.getByRole('menuitem', { name: 'Approval of criteria for meetings' }).click();
  await dialog.getByRole('button', { name: 'Ask for approval' }).click();
  await expect(page.getByText('Set at least one criterion.')).toBeVisible();
  await dialog.getByLabel('Roles').fill('Founder\nHead of facilities');
  await dialog.getByLabel('Minimum company size').fill('many');
  await dialog.getByLabel('Countries', { exact: true }).selectOption('Norway');
  await dialog.getByLabel('Countries', { exact: true }).selectOption('Denmark');
  await dialog.getByLabel('Countries', { exact: true }).selectOption('Sweden');
  await dialog.getByRole('button', { name: 'Remove Denmark' }).press('Enter');
  await expect(dialog.getByLabel('Countries', { exact: true })).toBeFocused();
  await dialog.getByRole('button', { name: 'Ask for approval' }).click();
  await expect(dialog).toContainText('Size must be a whole number from 1 to 10,000,000');
  await expect(dialog).not.toContainText('The maximum must not be below the minimum');
  await expectNoAxeViolations(page);
  await dialog.getByLabel('Minimum company size').fill('50');
  await dialog.getByLabel('Minimum duration').fill('20');
  await dialog.getByLabel('The company must not be a customer yet').check();
  await dialog.getByRole('button', { name: 'Ask for approval' }).click();
  await expect(dialog).toBeHidden();

  await page.setViewportSize({ width: 320, height: 700 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard?tab=approvals');
  await expect(approvals.getByRole('listitem')).toContainText([
    'Criteria for meetings',
    'The person’s role is Founder or Head of facilities.',
    'The company has at least 50 employees.',
    'The company is in Norway or Sweden.',
    'The company is not a customer yet.',
    'The meeting lasts at least 20 minutes.',
  ]);
  await expect(approvals.getByRole('button', { name: /^Approve with changes/ })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);
  await approvals.getByRole('button', { name: 'Approve: Criteria for meetings' }).click();
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(approvals).toContainText('Nothing needs your approval.');
  // The meeting below is held after the approval.
  const approvedAt = { created_at: '2026-01-01T00:00:00Z' };
  await site.service.from('approval_decisions').update(approvedAt).eq('client_id', id).throwOnError();

  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=meetings`);
  await section.getByRole('button', { name: 'Add a meeting for Nes AS' }).click();
  await dialog.getByLabel('Met with').fill('Kari Nordmann, Kunde AS');
  await dialog.getByLabel('Time').fill('2026-01-02T09:00');
  await dialog.getByLabel('Outcome').selectOption('Held');
  await dialog.getByLabel('Person’s role').fill('founder');
  await dialog.getByLabel('Company size').fill('12');
  await dialog.getByLabel('Country').selectOption('Norway');
  await dialog.getByLabel('Already a customer').selectOption('No');
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await section.getByText('Kari Nordmann, Kunde AS').click();
  await section.getByText('Criteria, version 1: 3 met, 1 not met, 1 not recorded').click();
  await expect(section.getByRole('list', { name: 'Criteria' }).getByRole('listitem')).toContainText([
    'MetThe person’s role is Founder or Head of facilities.founder',
    'Not metThe company has at least 50 employees.12 employees',
    'MetThe company is in Norway or Sweden.Norway',
    'MetThe company is not a customer yet.Not a customer',
    'Not recordedThe meeting lasts at least 20 minutes.',
  ]);
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);

  await signIn(page, site, member);
  await page.goto('/client-dashboard?tab=meetings');
  await section.getByRole('button', { name: 'Dispute the meeting with Kari' }).click();
  await dialog.getByLabel('Reason').fill('Twelve people.');
  await dialog.getByRole('button', { name: 'Dispute' }).click();
  await expect(dialog).toContainText('Choose a criterion.');
  await dialog.getByLabel('Criterion').selectOption('The company has at least 50 employees.');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Dispute' }).click();
  await expect(dialog).toBeHidden();
  await section.getByText('Kari Nordmann, Kunde AS').click();
  await expect(section.getByRole('blockquote')).toContainText('The company has at least 50 employees.');
  await section.getByText('History', { exact: true }).click();
  const history = section.getByRole('list', { name: 'History' }).getByRole('listitem');
  await expect(history).toContainText([/^Disputed.*at least 50 employees\. Twelve people\./s, /^Held/]);
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);
});

test('The team closes a month, and the client opens its sheet and downloads it', async ({ page, site }) => {
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  const section = page.getByRole('region', { name: 'Meetings, Nes AS' });
  const dialog = page.getByRole('dialog');
  const meeting = { client_id: id, outcome: 'held', starts_at: '2026-01-02T09:00:00Z', answer_until: '2999-01-01' };
  const rows = [{ ...meeting, met_with: 'Kari, Kunde AS' }];
  await site.service.from('client_meetings').insert(rows).throwOnError();
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=meetings`);
  await section.getByRole('button', { name: 'Close a month for Nes AS' }).press('Enter');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Close month' }).click();
  await expect(page.getByText(/The client can still dispute a meeting of this month until/)).toBeVisible();
  const acceptance = { answer: 'accepted' };
  await site.service.from('client_meetings').update(acceptance).eq('client_id', id).throwOnError();
  await dialog.getByRole('button', { name: 'Close month' }).click();
  await expect(dialog).toBeHidden();
  await expect(section).toContainText('January 2026: 1 meeting');
  await expect(section.getByRole('heading', { name: 'Closed months' })).toBeFocused();
  await expectNoAxeViolations(page);

  await page.setViewportSize({ width: 320, height: 700 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard?tab=meetings');
  await expect(section.getByRole('button', { name: /Close a month/ })).toHaveCount(0);
  await expectNoHorizontalScroll(page);
  await expectNoAxeViolations(page);
  await section.getByRole('button', { name: 'Open the sheet of January 2026' }).click();
  await expect(dialog.getByRole('listitem')).toContainText(['Kari, Kunde AS']);
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download CSV' }).press('Enter');
  const csv = await readFile(await (await downloading).path(), 'utf8');
  expect(csv).toContain('2026-01-02T09:00:00Z,"Kari, Kunde AS"');
});

test('The sheet of a closed month is printed on as many pages as it needs, without the page behind it', async ({
  page,
  site,
}) => {
  const { id, teamMember } = await newClient(site, 'Nes AS');
  const rows = Array.from({ length: 60 }, (_, index) => ({
    client_id: id,
    outcome: 'held',
    starts_at: `2026-01-${String((index % 28) + 1).padStart(2, '0')}T09:00:00Z`,
    answer: 'accepted',
    answer_until: '2026-02-10',
    met_with: `Person ${index + 1}, Kunde AS`,
  }));
  await site.service.from('client_meetings').insert(rows).throwOnError();
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=meetings`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Close a month for Nes AS' }).click();
  await dialog.getByRole('button', { name: 'Close month' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Open the sheet of January 2026' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(60);
  await expect(dialog.getByRole('button', { name: 'Print' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(dialog.getByRole('button')).toHaveCount(0);
  await expect(dialog).toContainText('Nes AS');
  // The page behind the sheet has no box, and the sheet is not cut at the height of the screen.
  await expect(page.locator('main')).toBeHidden();
  expect(await dialog.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
  const pdf = await page.pdf({ format: 'A4' });
  const pageCount = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;
  expect(pageCount).toBeGreaterThan(1);
  expect(pageCount).toBeLessThan(7);
});

test('The page that the emailed link opens shows the criteria as sentences', async ({ page, site }) => {
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  const team = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
  expect((await team.auth.signInWithPassword(teamMember)).error).toBeNull();
  const criteria = { roles: ['CEO'], countries: [], minimum_minutes: 15 };
  const request = { _client_id: id, _title: 'Criteria', _criteria: criteria };
  await team.rpc('ask_for_criteria_approval', request).throwOnError();
  const mail = await readNewestMail(site.dataFolder, member.email, /Please approve: Criteria/);
  await page.goto(/\/approve\/[0-9a-f]{64}/.exec(mail.replaceAll('=\r\n', '').replaceAll('=\n', ''))?.[0] ?? '');
  await page.getByRole('button', { name: 'Show content' }).click();
  await expect(page.getByRole('main')).toContainText('The person’s role is CEO.');
  await expect(page.getByRole('button', { name: 'Approve with changes' })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('status')).toContainText('Approved. We will use the criteria as shown.');
});
