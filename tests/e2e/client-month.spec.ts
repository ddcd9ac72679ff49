/** A month of one client, from the first approval to the won deal. Each step continues with the result of the previous one. */
import type { Page } from '@playwright/test';
import { signedInClient, signIn } from '../support/admin-session.ts';
import { expect, type Site, test, type User } from '../support/e2e.ts';
import { readNewestMail } from '../support/outbox.ts';
import { typeText } from '../support/rich-text.ts';
import { newClient } from '../support/site-clients.ts';
import { addSource, postEvents } from '../support/sources.ts';

interface Month {
  site: Site;
  id: string;
  member: User;
  teamMember: User;
}

const LIST = ['Company,Email', 'Kunde AS,kari@kunde.example', 'Rival AS,per@rival.example'].join('\n');

/** Asks for the approval of a list and a text, in the portal of the team. */
async function askForApprovals(page: Page, { site, id, teamMember }: Month) {
  const section = page.getByRole('region', { name: 'Approvals, Elv AS' });
  const dialog = page.getByRole('dialog');
  const open = async (kind: string) => {
    await section.getByRole('button', { name: 'Ask for approval: Elv AS' }).press('Enter');
    await page.getByRole('menuitem', { name: `Approval of a ${kind}` }).press('Enter');
  };
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=approvals`);
  await open('list');
  await dialog.getByLabel('Title').fill('Bakers');
  await dialog.getByLabel('Description').fill('Bakers in Oslo.');
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a CSV' }).click();
  await (await chooser).setFiles({ name: 'bakers.csv', mimeType: 'text/csv', buffer: Buffer.from(LIST) });
  await dialog.getByRole('button', { name: 'Ask for approval of 2 rows' }).click();
  await expect(dialog).toBeHidden();
  await open('text');
  await dialog.getByLabel('Title').fill('First mail');
  await dialog.getByLabel('Subject').fill('A call?');
  await typeText(page, 'Good morning. Do you have ten minutes?', 'Text');
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog).toBeHidden();
}

/** Opens the approval link in the email about that title, and approves. */
async function approveByMail(page: Page, { site, member }: Month, title: string) {
  const mail = await readNewestMail(site.dataFolder, member.email, new RegExp(`Please approve: ${title}`));
  await page.goto(/\/approve\/[0-9a-f]{64}/.exec(mail)?.[0] ?? '');
  await page.getByRole('button', { name: 'Show content' }).press('Enter');
  if (title === 'Bakers') await page.getByRole('button', { name: 'Remove Rival AS' }).press('Enter');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(page.getByRole('main').getByRole('status')).toContainText('Approved');
}

/** Lets the campaign use the approved list and text, and sends events as its provider does. */
async function runCampaign(page: Page, { site, id, teamMember }: Month) {
  const worker = await signedInClient(site, teamMember);
  const { data: campaign } = await worker.from('campaigns').select('id').eq('client_id', id).single().throwOnError();
  const token = await addSource(worker, { id, campaign: campaign.id });
  const section = page.getByRole('region', { name: 'Event sources, Elv AS' });
  const dialog = page.getByRole('dialog');
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=figures`);
  await section.getByRole('button', { name: 'Texts that Elv AS in spring may send' }).press('Enter');
  await dialog.getByLabel('Step that sends First mail').selectOption('Step 1');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await section.getByRole('button', { name: 'Lists that Elv AS in spring may contact' }).press('Enter');
  await dialog.getByRole('switch', { name: 'Bakers' }).press('Space');
  await expect(dialog.getByRole('switch', { name: 'Bakers' })).toBeChecked();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const at = new Date().toISOString();
  const event = (number: number, kind: string, to: string) => ({ id: `${number}`, kind, at, to, step: 1 });
  const text = 'Good morning. Do you have ten minutes?';
  const events = [
    { ...event(1, 'sent', 'kari@kunde.example'), subject: 'A call?', text },
    event(2, 'delivered', 'kari@kunde.example'),
    { ...event(3, 'sent', 'per@rival.example'), subject: 'A call?', text },
    { ...event(4, 'positive_reply', 'kari@kunde.example'), name: 'Kari Moe', company: 'Kunde AS', text: 'Call me.' },
  ];
  expect((await postEvents(site, token, events)).status).toBe(200);
  await page.reload();
  const alarms = page.getByRole('region', { name: 'Alarms, Elv AS' });
  await expect(alarms.getByRole('listitem')).toHaveText([/p\*\*\*@rival\.example/]);
}

/** Adds the held meeting in the sheet of the lead. */
async function addMeeting(page: Page, { site, id, teamMember }: Month) {
  const dialog = page.getByRole('dialog', { name: 'New meeting' });
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=leads`);
  const leads = page.getByRole('region', { name: 'Leads, Elv AS' });
  await leads.getByRole('button', { name: /Kari Moe/ }).press('Enter');
  await page.getByRole('button', { name: 'Add a meeting with Kari Moe' }).press('Enter');
  await dialog.getByLabel('Time').fill(`${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T10:00`);
  await dialog.getByLabel('Outcome').selectOption('Held');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
}

test('One month of a client, from the first list to the won deal', async ({ page, site }) => {
  const month = { site, ...(await newClient(site, 'Elv AS')) };
  await askForApprovals(page, month);
  await page.setViewportSize({ width: 390, height: 844 });
  await approveByMail(page, month, 'Bakers');
  await approveByMail(page, month, 'First mail');
  await runCampaign(page, month);

  const mail = await readNewestMail(site.dataFolder, month.member.email, /New lead: Kari Moe/);
  expect(mail).toContain('Call me.');
  await page.goto(/\/lead\/[0-9a-f]{64}/.exec(mail)?.[0] ?? '');
  await page.getByRole('button', { name: 'Take it' }).press('Enter');
  await expect(page.getByRole('main').getByRole('status')).toHaveText('You have taken this lead.');
  await addMeeting(page, month);

  const meetings = page.getByRole('region', { name: 'Meetings, Elv AS' });
  const dialog = page.getByRole('dialog');
  await signIn(page, site, month.member);
  await page.goto('/client-dashboard?tab=meetings');
  await meetings.getByRole('button', { name: 'Accept the meeting with Kari Moe' }).press('Enter');
  await expect(meetings).toContainText('Accepted');
  await meetings.getByText('Kari Moe, ').first().click();
  await meetings.getByRole('button', { name: 'Report result of the meeting with Kari Moe' }).press('Enter');
  await dialog.getByLabel('Result').selectOption('Won');
  await dialog.getByLabel('Amount in NOK').fill('150,000');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(meetings).toContainText('Result: Won, NOK 150,000');

  // The lead shows the text that the person answered, and its status follows the result.
  await meetings.getByRole('link', { name: 'Lead: Kari Moe' }).click();
  const sheet = page.getByRole('dialog', { name: 'Lead Kari Moe' });
  await expect(sheet.getByLabel('Status')).toHaveValue('won');
  await expect(sheet).toContainText('First mail');
  await expect(sheet).toContainText('Call me.');
  await expect(sheet).toContainText('Kunde AS');
  await page.goto('/client-dashboard');
  await expect(page.getByRole('region', { name: 'Funnel, Elv AS' }).getByRole('listitem')).toHaveText([
    'Delivered1',
    'Replies–',
    'Leads1',
    'Meetings booked1100% of leads',
    'Meetings held1100% of booked',
    'Opportunities00% of held',
    'Won1100% of held',
  ]);
});
