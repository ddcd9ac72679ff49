import { addDays, dayOf, startOfWeek } from '../../app/ui/lib/zoned-times.ts';
import { signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';
import { addFigures, newClient } from '../support/site-clients.ts';

const THIS_WEEK = startOfWeek(dayOf(new Date().toISOString(), 'Europe/Oslo'));
const LAST_WEEK = addDays(THIS_WEEK, -7);

test('A client sees the figures on a phone, and drills down from a figure to its rows and import', async ({
  page,
  site,
}) => {
  const { id, member, teamMember } = await newClient(site, 'Tind AS');
  await site.service.from('clients').update({ meetings_goal: 1000 }).eq('id', id).throwOnError();
  await addFigures(site, id, teamMember.id, [
    { metric: 'meetings', day: addDays(LAST_WEEK, -7), value: 4, days: 7 },
    ...[1, 2, 3].map((value, index) => ({ metric: 'meetings', day: addDays(LAST_WEEK, index), value })),
    { metric: 'replies', day: LAST_WEEK, value: 1234, days: 7 },
  ]);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, site, member);
  const release = Promise.withResolvers<void>();
  await page.route('**/rpc/figure_sums', async (route) => {
    await release.promise;
    await route.fallback();
  });
  await page.goto('/client-dashboard');
  const section = page.getByRole('region', { name: 'Progress' });
  const height = async () => (await section.boundingBox())?.height ?? 0;
  await expect(section).toBeVisible();
  const before = await height();
  release.resolve();
  await expect(section).toContainText('Last week, ');
  const after = await height();
  expect(Math.abs(after - before), 'layout shift after loading the figures').toBeLessThan(16);
  await expect(section).toContainText('+2 vs. week before');
  await expect(section).toContainText('1,234');
  await expect(section).toContainText('No figures for the week before');
  await expect(section).toContainText(/ of 1,000 in \w+/);
  await expect(section.getByRole('img', { name: /^Meetings in the 12 weeks up to .* no figure, 4, 6$/ })).toBeVisible();
  await expect(section.getByRole('listitem').filter({ hasText: 'Delivered' })).toContainText('No figures yet');
  await expectNoAxeViolations(page);

  const tile = section.getByRole('button', { name: 'Meetings, last week: 6. Show the rows' });
  expect((await tile.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  // The whole tile opens the rows, including its line.
  await section.getByRole('img', { name: /^Meetings/ }).click({ force: true });
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await tile.press('Enter');
  await expect(dialog.getByRole('heading', { level: 2 })).toHaveText('Meetings: 6');
  await expect(dialog).toContainText('Tind AS in spring');
  await expect(dialog.getByRole('listitem')).toHaveText([/1From weeks\.csv/, /2From weeks\.csv/, /3From weeks\.csv/]);
  await expect(dialog).not.toContainText(teamMember.email);
  await expectNoAxeViolations(page);
  await dialog.getByRole('tab', { name: 'Week before' }).click();
  await expect(page.getByRole('dialog', { name: 'Meetings: 4' }).getByRole('listitem')).toHaveText([/weeks\.csv/]);
  await dialog.getByRole('tab', { name: 'This month' }).click();
  await expect(dialog).toContainText('This month, 1–');
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await expect(tile).toBeFocused();
  await page.getByRole('tab', { name: 'Figures' }).click();
  const weeks = page.getByRole('region', { name: 'Figures, Tind AS' });
  await expect(weeks.getByRole('figure')).toContainText('Meetings and replies, 12 weeks up to');
  await expect(weeks.getByRole('row', { name: /^\d/ })).toHaveCount(12);
  await expect(weeks.getByRole('row', { name: /^[A-Z][a-z]+ Meetings, 1–/ })).not.toHaveCount(0);
  await weeks
    .getByRole('button', { name: /^Meetings, .*: 4\. Show the rows/ })
    .last()
    .press('Enter');
  await expect(page.getByRole('dialog', { name: 'Meetings: 4' }).getByRole('listitem')).toHaveText([/weeks\.csv/]);
});

test('A client without figures sees what will appear', async ({ page, site }) => {
  const { member } = await newClient(site, 'Dal AS');
  await signIn(page, site, member);
  await page.goto('/client-dashboard');
  await expect(page.getByText('Your figures will appear here')).toBeVisible();
  await expectNoAxeViolations(page);
});

test('A team member sees all their clients by channel, and which figures are late', async ({ page, site }) => {
  const { id, teamMember } = await newClient(site, 'Vik AS');
  const { id: lateId } = await newClient(site, 'Sund AS');
  await newClient(site, 'Foss AS');
  await site.service.from('client_assignments').insert({ client_id: lateId, user_id: teamMember.id }).throwOnError();
  const day = addDays(LAST_WEEK, -1);
  await addFigures(site, id, teamMember.id, [
    { metric: 'sent', day, value: 1500 },
    { metric: 'replies', day: addDays(LAST_WEEK, 6), value: 1 },
  ]);
  await addFigures(site, lateId, teamMember.id, [{ metric: 'sent', day, value: 20 }]);
  await signIn(page, site, teamMember);
  await page.goto('/team-dashboard');
  await page.getByRole('link', { name: 'View Analytics' }).click();
  const section = page.getByRole('region', { name: 'Analytics' });
  await expect(section.getByRole('heading', { level: 2 })).toBeInViewport();
  await expect(section).toContainText('Figures are missing for one client');
  await expect(section).toContainText(/Sund ASUntil .*, a week behind/);
  await section.getByLabel('Month').selectOption(`${day.slice(0, 8)}01`);
  const channel = page.getByRole('rowgroup', { name: 'Email' });
  await expect(channel).toContainText('Vik AS in spring');
  await expect(channel).toContainText('Sund AS in spring');
  await expect(channel).not.toContainText('Foss AS');
  await expectNoAxeViolations(page);
  await channel.getByRole('button', { name: 'Sent, Sund AS in spring: 20. Show the rows' }).click();
  await expect(page.getByRole('dialog', { name: 'Sent: 20' }).getByRole('listitem')).toHaveText([/weeks\.csv/]);
  await page.keyboard.press('Escape');
  await channel.getByRole('button', { name: 'Sent by Email: 1,520. Show campaigns' }).click();
  const totalDialog = page.getByRole('dialog', { name: 'Sent: 1,520' });
  await expect(totalDialog.getByRole('listitem')).toHaveText([/Sund AS in spring.*20/, /Vik AS in spring.*1,500/]);
  await expectNoAxeViolations(page);
  await totalDialog.getByRole('button', { name: 'Sent, Vik AS in spring: 1,500. Show the rows' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Sent: 1,500' }).getByRole('listitem')).toHaveText([/weeks\.csv/]);
  await page.keyboard.press('Escape');
  await expect(totalDialog).toBeVisible();
});

test('All views show the same number of meetings after some were added manually', async ({ page, site }) => {
  const { id, member, teamMember } = await newClient(site, 'Kvist AS');
  await site.service.from('clients').update({ meetings_goal: 8 }).eq('id', id).throwOnError();
  const meetings = ['Kari, Kunde AS', 'Ola, Kunde AS'].map((met_with) => ({
    ...{ client_id: id, met_with, outcome: 'held', booked_on: LAST_WEEK, starts_at: `${LAST_WEEK}T08:00:00Z` },
    ...{ answer_until: '2099-01-01T00:00:00Z', answer: 'accepted' },
  }));
  await site.service.from('client_meetings').insert(meetings).throwOnError();
  await addFigures(site, id, teamMember.id, [{ metric: 'sent', day: LAST_WEEK, value: 120 }]);
  await signIn(page, site, member);
  await page.goto('/client-dashboard');
  const section = page.getByRole('region', { name: 'Progress' });
  await expect(section.getByRole('button', { name: 'Meetings, last week: 2. Show the rows' })).toBeVisible();
  await expect(section.getByRole('button', { name: 'Sent, last week: 120. Show the rows' })).toBeVisible();
  await expect(section.getByRole('img'), 'line of a single week').toHaveCount(0);
  await section.getByRole('button', { name: 'Meetings, last week: 2. Show the rows' }).click();
  const dialog = page.getByRole('dialog', { name: 'Meetings: 2' });
  await expect(dialog).toContainText('No campaign');
  await expect(dialog.getByRole('listitem')).toHaveText([/Added under Meetings/]);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Generate Report' }).click();
  await expect(page.getByRole('row', { name: 'All campaigns 120 2', exact: true })).toBeVisible();
  await expect(page.getByRole('article')).not.toContainText('Delivered');
});

test('A client prints the report of a week and of a month', async ({ page, site }) => {
  const { id, member, teamMember } = await newClient(site, 'Elvestad AS');
  await site.service.from('clients').update({ meetings_goal: 1000 }).eq('id', id).throwOnError();
  const nextStep = { next_step: 'You read the first three messages', due_on: '2099-12-03' };
  await site.service.from('campaigns').update(nextStep).eq('client_id', id).throwOnError();
  await addFigures(site, id, teamMember.id, [
    { metric: 'meetings', day: addDays(LAST_WEEK, -7), value: 4, days: 7 },
    { metric: 'meetings', day: LAST_WEEK, value: 6, days: 7 },
    { metric: 'replies', day: THIS_WEEK, value: 77 },
  ]);
  await signIn(page, site, member);
  await page.goto('/client-dashboard');
  await page.getByRole('link', { name: 'Generate Report' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Elvestad AS' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Result',
    'By campaign',
    'Next steps',
    'What we need from you',
  ]);
  const report = page.getByRole('article');
  const tiles = report.locator('dl > div');
  await expect(tiles).toHaveText(/^Meetings6\+2 vs\. week before\d+ of 1,000 in \w+ · [\d.]+%$/);
  await expect(report.getByRole('figure')).toContainText('Meetings, 12 weeks up to');
  await expect(report).toContainText('You read the first three messages, by 3 December 2099');
  await expect(report).toContainText('The blocklist of companies and people that no campaign may contact.');
  await expectNoAxeViolations(page);

  await page.getByLabel('Period').selectOption(THIS_WEEK);
  await expect(tiles.nth(1)).toHaveText('Replies77No figures for the week before');
  await expect(report).toContainText('Elvestad AS in spring: new, running');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByLabel('Period')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(report).toContainText('Elvestad AS in spring: new, running');
  await page.emulateMedia({ media: 'screen' });
  await page.getByLabel('Report type').selectOption('Month');
  await expect(page.getByRole('row', { name: 'Previous month' })).toBeVisible();
});
