import { addDays, dayOf, startOfWeek } from '../../app/ui/lib/zoned-times.ts';
import { openAdmin, signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';
import { openMailedLink, readNewestMail } from '../support/outbox.ts';
import { addFigures, newClient } from '../support/site-clients.ts';

test('An admin adds a client with people and a campaign, and the client sees it on a phone', async ({ page, site }) => {
  const member = await site.createUser({ role: 'client' });
  const teamMember = await site.createUser({ role: 'team' });
  await newClient(site, 'Havn AS');
  await openAdmin(page, site, '/admin/clients');
  await expect(page.getByRole('heading', { level: 1, name: 'Clients' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Havn AS' })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'New client' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog').getByText('A name is required')).toBeVisible();
  await page.getByLabel('Name').fill('Fjell AS');
  await page.getByLabel('Domain').fill('fjell.example');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Fjell AS' })).toBeVisible();

  await page.getByRole('button', { name: 'Add a campaign for Fjell AS' }).click();
  await page.getByLabel('Name').fill('<b onclick=alert(1)>Founders</b>');
  await page.getByLabel('Channel').selectOption('LinkedIn');
  await page.getByLabel('Phase').selectOption('Building');
  await page.getByLabel('Next step').fill('You read the first three messages');
  await page.getByLabel('Due').fill('2026-12-03');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: '<b onclick=alert(1)>Founders</b>' })).toBeVisible();

  await page.getByRole('tab', { name: 'People' }).click();
  await page.getByRole('form', { name: 'Add a person' }).getByLabel('Address').fill(member.email);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('region', { name: 'People' }).getByText(member.email)).toBeVisible();
  await page.getByLabel('Team member', { exact: true }).selectOption(teamMember.email);
  await page.getByRole('button', { name: 'Assign' }).press('Enter');
  await expect(page.getByRole('button', { name: `Actions for ${teamMember.email}` })).toBeVisible();
  await expectNoAxeViolations(page);

  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard');
  const portal = page.getByRole('region', { name: 'Fjell AS', exact: true });
  await expect(portal.getByRole('heading', { name: '<b onclick=alert(1)>Founders</b>' })).toBeVisible();
  await expect(portal).toContainText('Building');
  await expect(portal).toContainText('You read the first three messages');
  await expect(portal).toContainText('3 December 2026');
  await expect(portal.getByRole('button', { name: /campaign|Edit|Delete/ })).toHaveCount(0);
  await expect(page.getByText('Havn AS')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Generate Report' })).toBeVisible();
  await expectNoAxeViolations(page);
});

