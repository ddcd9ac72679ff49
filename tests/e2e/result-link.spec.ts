import { signedInClient } from '../support/admin-session.ts';
import {
  expect,
  expectNoAxeViolationsInAnyMode,
  expectNoHorizontalScroll,
  type Site,
  setGateCookie,
  test,
} from '../support/e2e.ts';
import { readNewestMail } from '../support/outbox.ts';
import { newClient } from '../support/site-clients.ts';
import { findZoneAtNoon } from '../support/zone-at-noon.ts';

/** Adds a client with a meeting that was held 40 days ago, and returns the path of the result link in the email to the member. */
async function addMailedMeeting(site: Site, name: string) {
  const { id: clientId, member, teamMember } = await newClient(site, name);
  // Result requests are sent from 8:00 in the client's time zone.
  await site.service.from('clients').update({ time_zone: findZoneAtNoon() }).eq('id', clientId).throwOnError();
  const team = await signedInClient(site, teamMember);
  const starts_at = new Date(Date.now() - 40 * 86_400_000).toISOString();
  const meeting = { _client_id: clientId, _starts_at: starts_at, _met_with: 'Kari Moe, Kunde AS', _outcome: 'held' };
  const { data: id } = await team.rpc('save_client_meeting', meeting).throwOnError();
  await site.service.from('client_meetings').update({ answer_until: starts_at }).eq('id', id).throwOnError();
  const mail = await readNewestMail(site.dataFolder, member.email, /What were the results of your meetings/);
  const [path = ''] = /\/result\/[0-9a-f]{64}/.exec(mail) ?? [];
  return { clientId, id, path, team };
}

const readReports = async (site: Site, id: string) =>
  (
    await site.service
      .from('client_meeting_results')
      .select('number, status, amount, reason')
      .eq('meeting_id', id)
      .order('number')
  ).data;

test('An approver can report and correct a result on a phone from the email without signing in', async ({
  page,
  site,
  browser,
}) => {
  const { id, path } = await addMailedMeeting(site, 'Nes AS');
  await page.setViewportSize({ width: 390, height: 844 });
  const response = await page.goto(path);
  expect(response?.headers()['cache-control']).toContain('no-store');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect(page.locator('meta[name=referrer]')).toHaveAttribute('content', 'no-referrer');
  await expect(page.getByRole('heading', { name: /asks Nes AS about the result of a meeting$/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Kari Moe, Kunde AS' })).toBeVisible();
  await expect(page.getByRole('radio')).toHaveCount(4);
  await expect(page.getByRole('main')).toContainText('Result: Not reported');
  await expect(page.getByRole('link', { name: 'Book a call' })).toHaveCount(0);
  await expectNoAxeViolationsInAnyMode(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoHorizontalScroll(page);
  expect(await readReports(site, id)).toEqual([]);

  const save = page.getByRole('main').getByRole('button', { name: 'Save' });
  const outcome = page.getByText('Your answer is saved. You can change it here.');
  await save.click();
  await expect(page.getByText('Choose a result.')).toBeVisible();
  await page.getByLabel('Won').check();
  await save.click();
  await expect(page.getByText('Enter the amount of the deal.')).toBeVisible();
  await expectNoAxeViolationsInAnyMode(page);
  await page.getByLabel('Amount in NOK').fill('150,000');
  await save.press('Enter');
  await expect(outcome).toBeFocused();
  await expect(page.getByRole('main')).toContainText('Result: Won, NOK 150,000');
  expect(await readReports(site, id)).toMatchObject([{ status: 'won', amount: 150_000 }]);
  await expectNoAxeViolationsInAnyMode(page);
  await expectNoHorizontalScroll(page);

  const otherPage = await browser.newPage({ baseURL: site.url });
  await setGateCookie(otherPage);
  await otherPage.goto(path);
  await expect(otherPage.getByRole('alert')).toContainText('This link was opened in another browser.');
  await otherPage.close();

  await page.reload();
  await expect(page.getByRole('main')).toContainText('Result: Won, NOK 150,000');
  await page.getByLabel('Lost').check();
  await page.getByLabel('Reason').fill('They chose a supplier nearby.');
  await save.click();
  await expect(outcome).toBeFocused();
  await expect(page.getByRole('main')).toContainText('Result: Lost');
  await expect(page.getByRole('main')).toContainText('They chose a supplier nearby.');
  expect(await readReports(site, id)).toMatchObject([{}, { status: 'lost', amount: null }]);
});

test.describe('A result link that is rejected', () => {
  test.use({ allowedProblems: [/status of 40\d/] });

  test('shows the same message for an answered meeting and for an unknown token', async ({ page, site }) => {
    const { clientId, id, path, team } = await addMailedMeeting(site, 'Dal AS');
    await page.goto(path);
    await page.getByLabel('Nothing yet').check();
    const result = { _client_id: clientId, _meeting_id: id, _expected_number: 0, _status: 'opportunity' };
    await team.rpc('report_meeting_result', result).throwOnError();
    await page.getByRole('main').getByRole('button', { name: 'Save' }).click();
    const expired = 'This link has expired, or the result was reported in the meantime. Sign in to see your meetings.';
    await expect(page.getByRole('alert')).toHaveText(expired);
    for (const rejectedPath of [path, `/result/${'0'.repeat(64)}`]) {
      await page.goto(rejectedPath);
      await expect(page.getByRole('alert')).toHaveText(expired);
      await expect(page.getByRole('main').getByRole('link', { name: 'Go to your dashboard' })).toBeVisible();
    }
    expect(await readReports(site, id)).toHaveLength(1);
  });
});
