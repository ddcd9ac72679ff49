import { addDays } from '../../app/ui/lib/zoned-times.ts';
import { openAdmin, signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, test } from '../support/e2e.ts';
import { addFigures, newClient } from '../support/site-clients.ts';

/** First day of the previous month, which is the latest month that the dialog offers. */
const LAST_MONTH = `${addDays(`${new Date().toISOString().slice(0, 7)}-01`, -1).slice(0, 7)}-01`;

test('A case study shows a figure of a client until the client withdraws consent', async ({ page, site }) => {
  const { id, member, teamMember } = await newClient(site, 'Dal AS');
  await addFigures(site, id, teamMember.id, [{ metric: 'meetings', day: LAST_MONTH, value: 41 }]);
  const row = { title: 'Heat for hotels', slug: 'heat-for-hotels', metric: '', status: 'published' };
  const { data: project } = await site.service.from('projects').insert(row).select('id').single().throwOnError();
  const casePage = '/projects?case=heat-for-hotels';
  /** Returns what visitors receive, including cached pages. */
  const fetchHtml = async () => {
    const pages = await Promise.all(['/projects', casePage, '/'].map((path) => page.request.get(path)));
    return (await Promise.all(pages.map((response) => response.text()))).join('');
  };
  expect(await fetchHtml()).not.toContain('41 meetings');

  await openAdmin(page, site, `/admin/projects/${project.id}/edit`);
  const section = page.getByRole('region', { name: 'Client figure' });
  const dialog = page.getByRole('dialog');
  await section.getByRole('button', { name: 'Quote a figure' }).press('Enter');
  await dialog.getByRole('button', { name: 'Ask the client' }).click();
  await expect(dialog.getByText('Choose a client', { exact: true }).last()).toBeVisible();
  await dialog.getByLabel('Client').selectOption('Dal AS');
  await expect(dialog.getByRole('status')).toHaveText('41: meetings that were booked, measured against replies.');
  await dialog.getByLabel('Figure').selectOption('Pipeline');
  await expect(dialog.getByRole('status')).toHaveText('There is no figure for this period.');
  await dialog.getByLabel('Figure').selectOption('Meetings');
  await dialog.getByLabel('First month').selectOption(LAST_MONTH);
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Ask the client' }).click();
  await expect(section).toContainText('Waiting for approval by Dal AS: “41 meetings booked,');
  await expectNoAxeViolations(page);
  expect(await fetchHtml()).not.toContain('41 meetings');

  await page.setViewportSize({ width: 320, height: 700 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard');
  const pendingTasks = page.getByRole('region', { name: 'Waiting for you, Dal AS' });
  await pendingTasks.getByRole('button', { name: /^May we quote “41 meetings booked/ }).press('Enter');
  const quotes = page.getByRole('region', { name: 'Your figures on our website, Dal AS' });
  await expect(quotes.getByRole('link', { name: 'Heat for hotels' })).toHaveAttribute('href', casePage);
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);
  await quotes.getByRole('button', { name: 'Approve' }).press('Enter');
  await expect(quotes.getByRole('heading', { name: 'Your figures on our website' })).toBeFocused();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(pendingTasks).toContainText('Nothing needs your answer.');
  await expect.poll(fetchHtml).toMatch(/41\s*<\/span>.*meetings booked, \w+ \d{4}/s);

  // A corrected figure updates the quote.
  await addFigures(site, id, teamMember.id, [{ metric: 'meetings', day: addDays(LAST_MONTH, 1), value: 2 }]);
  await expect.poll(fetchHtml).toMatch(/43\s*<\/span>.*meetings booked, \w+ \d{4}/s);
  await page.goto(casePage);
  await expect(page.getByRole('dialog', { name: 'Heat for hotels' })).toContainText('43 meetings booked,');

  await page.goto('/client-dashboard?tab=figures');
  await expect(quotes).toContainText('Approved');
  await quotes.getByRole('button', { name: /^Withdraw consent: 43/ }).press('Enter');
  await expectNoAxeViolations(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw consent' }).press('Enter');
  await expect(quotes).toContainText('Withdrawn');
  await expectNoHorizontalScroll(page);
  await expect.poll(fetchHtml).not.toContain('meetings booked');
  await page.goto(casePage);
  await expect(page.getByRole('dialog', { name: 'Heat for hotels' })).not.toContainText('43');

  await openAdmin(page, site, `/admin/projects/${project.id}/edit`);
  await expect(section).toContainText('Dal AS withdrew their consent to quote “43 meetings booked,');
  await expect(section.getByRole('button', { name: 'Quote another figure' })).toBeVisible();
  await expectNoHorizontalScroll(page);
});