test('An invited person without an account becomes a viewer, and then an approver', async ({ page, site, browser }) => {
  const { id, teamMember } = await newClient(site, 'Holm AS');
  const approval = { client_id: id, title: 'First mail', id: crypto.randomUUID() };
  await site.service.from('approvals').insert(approval).throwOnError();
  const version = { client_id: id, approval_id: approval.id, number: 1, text: 'Hello.', asked_by: teamMember.id };
  await site.service.from('approval_versions').insert(version).throwOnError();
  const email = `guest-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await openAdmin(page, site, `/admin/clients/${id}?tab=people`);
  const people = page.getByRole('region', { name: 'People' });
  const form = page.getByRole('form', { name: 'Add a person' });
  await form.getByLabel('Address').fill(email);
  await form.getByLabel('Role').selectOption('Viewer');
  await form.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByText(`${email} invited`)).toBeVisible();
  await expect(people.getByRole('listitem').filter({ hasText: email })).toContainText('Invited. They get access');
  await expectNoAxeViolations(page);

  const guest = await browser.newPage({ baseURL: site.url, viewport: { width: 390, height: 844 } });
  const mail = await readNewestMail(site.dataFolder, email, /invites you to the client portal of Holm AS/);
  await openMailedLink(guest, mail);
  await expect(guest).toHaveURL(new RegExp(`/client-dashboard\\?client=${id}`));
  const portal = guest.getByRole('region', { name: 'Holm AS', exact: true });
  await expect(portal).toContainText('First mail');
  await guest.getByRole('tab', { name: 'Approvals' }).click();
  await expect(portal).toContainText('Approvers of Holm AS decide on this. As a viewer, you can only read it.');
  await expect(portal.getByRole('button', { name: /Approve|Decline/ })).toHaveCount(0);
  await guest.getByRole('tab', { name: 'Notifications' }).click();
  await expect(portal.getByText('Only approvers can approve or decline requests')).toBeVisible();
  await expect(portal.getByRole('switch')).toHaveCount(2);
  await portal.getByRole('switch', { name: 'When a report is ready' }).press('Space');
  await expect(guest.getByText('Email settings saved')).toBeVisible();
  await expect(portal.getByRole('switch', { name: 'When a report is ready' })).not.toBeChecked();
  await expectNoAxeViolations(guest);

  await page.reload();
  await people.getByRole('button', { name: `Actions for ${email}` }).press('Enter');
  await page.getByRole('menuitem', { name: 'Make approver' }).press('Enter');
  await expect(page.getByText(`${email} is now an approver`)).toBeVisible();
  await guest.reload();
  await expect(portal.getByRole('switch')).toHaveCount(3);
  await guest.getByRole('tab', { name: 'Approvals' }).click();
  await expect(portal.getByRole('button', { name: 'Approve: First mail' })).toBeVisible();
  await guest.close();
});

test('A team member opens their clients from the card, and edits a campaign with the keyboard', async ({
  page,
  site,
}) => {
  const { id, teamMember } = await newClient(site, 'Vidde AS');
  await newClient(site, 'Skog AS');
  await signIn(page, site, teamMember);
  await page.goto('/team-dashboard');
  await page.getByRole('link', { name: 'View Clients' }).click();
  await expect(page).toHaveURL('/team-dashboard#clients');
  const list = page.getByRole('region', { name: 'Clients' });
  await expect(list.getByRole('heading', { level: 2 })).toBeInViewport();
  await expect(list.getByRole('listitem').filter({ hasText: 'Vidde AS' })).toContainText('Never opened by the client');
  await expect(page.getByText('Skog AS')).toHaveCount(0);
  await page.getByRole('link', { name: 'View Projects' }).click();
  const projects = page.getByRole('region', { name: 'Projects' });
  await expect(projects.getByRole('heading', { level: 2 })).toBeInViewport();
  await expect(projects.getByRole('heading', { level: 3 })).toHaveText(['Running1']);
  await expectNoAxeViolations(page);
  await projects.getByRole('link', { name: 'Vidde AS in spring' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Vidde AS' })).toBeVisible();
  await page.getByRole('tab', { name: 'People' }).click();
  await expect(page.getByRole('region', { name: 'People' })).toContainText('Never opened');
  await expectNoAxeViolations(page);
  await page.goBack();

  const actions = page.getByRole('button', { name: 'Actions for Vidde AS in spring' });
  await expect(page.getByRole('listitem').filter({ has: actions })).toHaveCSS('height', '56px');
  await actions.press('Enter');
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter');
  await page.getByLabel('Next step').fill('Answer the replies');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Campaign saved successfully')).toBeVisible();
  await expect(page.getByText('Answer the replies')).toBeVisible();
  await expect(actions).toBeFocused();

  await site.service.from('client_assignments').delete().eq('client_id', id).throwOnError();
  await page.reload();
  await expect(page.getByText('Client not found')).toBeVisible();
  await page.getByRole('link', { name: 'Team dashboard' }).click();
  await expect(page.getByText('You are no longer assigned to a client.')).toBeVisible();
  await expect(page.getByText('Vidde AS')).toHaveCount(0);
});

test('The clients list and the head of a client page show pending approvals, the latest figures and late figures', async ({
  page,
  site,
}) => {
  const { id, member, teamMember } = await newClient(site, 'Aas AS');
  const { id: lateId } = await newClient(site, 'Bakke AS');
  const lastWeek = addDays(startOfWeek(dayOf(new Date().toISOString(), 'Europe/Oslo')), -7);
  await addFigures(site, id, teamMember.id, [
    { metric: 'replies', day: addDays(lastWeek, -7), value: 9, days: 7 },
    { metric: 'replies', day: lastWeek, value: 7, days: 7 },
  ]);
  await addFigures(site, lateId, teamMember.id, [{ metric: 'sent', day: addDays(lastWeek, -14), value: 5, days: 7 }]);
  await site.service.from('campaigns').update({ due_on: '2099-12-03' }).eq('client_id', id).throwOnError();
  const approval = { client_id: id, title: 'First mail', id: crypto.randomUUID() };
  await site.service.from('approvals').insert(approval).throwOnError();
  const version = { client_id: id, approval_id: approval.id, number: 1, text: 'Hello.', due_on: '2099-12-02' };
  await site.service.from('approval_versions').insert(version).throwOnError();
  await site.service
    .from('client_reads')
    .insert({ client_id: id, user_id: member.id, item_id: id, kind: 'portal' })
    .throwOnError();
  await openAdmin(page, site, '/admin/clients');
  const row = page.getByRole('listitem').filter({ hasText: 'Aas AS' });
  const summary =
    /Waiting for client1 itemBy 2 DecLast figures\d+ \w+ \d{4}Next due3 Dec 2099Aas AS in spring, runningLast opened\d+ /;
  await expect(row).toContainText(summary);
  const lateRow = page.getByRole('listitem').filter({ hasText: 'Bakke AS' });
  await expect(lateRow).toContainText(
    /Waiting for clientNothingLast figures.*2 weeks lateNext dueNo dateLast openedNever/,
  );
  await expectNoAxeViolations(page);

  await page.getByRole('link', { name: 'Aas AS' }).click();
  const head = page.getByRole('region', { name: 'Status, Aas AS' });
  await expect(head).toContainText(summary);
  const progress = page.getByRole('region', { name: 'Progress, Aas AS' });
  await expect(progress).toContainText('−2 vs. week before');
  await expectNoAxeViolations(page);
  await progress.getByRole('button', { name: 'Replies, last week: 7. Show the rows' }).click();
  await expect(page.getByRole('dialog', { name: 'Replies: 7' })).toContainText('weeks.csv');
});

test('A removed member gets the general dashboard immediately, even in an open window', async ({
  page,
  site,
  browser,
}) => {
  const { id, member } = await newClient(site, 'Myr AS');
  const memberPage = await browser.newPage({ baseURL: site.url });
  await signIn(memberPage, site, member);
  await memberPage.goto('/client-dashboard');
  await expect(memberPage.getByRole('heading', { name: 'Myr AS', exact: true })).toBeVisible();

  await openAdmin(page, site, `/admin/clients/${id}?tab=people`);
  const dialog = page.getByRole('alertdialog');
  await page.getByRole('button', { name: `Actions for ${member.email}` }).click();
  await page.getByRole('menuitem', { name: 'Make viewer' }).click();
  await expect(dialog).toContainText('This is the last approver.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: `Actions for ${member.email}` }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  // Remove the last approver after a warning.
  await expect(dialog).toContainText('This is the last approver.');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('No one at this client has access yet.')).toBeVisible();
  await expect(memberPage.getByRole('heading', { name: 'Myr AS', exact: true })).toHaveCount(0, { timeout: 30_000 });
  await expect(memberPage.getByRole('heading', { name: 'What happens next' })).toBeVisible({ timeout: 30_000 });

  // After the member is added again, the same window shows the client, and the member gets an email.
  const form = page.getByRole('form', { name: 'Add a person' });
  await form.getByLabel('Address').fill(member.email);
  await form.getByRole('button', { name: 'Add' }).click();
  await expect(memberPage.getByRole('heading', { name: 'Myr AS', exact: true })).toBeVisible({ timeout: 30_000 });
  await readNewestMail(site.dataFolder, member.email, /added you to the client portal of Myr AS/);
  await memberPage.close();
  await page.getByRole('button', { name: `Actions for ${member.email}` }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('No one at this client has access yet.')).toBeVisible();

  await signIn(page, site, member);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.goto('/client-dashboard');
  await expect(page.getByRole('link', { name: 'View Projects' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(calls.filter((path) => /client|campaign|figure/.test(path) && path.startsWith('/rest/'))).toEqual([]);
});

test("A team member can view the client's pages in a marked view, and leave it with the keyboard", async ({
  page,
  site,
}) => {
  const { id, member, teamMember } = await newClient(site, 'Utsikt AS');
  const { data: approval } = await site.service
    .from('approvals')
    .insert({ client_id: id, title: 'First mail' })
    .select('id')
    .single()
    .throwOnError();
  const version = { client_id: id, approval_id: approval.id, number: 1, text: 'Hello.', asked_by: teamMember.id };
  await site.service.from('approval_versions').insert(version).throwOnError();
  await site.service.from('client_notes').insert({ client_id: id, text: 'Pays late.' }).throwOnError();
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}`);
  await expect(page.getByText('Pays late.')).toBeVisible();
  const memberHeaders: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/rest/v1/')) memberHeaders.push(request.headers()['x-as-member']);
  });
  await page.getByRole('button', { name: 'View as client: Utsikt AS' }).press('Enter');
  const portal = page.getByRole('dialog');
  await expect(portal.getByRole('status').first()).toHaveText(`Viewing as ${member.email} (approver). Read only.`);
  const backButton = portal.getByRole('button', { name: 'Back to your view' });
  await expect(backButton).toBeFocused();
  await expect(portal.getByRole('heading', { name: 'Waiting for you' })).toBeVisible();
  await expect(portal.getByText('First mail').first()).toBeVisible();
  await expect(portal.getByText('Pays late.')).toHaveCount(0);
  await expect(portal).not.toContainText(teamMember.email);
  await expect(portal.getByRole('button', { name: /Approve|Accept|Dispute|Comment|Add/ })).toHaveCount(0);
  await portal.getByRole('tab', { name: 'Approvals' }).press('Enter');
  await expect(portal.getByText('Hello.').first()).toBeVisible();
  await expect.poll(() => memberHeaders.filter(Boolean).length).toBeGreaterThan(3);
  expect(new Set(memberHeaders.filter(Boolean))).toEqual(new Set([`${id}/${member.id}`]));
  await expectNoAxeViolations(page);
  await backButton.press('Enter');
  await expect(portal).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'View as client: Utsikt AS' })).toBeFocused();
  const { data: reads } = await site.service.from('client_reads').select('kind').eq('client_id', id).throwOnError();
  expect(reads).toEqual([]);
});

