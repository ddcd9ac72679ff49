import { createClient } from '@supabase/supabase-js';
import { PUBLISHABLE_KEY } from '../../backend/http/keys.ts';
import {
  expect,
  expectNoAxeViolationsInAnyMode,
  expectNoSidewaysScroll,
  grantAccess,
  type Site,
  test,
  type User,
} from '../support/e2e.ts';
import { mailTo } from '../support/outbox.ts';
import { newClient } from '../support/site-clients.ts';

interface Asked {
  clientId: string;
  title: string;
  text: string;
  /** That gets its next version. */
  id?: string;
}

/** Asks as a team member does. @returns the approval's id */
async function ask(site: Site, { email, password }: User, { clientId, title, text, id }: Asked): Promise<string> {
  const client = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
  const { error } = await client.auth.signInWithPassword({ email, password });
  expect(error).toBeNull();
  const given = { _client_id: clientId, _title: title, _text: text, _approval_id: id ?? null };
  return (await client.rpc('ask_for_approval', given).throwOnError()).data;
}

/** Returns the path of the link in the mail that asks for a yes to that text. */
async function linkIn(site: Site, email: string, title: string): Promise<string> {
  const mail = await mailTo(site.dataFolder, email, new RegExp(`Waiting for your yes: ${title}`));
  return /\/approve\/[0-9a-f]{64}/.exec(mail.replaceAll('=\r\n', '').replaceAll('=\n', ''))?.[0] ?? '';
}

const decisionsIn = async (site: Site, clientId: string) =>
  (await site.service.from('approval_decisions').select('verdict, comment, decided_by').eq('client_id', clientId)).data;

test('An approver says yes from the mail on a phone without a password, and no other browser sees the text', async ({
  page,
  site,
  browser,
}) => {
  const { id, member, worker } = await newClient(site, 'Nes AS');
  await ask(site, worker, { clientId: id, title: 'First mail', text: 'Hei {{first_name}} <b>!</b>' });
  await page.setViewportSize({ width: 390, height: 844 });
  const link = await linkIn(site, member.email, 'First mail');
  const response = await page.goto(link);
  expect(response?.headers()['cache-control']).toContain('no-store');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect(page.locator('meta[name=referrer]')).toHaveAttribute('content', 'no-referrer');
  await expect(page.getByRole('heading', { name: 'One text to read' })).toBeVisible();
  await expectNoAxeViolationsInAnyMode(page);
  expect(await decisionsIn(site, id)).toEqual([]);
  await page.getByRole('button', { name: 'Show the text' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'First mail' })).toBeVisible();
  await expect(page.getByText('Hei {{first_name}} <b>!</b>')).toBeVisible();
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolationsInAnyMode(page);

  const forwarded = await browser.newPage({ baseURL: site.url });
  await grantAccess(forwarded);
  await forwarded.goto(link);
  await forwarded.getByRole('button', { name: 'Show the text' }).click();
  await expect(forwarded.getByRole('alert')).toContainText('This link was opened in another browser.');
  await forwarded.close();

  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('Please write what should be different.')).toBeVisible();
  expect(await decisionsIn(site, id)).toEqual([]);
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('status')).toContainText('Approved. We use the text as it stands.');
  expect(await decisionsIn(site, id)).toEqual([{ verdict: 'yes', comment: '', decided_by: member.id }]);
  await page.reload();
  await page.getByRole('button', { name: 'Show the text' }).click();
  await expect(page.getByRole('alert')).toContainText('This version is decided.');
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
});

test('The link of an old version says that there is a newer one, and one that ended that it did', async ({
  page,
  site,
}) => {
  const { id: clientId, member, worker } = await newClient(site, 'Fjell AS');
  const text = { clientId, title: 'Follow up', text: 'One.' };
  const id = await ask(site, worker, text);
  const link = await linkIn(site, member.email, 'Follow up');
  await ask(site, worker, { ...text, text: 'Two.', id });
  await page.goto(link);
  await page.getByRole('button', { name: 'Show the text' }).click();
  await expect(page.getByRole('alert')).toContainText('There is a newer version of this text.');
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await site.service.from('client_members').delete().eq('user_id', member.id).throwOnError();
  await page.reload();
  await page.getByRole('button', { name: 'Show the text' }).click();
  await expect(page.getByRole('alert')).toContainText('This link has ended.');
  await expect(page.getByRole('main').getByRole('link', { name: 'Go to your dashboard' })).toBeVisible();
  expect(await decisionsIn(site, clientId)).toEqual([]);
});
