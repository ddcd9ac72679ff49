import { createClient } from '@supabase/supabase-js';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
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

interface TextRequest {
  clientId: string;
  title: string;
  text: string;
  /** Approval that gets a new version. Undefined to create an approval. */
  id?: string;
}

/** Requests an approval as a team member. @returns the id of the approval */
async function requestApproval(site: Site, user: User, { clientId, title, text, id }: TextRequest): Promise<string> {
  const client = await createApiClient(site, user);
  const args = { _client_id: clientId, _title: title, _text: text, _approval_id: id ?? null };
  return (await client.rpc('ask_for_approval', args).throwOnError()).data;
}

/** Returns the path of the approval link in the email about that text. */
async function readLink(site: Site, email: string, title: string): Promise<string> {
  const mail = await readNewestMail(site.dataFolder, email, new RegExp(`Please approve: ${title}`));
  return /\/approve\/[0-9a-f]{64}/.exec(mail.replaceAll('=\r\n', '').replaceAll('=\n', ''))?.[0] ?? '';
}

/** Returns an API client that is signed in as the team member. */
async function createApiClient(site: Site, { email, password }: User) {
  const client = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
  expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
  return client;
}

const readDecisions = async (site: Site, clientId: string) =>
  (await site.service.from('approval_decisions').select('verdict, comment, decided_by').eq('client_id', clientId)).data;

test('An approver can approve on a phone from the email, and no other browser can read the text', async ({
  page,
  site,
  browser,
}) => {
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  await requestApproval(site, teamMember, { clientId: id, title: 'First mail', text: 'Hei {{first_name}} <b>!</b>' });
  await page.setViewportSize({ width: 390, height: 844 });
  const link = await readLink(site, member.email, 'First mail');
  const response = await page.goto(link);
  expect(response?.headers()['cache-control']).toContain('no-store');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect(page.locator('meta[name=referrer]')).toHaveAttribute('content', 'no-referrer');
  await expect(page.getByRole('heading', { name: /asks for your approval$/ })).toBeVisible();
  await expectNoAxeViolationsInAnyMode(page);
  expect(await readDecisions(site, id)).toEqual([]);
  await page.getByRole('button', { name: 'Show content' }).press('Enter');
  await expect(page.getByRole('heading', { name: /asks you to approve “First mail” for Nes AS$/ })).toBeFocused();
  await expect(page.getByText('Hei {{first_name}} <b>!</b>')).toBeVisible();
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoHorizontalScroll(page);
  await expectNoAxeViolationsInAnyMode(page);

  const otherPage = await browser.newPage({ baseURL: site.url });
  await setGateCookie(otherPage);
  await otherPage.goto(link);
  await otherPage.getByRole('button', { name: 'Show content' }).click();
  await expect(otherPage.getByRole('alert')).toContainText('This link was opened in another browser.');
  await otherPage.close();

  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('Describe what should change.')).toBeVisible();
  expect(await readDecisions(site, id)).toEqual([]);
  await page.getByRole('button', { name: 'Approve with changes' }).press('Enter');
  await expect(page.getByLabel('Your text')).toBeFocused();
  await expectNoAxeViolationsInAnyMode(page);
  await page.getByLabel('Your text').fill('Hei {{first_name}}!');
  await page.getByRole('button', { name: 'Approve with changes' }).click();
  await expect(page.getByRole('status')).toContainText('Approved with changes. We will use the text as you wrote it.');
  await expect(page.getByRole('status')).toBeFocused();
  expect(await readDecisions(site, id)).toEqual([{ verdict: 'yes', comment: '', decided_by: member.id }]);
  await page.reload();
  await page.getByRole('button', { name: 'Show content' }).click();
  await expect(page.getByRole('alert')).toContainText('This link has already been used.');
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0);
});

test('An approval link reports a newer version or a closed approval', async ({ page, site }) => {
  const { id: clientId, member, teamMember } = await newClient(site, 'Fjell AS');
  const text = { clientId, title: 'Follow up', text: 'One.' };
  const id = await requestApproval(site, teamMember, text);
  const link = await readLink(site, member.email, 'Follow up');
  await requestApproval(site, teamMember, { ...text, text: 'Two.', id });
  await page.goto(link);
  await page.getByRole('button', { name: 'Show content' }).click();
  await expect(page.getByRole('alert')).toContainText('A newer version exists.');
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0);
  await site.service.from('client_members').delete().eq('user_id', member.id).throwOnError();
  await page.reload();
  await page.getByRole('button', { name: 'Show content' }).click();
  await expect(page.getByRole('alert')).toContainText('This link has expired.');
  await expect(page.getByRole('main').getByRole('link', { name: 'Go to your dashboard' })).toBeVisible();
  expect(await readDecisions(site, clientId)).toEqual([]);
});

