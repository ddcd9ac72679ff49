import { openAdmin, signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';
import { newClient } from '../support/site-clients.ts';

const csv = (text: string, name = 'week.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

test('A team member can import a CSV with the last column mapping, and undo the import', async ({ page, site }) => {
  const { id, teamMember } = await newClient(site, 'Fjord AS');
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=figures`);
  const figures = page.getByRole('region', { name: 'Imports' });
  await expect(figures).toContainText('No figures yet.');
  await expect(figures.getByRole('button', { name: 'Import a CSV for Fjord AS' })).toBeVisible();
  const choose = (file: ReturnType<typeof csv>) =>
    page.getByRole('region', { name: 'Imports' }).locator('input[type=file]').setInputFiles(file);

  await choose({ ...csv(''), buffer: Buffer.from('PK\u0003\u0004') });
  await expect(figures.getByRole('alert')).toContainText('Save the table as “CSV UTF-8”');

  await choose(
    csv(
      'Campaign,Date,Went out,Replies\nFjord AS in spring,2026-11-09,700,12\nFjord AS in spring,2026-11-10,600,"1,2"\n=1+1,2026-11-10,5,5\nTotal,,1305,17',
    ),
  );
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Replies')).toHaveValue('replies');
  await dialog.getByLabel('Went out').selectOption('Sent');
  const summary = dialog.getByRole('region', { name: 'Summary' });
  await expect(dialog).toContainText('Choose what to do with the new campaign first.');
  await dialog.getByLabel('Create “=1+1”, or choose an existing campaign').selectOption('Skip these lines');
  await expect(summary).toContainText('Line 3Replies is not a whole number: 1,2');
  await expect(summary).toContainText('Line 4Skipped: =1+1');
  await expect(summary).toContainText('Line 5This is a total, not the figures of a day: Total');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Import 3 figures' }).click();
  await expect(page.getByText('3 figures imported')).toBeVisible();
  await expect(figures).toContainText('3 new, 3 rejected');
  await expect(dialog).toBeHidden();

  // The column mapping is remembered, and a changed figure shows its old value.
  await choose(csv('Campaign,Date,Went out,Replies\nFjord AS in spring,2026-11-09,701,12', 'later.csv'));
  await expect(dialog.getByLabel('Went out')).toHaveValue('sent');
  await expect(summary).toContainText('Line 2Fjord AS in spring, 9 November 2026: Sent 701, was 700');
  await dialog.getByRole('button', { name: 'Import 1 figure' }).press('Enter');
  await expect(figures).toContainText('later.csv');
  await expect(dialog).toBeHidden();

  await figures.getByRole('button', { name: 'Actions for week.csv' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Undo import' }).press('Enter');
  await expect(dialog).toContainText('1 figure kept');
  await expect(dialog).toContainText('Fjord AS in spring, 9 November 2026: Sent 701');
  await page.keyboard.press('Escape');
  const { data } = await site.service.from('campaign_figures').select('metric, value').eq('client_id', id);
  expect(data).toEqual([{ metric: 'sent', value: 701 }]);
  await expectNoAxeViolations(page);
});

test('An import asks once for the date order and each unknown campaign, and creates the selected one', async ({
  page,
  site,
}) => {
  const { id } = await newClient(site, 'Vidde AS');
  await openAdmin(page, site, `/admin/clients/${id}?tab=figures`);
  const file = csv(
    'sep=;\r\nDate;Campaign;Sent;Not Interested\r\n02/11/2026;Winter;120;9\r\n03/11/2026;Winter;80;2\r\n03/11/2026;Spring;1.234;1\r\n',
  );
  const dialog = page.getByRole('dialog');
  await page.getByRole('region', { name: 'Imports' }).locator('input[type=file]').setInputFiles(file);
  await expect(dialog).toContainText('The dates in this file can be read in two ways.');
  await expect(dialog).toContainText('Not imported unless you choose a metric: Not Interested.');
  await dialog.getByLabel('Date format').selectOption('Day, month, year: 16/11/2026');
  await expect(dialog).toContainText('Choose what to do with 2 new campaigns first.');
  await dialog.getByLabel('Create “Winter”, or choose an existing campaign').selectOption('LinkedIn');
  await dialog.getByLabel('Create “Spring”, or choose an existing campaign').selectOption('Vidde AS in spring');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Import 3 figures' }).click();
  await expect(page.getByText('3 figures imported')).toBeVisible();
  await expect(dialog).toBeHidden();
  const { data } = await site.service
    .from('campaign_figures')
    .select('first_day, value, ...campaigns(name, channel)')
    .eq('client_id', id)
    .order('value')
    .throwOnError();
  expect(data).toEqual([
    { first_day: '2026-11-03', value: 80, name: 'Winter', channel: 'linkedin' },
    { first_day: '2026-11-02', value: 120, name: 'Winter', channel: 'linkedin' },
    { first_day: '2026-11-03', value: 1234, name: 'Vidde AS in spring', channel: 'email' },
  ]);
});

test("Importing the same file again on the client's page changes nothing", async ({ page, site }) => {
  const { id } = await newClient(site, 'Elv AS');
  await openAdmin(page, site, `/admin/clients/${id}?tab=figures`);
  const file = csv('Week,Meetings\n2026-11-09,3\n2026-11-16,4');
  const dialog = page.getByRole('dialog');
  await page.getByRole('region', { name: 'Imports' }).locator('input[type=file]').setInputFiles(file);
  await expect(dialog.getByLabel('Each line covers')).toHaveValue('week');
  await dialog.getByRole('button', { name: 'Import 2 figures' }).click();
  await expect(page.getByText('2 figures imported')).toBeVisible();
  // The dialog stays open until the list shows the import, so no file can be selected behind it.
  await expect(dialog).toBeHidden();
  await page.getByRole('region', { name: 'Imports' }).locator('input[type=file]').setInputFiles(file);
  await expect(dialog).toContainText('imported this file on');
  await expect(dialog).toContainText('This file changes nothing.');
  await expect(dialog.getByRole('button', { name: 'Import 0 figures' })).toBeDisabled();
});

test('An admin sets the goals, the start of the week and the currency of a client', async ({ page, site }) => {
  const { id } = await newClient(site, 'Bre AS');
  await openAdmin(page, site, `/admin/clients/${id}?tab=figures`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  // The page behind the dialog also has a region named Meetings.
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Time zone').selectOption('Asia/Shanghai');
  await dialog.getByLabel('Weeks begin on').selectOption('Sunday');
  await dialog.getByLabel('Currency').fill('eur');
  await dialog.getByLabel('Meetings').fill('some');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter a whole number, or leave this empty.')).toBeVisible();
  await dialog.getByLabel('Meetings').fill('20');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Client updated successfully')).toBeVisible();
  const { data } = await site.service.from('clients').select().eq('id', id).single().throwOnError();
  expect(data).toMatchObject({ time_zone: 'Asia/Shanghai', first_weekday: 7, currency: 'EUR', meetings_goal: 20 });
  expect(data).toMatchObject({ replies_goal: null, delivered_goal: null });
});