test('The owner first sees a sample client, and removes it with one click', async ({ page, site }) => {
  // Delete the clients of earlier tests.
  await site.service.from('clients').delete().gt('created_at', '2000-01-01').throwOnError();
  await openAdmin(page, site, '/admin/clients');
  await page.getByRole('button', { name: 'Add sample client' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Nordlys Energy', level: 1 })).toBeVisible();
  await expect(page.getByRole('note')).toContainText('Its people and figures are fictional');
  await page.getByRole('tab', { name: 'Approvals' }).click();
  await expect(page.getByRole('region', { name: 'Approvals, Nordlys Energy' })).toContainText('First mail to hotels');
  await page.getByRole('tab', { name: 'Meetings' }).click();
  await expect(page.getByRole('region', { name: 'Meetings, Nordlys Energy' })).toContainText('Disputed');
  await page.getByRole('tab', { name: 'Files' }).click();
  const files = page.getByRole('region', { name: 'Files, Nordlys Energy' });
  await expect(files).toContainText('What we say on the first call.txt');
  await expect(files.getByRole('listitem').filter({ hasText: 'Logo.svg' })).toContainText('Remove logo');
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'View as client: Nordlys Energy' }).press('Enter');
  const portal = page.getByRole('dialog');
  await expect(portal.getByRole('heading', { name: 'Waiting for you' })).toBeVisible();
  await expect(portal).toContainText('Brygga Bakery');
  await portal.getByRole('tab', { name: 'Approvals' }).click();
  await expect(portal.locator('ins').first()).toBeVisible();
  await expect(portal.getByRole('button', { name: /Approve|Accept|Dispute|Take|Add/ })).toHaveCount(0);
  await portal.getByRole('tab', { name: 'Blocklist' }).click();
  await expect(portal).toContainText('rival.example');
  await expect(portal.getByRole('button', { name: /Approve|Accept|Dispute|Take|Add/ })).toHaveCount(0);
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'View as client: Nordlys Energy' })).toBeFocused();
  await page.getByRole('link', { name: 'All clients' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Nordlys Energy' })).toContainText('Sample');
  await page.getByRole('link', { name: 'Nordlys Energy' }).click();
  await page.getByRole('button', { name: 'Remove the sample' }).click();
  await expect(page.getByText('No clients yet')).toBeVisible();
});