test('An approver removes a company from a list through the email, restores one row, and approves', async ({
  page,
  site,
}) => {
  const { id, member, teamMember } = await newClient(site, 'Elv AS');
  const _rows = [
    { line: 2, company: 'Acme', domain: 'acme.no', person: 'Kari Moe', address: 'kari@acme.no' },
    { line: 3, company: 'Acme', domain: 'acme.no', person: 'Ola Dal', address: 'ola@acme.no' },
    { line: 4, company: '<img src=x onerror=alert(1)>', person: 'Per Lie', address: 'per@bre.no' },
    ...Array.from({ length: 6 }, (_, n) => ({ line: n + 5, company: `Bakery ${n}`, address: `hei@bakery${n}.no` })),
  ];
  const args = { _client_id: id, _title: 'Bakers', _text: 'Bakers in Oslo.', _rows, _is_dry_run: false };
  await (await createApiClient(site, teamMember)).rpc('ask_for_list_approval', args).throwOnError();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(await readLink(site, member.email, 'Bakers'));
  await page.getByRole('button', { name: 'Show content' }).click();
  const rows = page.getByRole('list', { name: 'Rows of Bakers' });
  await expect(rows.getByRole('listitem')).toHaveCount(8);
  await page.getByRole('button', { name: 'Show all 9 rows' }).press('Enter');
  await expect(rows.getByRole('listitem')).toHaveCount(9);
  await expect(rows).toBeFocused();
  await expect(rows).toContainText('<img src=x onerror=alert(1)>');
  await rows.getByRole('button', { name: 'Remove all 2 of acme.no, line 2' }).press('Enter');
  await rows.getByRole('button', { name: 'Restore Ola Dal' }).click();
  await expect(rows.getByRole('button', { name: 'Remove Ola Dal' })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoHorizontalScroll(page);
  await expectNoAxeViolationsInAnyMode(page);
  await page.getByRole('searchbox', { name: 'Search Bakers' }).fill('per');
  await expect(rows.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(page.getByRole('main').getByRole('status')).toContainText('Approved, without the rows you removed.');
  await expect(rows.getByRole('button', { name: /Remove/ })).toHaveCount(0);
  expect(await readDecisions(site, id)).toEqual([{ verdict: 'yes', comment: '', decided_by: member.id }]);
  const { data } = await site.service.from('approval_vetoes').select('line').eq('client_id', id);
  expect(data).toEqual([{ line: 2 }]);
});

test('An approver can decline a picture through the email', async ({ page, site }) => {
  const { id, member, teamMember } = await newClient(site, 'Dal AS');
  const client = await createApiClient(site, teamMember);
  const path = `${id}/advert.png`;
  const upload = { contentType: 'image/png', metadata: { name: 'advert.png' } };
  expect((await client.storage.from('client-files').upload(path, await picture(400, 200), upload)).error).toBeNull();
  const { data: file } = await client.from('client_files').select('id').eq('object_name', path).single().throwOnError();
  const args = { _client_id: id, _title: 'Advert', _text: 'For LinkedIn.', _file_id: file.id };
  await client.rpc('ask_for_file_approval', args).throwOnError();
  await page.goto(await readLink(site, member.email, 'Advert'));
  await page.getByRole('button', { name: 'Show content' }).click();
  const advert = page.getByRole('img', { name: 'advert.png' });
  await expect.poll(() => advert.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(400);
  await expect(page.getByText('For LinkedIn.')).toBeVisible();
  const fileUrl = (await page.getByRole('link', { name: 'Open the file' }).getAttribute('href')) ?? '';
  expect((await page.request.get(fileUrl)).headers()['content-type']).toBe('image/png');
  await expectNoAxeViolationsInAnyMode(page);
  await page.getByLabel('Comment').fill('Another colour.');
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByRole('main').getByRole('status')).toContainText('Declined. We will not use the file.');
  await expect(page.locator('main .bg-accent-soft')).toHaveCount(0);
  expect(await readDecisions(site, id)).toEqual([{ verdict: 'no', comment: 'Another colour.', decided_by: member.id }]);
});
