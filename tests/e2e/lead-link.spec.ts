import { signedInClient } from '../support/admin-session.ts';
import {
  expect,
  expectNoAxeViolationsInAnyMode,
  expectNoHorizontalScroll,
  type Site,
  setGateCookie,
  test,
  type User,
} from '../support/e2e.ts';
import { readNewestMail } from '../support/outbox.ts';
import { newClient } from '../support/site-clients.ts';

interface NewLead {
  clientId: string;
  name: string;
  words?: string;
}

/** Adds a lead as a team member, and returns its id and the paths of the lead links in the email to the member. */
async function addMailedLead(site: Site, { teamMember, member }: { teamMember: User; member: User }, lead: NewLead) {
  const client = await signedInClient(site, teamMember);
  const { clientId, name, words = 'Call me tomorrow.' } = lead;
  const fields = { _name: name, _email: 'kari@kunde.example', _company: 'Kunde AS', _words: words };
  const { data: id } = await client.rpc('add_client_lead', { _client_id: clientId, ...fields }).throwOnError();
  const mail = await readNewestMail(site.dataFolder, member.email, new RegExp(`New lead: ${name}`));
  const [take = '', notFit = ''] = new Set(mail.match(/\/lead\/[0-9a-f]{64}(\?answer=not_fit)?/g));
  return { id, take, notFit };
}

const readStatus = async (site: Site, id: string) =>
  (await site.service.from('client_leads').select('status, reason, taken_by').eq('id', id).single()).data;

test('An approver can take a lead on a phone with two clicks from the email, and then set its outcome', async ({
  page,
  site,
  browser,
}) => {
  const { id: clientId, ...people } = await newClient(site, 'Nes AS');
  const { id, take } = await addMailedLead(site, people, { clientId, name: 'Kari Moe', words: 'Yes <b>please</b>!' });
  await page.setViewportSize({ width: 390, height: 844 });
  const response = await page.goto(take);
  expect(response?.headers()['cache-control']).toContain('no-store');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect(page.locator('meta[name=referrer]')).toHaveAttribute('content', 'no-referrer');
  await expect(page.getByRole('heading', { name: /asks Nes AS to answer a new lead$/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Kari Moe' })).toBeVisible();
  await expect(page.getByText('Yes <b>please</b>!')).toBeVisible();
  await expectNoAxeViolationsInAnyMode(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoHorizontalScroll(page);
  expect(await readStatus(site, id)).toEqual({ status: 'new', reason: '', taken_by: null });

  await page.getByRole('button', { name: 'Take it' }).press('Enter');
  const outcome = page.getByRole('main').getByRole('status');
  await expect(outcome).toHaveText('You have taken this lead.');
  await expect(outcome).toBeFocused();
  await expect(page.getByRole('button', { name: 'Take it' })).toHaveCount(0);
  expect(await readStatus(site, id)).toMatchObject({ status: 'taken', taken_by: people.member.id });
  await expectNoAxeViolationsInAnyMode(page);
  await expectNoHorizontalScroll(page);

  const otherPage = await browser.newPage({ baseURL: site.url });
  await setGateCookie(otherPage);
  await otherPage.goto(take);
  await expect(otherPage.getByRole('alert')).toContainText('This link was opened in another browser.');
  await otherPage.close();

  await page.reload();
  await page.getByRole('button', { name: 'More answers' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Won' }).press('Enter');
  await expect(outcome).toHaveText('Saved: Won.');
  expect(await readStatus(site, id)).toMatchObject({ status: 'won' });
});

test('"Not a fit" in the email opens the page with the field for the reason', async ({ page, site }) => {
  const { id: clientId, ...people } = await newClient(site, 'Elv AS');
  const { id, notFit } = await addMailedLead(site, people, { clientId, name: 'Ola Dal' });
  await page.goto(notFit);
  await expect(page.getByLabel('Reason')).toBeFocused();
  await page.getByRole('button', { name: 'Not a fit' }).click();
  await expect(page.getByText('Enter a reason.')).toBeVisible();
  await expectNoAxeViolationsInAnyMode(page);
  expect(await readStatus(site, id)).toMatchObject({ status: 'new' });
  await page.getByLabel('Reason').fill('Too small.');
  await page.getByRole('button', { name: 'Not a fit' }).click();
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Saved: Not a fit.');
  await expect(page.getByLabel('Reason')).toHaveCount(0);
  expect(await readStatus(site, id)).toMatchObject({ status: 'not_fit', reason: 'Too small.' });
});

test.describe('A lead link that is rejected', () => {
  test.use({ allowedProblems: [/status of 40\d/] });

  test('shows whether a colleague answered first or the link is no longer valid', async ({ page, site }) => {
    const { id: clientId, ...people } = await newClient(site, 'Dal AS');
    const { id, take } = await addMailedLead(site, people, { clientId, name: 'Per Lie' });
    await page.goto(take);
    await expect(page.getByRole('button', { name: 'Take it' })).toBeVisible();
    const change = { _client_id: clientId, _id: id, _expected_status: 'new', _status: 'taken' };
    await (await signedInClient(site, people.teamMember)).rpc('change_client_lead', change).throwOnError();
    await page.getByRole('button', { name: 'Take it' }).click();
    await expect(page.getByRole('alert')).toHaveText('Someone else has already taken this lead.');
    await expect(page.getByRole('button', { name: 'More answers' })).toBeVisible();
    await site.service.from('client_leads').delete().eq('id', id).throwOnError();
    for (const path of [take, `/lead/${'0'.repeat(64)}`]) {
      await page.goto(path);
      await expect(page.getByRole('alert')).toHaveText(
        'This link has expired, or the lead was deleted. Sign in to see your leads.',
      );
      await expect(page.getByRole('main').getByRole('link', { name: 'Go to your dashboard' })).toBeVisible();
    }
  });
});
