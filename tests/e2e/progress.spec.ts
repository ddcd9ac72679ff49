import { addDays, dayOf, startOfWeek } from '../../app/lib/zoned-times.ts';
import { signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';
import { bringFigures, newClient } from '../support/site-clients.ts';

const THIS_WEEK = startOfWeek(dayOf(new Date().toISOString(), 'Europe/Oslo'));
const LAST_WEEK = addDays(THIS_WEEK, -7);

test('A client sees on a phone how it goes, and opens a figure down to its rows and their import', async ({
  page,
  site,
}) => {
  const { id, member, worker } = await newClient(site, 'Tind AS');
  await site.service.from('clients').update({ meetings_goal: 1000 }).eq('id', id).throwOnError();
  await bringFigures(site, id, worker.id, [
    { metric: 'meetings', day: addDays(LAST_WEEK, -7), value: 4, days: 7 },
    ...[1, 2, 3].map((value, index) => ({ metric: 'meetings', day: addDays(LAST_WEEK, index), value })),
    { metric: 'replies', day: LAST_WEEK, value: 1234, days: 7 },
  ]);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard');
  const own = page.getByRole('region', { name: 'How it goes' });
  await expect(own).toContainText('Last week, ');
  await expect(own).toContainText('2 more than the week before');
  await expect(own).toContainText('1,234');
  await expect(own).toContainText('No figure of the week before');
  await expect(own).toContainText(/ of 1,000 for \w+, \d%/);
  await expect(own.getByRole('img', { name: /^Meetings in the 12 weeks up to .* no figure, 4, 6$/ })).toBeVisible();
  await expect(own.getByRole('listitem').filter({ hasText: 'Delivered' })).toContainText('No figure yet');
  await expectNoAxeViolations(page);

  await own.getByRole('button', { name: 'Meetings, last week: 6. Show the rows' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Meetings: 6' });
  await expect(dialog).toContainText('Tind AS in spring');
  await expect(dialog.getByRole('listitem')).toHaveText([/1From weeks\.csv/, /2From weeks\.csv/, /3From weeks\.csv/]);
  await expect(dialog).not.toContainText(worker.email);
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await expect(own.getByRole('button', { name: /^Meetings/ })).toBeFocused();
});

test('A client without figures reads what comes', async ({ page, site }) => {
  const { member } = await newClient(site, 'Dal AS');
  await signIn(page, site, member);
  await page.goto('/client-dashboard');
  await expect(page.getByText('Your figures will stand here')).toBeVisible();
  await expectNoAxeViolations(page);
});
