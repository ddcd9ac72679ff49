import { openAdmin, signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';
import { newClient } from '../support/site-clients.ts';

const csv = (text: string, name = 'week.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

test('A team member imports a CSV with the columns of last time, sees what it does, and takes it back', async ({
  page,
  site,
}) => {
  const { id, worker } = await newClient(site, 'Fjord AS');
  await signIn(page, site, worker);
  await page.goto(`/team-dashboard/clients/${id}`);
  const own = page.getByRole('region', { name: 'Figures' });
  await expect(own).toContainText('No figures yet.');
  await expect(own.getByRole('button', { name: 'Import a CSV for Fjord AS' })).toBeVisible();
  const choose = (file: ReturnType<typeof csv>) =>
    page.getByRole('region', { name: 'Figures' }).locator('input[type=file]').setInputFiles(file);

  await choose({ ...csv(''), buffer: Buffer.from([0x4d, 0xf8]) });
  await expect(own.getByRole('alert')).toContainText('Save it as “CSV UTF-8”');

  await choose(
    csv(
      'Campaign,Date,Went out,Replies\nFjord AS in spring,2026-11-09,700,12\nFjord AS in spring,2026-11-10,600,"1,2"\n=1+1,2026-11-10,5,5',
    ),
  );
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Replies')).toHaveValue('replies');
  await dialog.getByLabel('Went out').selectOption('Sent');
  const told = dialog.getByRole('region', { name: 'What the import does' });
  await expect(told).toContainText('Line 3Replies is no whole number: 1,2');
  await expect(told).toContainText('Line 4No campaign has this name: =1+1');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Import 3 figures' }).click();
  await expect(page.getByText('3 figures are imported')).toBeVisible();
  await expect(own).toContainText('3 new, 2 refused');
  await expect(dialog).toBeHidden();

  // The mapped column is remembered; the changed figure says what it was.
  await choose(csv('Campaign,Date,Went out,Replies\nFjord AS in spring,2026-11-09,701,12', 'later.csv'));
  await expect(dialog.getByLabel('Went out')).toHaveValue('sent');
  await expect(told).toContainText('Line 2Fjord AS in spring, 9 November 2026: Sent 701, was 700');
  await dialog.getByRole('button', { name: 'Import 1 figure' }).press('Enter');
  await expect(own).toContainText('later.csv');
  await expect(dialog).toBeHidden();

  await own.getByRole('button', { name: 'Undo the import of week.csv' }).click();
  await expect(dialog).toContainText('1 figure stayed');
  await expect(dialog).toContainText('Fjord AS in spring, 9 November 2026: Sent 701');
  await page.keyboard.press('Escape');
  const { data } = await site.service.from('campaign_figures').select('metric, value').eq('client_id', id);
  expect(data).toEqual([{ metric: 'sent', value: 701 }]);
  await expectNoAxeViolations(page);
});

test('The same file again imports nothing, on the page of the client', async ({ page, site }) => {
  const { id } = await newClient(site, 'Elv AS');
  await openAdmin(page, site, `/admin/clients/${id}`);
  const file = csv('Week,Meetings\n2026-11-09,3\n2026-11-16,4');
  const dialog = page.getByRole('dialog');
  await page.getByRole('region', { name: 'Figures' }).locator('input[type=file]').setInputFiles(file);
  await expect(dialog.getByLabel('Each line is of')).toHaveValue('week');
  await dialog.getByRole('button', { name: 'Import 2 figures' }).click();
  await expect(page.getByText('2 figures are imported')).toBeVisible();
  // The dialog stands until the list has the import, and nobody chooses a file behind it.
  await expect(dialog).toBeHidden();
  await page.getByRole('region', { name: 'Figures' }).locator('input[type=file]').setInputFiles(file);
  await expect(dialog).toContainText('imported this very file on');
  await expect(dialog).toContainText('This file changes nothing.');
  await expect(dialog.getByRole('button', { name: 'Import 0 figures' })).toBeDisabled();
});

test('An admin sets the goals of a client, its weeks and its currency', async ({ page, site }) => {
  const { id } = await newClient(site, 'Bre AS');
  await openAdmin(page, site, `/admin/clients/${id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  // The page behind the dialog has a part named Meetings too.
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Time zone').selectOption('Asia/Shanghai');
  await dialog.getByLabel('Weeks begin on').selectOption('Sunday');
  await dialog.getByLabel('Currency').fill('eur');
  await dialog.getByLabel('Meetings').fill('some');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter a whole number, or nothing.')).toBeVisible();
  await dialog.getByLabel('Meetings').fill('20');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Client updated successfully')).toBeVisible();
  const { data } = await site.service.from('clients').select().eq('id', id).single().throwOnError();
  expect(data).toMatchObject({ time_zone: 'Asia/Shanghai', first_weekday: 7, currency: 'EUR', meetings_goal: 20 });
  expect(data).toMatchObject({ replies_goal: null, delivered_goal: null });
});
