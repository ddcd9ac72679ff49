import { readFile } from 'node:fs/promises';
import { openAdmin, signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, test } from '../support/e2e.ts';
import { readNewestMail } from '../support/outbox.ts';
import { typeText } from '../support/rich-text.ts';
import { newClient } from '../support/site-clients.ts';

// The browser logs the 400 response of a rejected approval.
test.use({ allowedProblems: [/the server responded with a status of 400/] });

const FIRST = 'Hei {{first_name}},\n\nvi så at dere vokser. Har dere tid til en prat?\n\n<b>Hilsen</b>';
const SECOND = 'Hei {{first_name}},\n\nvi så at dere søker folk. Har dere tid til en prat?\n\n<b>Hilsen</b>';

test('A client answers a request on a phone, and the next version shows the changes', async ({ page, site }) => {
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  const section = page.getByRole('region', { name: 'Approvals, Nes AS' });
  const dialog = page.getByRole('dialog');

  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=approvals`);
  await expect(section).toContainText('No approvals are pending.');
  await section.getByRole('button', { name: 'Ask for approval: Nes AS' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Approval of a text' }).press('Enter');
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog.getByText('A title is required')).toBeVisible();
  await expect(dialog.getByText('A text is required')).toBeVisible();
  await dialog.getByLabel('Title').fill('First mail');
  await dialog.getByLabel('Subject').fill('A call, {{first_name}}?');
  await typeText(page, FIRST, 'Text');
  await expect(dialog.locator('.rich-field')).toHaveText('{{first_name}}');
  await dialog.getByLabel('Answer needed by').fill('2020-01-02');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog).toBeHidden();
  await expect(section).toContainText('Was due 2 Jan 2020');
  await expectNoAxeViolations(page);

  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, site, member);
  expect(await readNewestMail(site.dataFolder, member.email, /Please approve: First mail/)).toContain('/approve/');
  await page.goto('/client-dashboard?tab=approvals');
  await expect(section).toContainText('<b>Hilsen</b>');
  await expect(section.getByRole('definition')).toHaveText(['Nes AS', 'A call, {{first_name}}?']);
  await expect(section.locator('.rich-field')).toHaveText(['{{first_name}}', '{{first_name}}']);
  await expectNoAxeViolations(page);
  await section.getByRole('button', { name: 'Decline: First mail' }).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Decline' })).toHaveClass(/bg-danger/);
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(dialog.getByText('Enter a reason.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Say why you write.');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(section.getByRole('button', { name: /Approve/ })).toHaveCount(0);
  await expect(dialog).toBeHidden();
  await expect(section.getByRole('heading', { name: 'Approvals' })).toBeFocused();
  await section.getByText('Decided: 1').click();
  await expect(section).toContainText('Declined');

  await openAdmin(page, site, `/admin/clients/${id}?tab=approvals`);
  await section.getByRole('heading', { name: 'First mail' }).click();
  await expect(section).toContainText('Say why you write.');
  await section.getByRole('button', { name: 'Actions for First mail' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Next version' }).press('Enter');
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(page.getByText('The text is the same as before.')).toBeVisible();
  await expect(dialog.locator('.rich-field')).toHaveText('{{first_name}}');
  await typeText(page, SECOND, 'Text');
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog).toBeHidden();

  await signIn(page, site, member);
  await page.goto('/client-dashboard/report');
  await expect(page.getByRole('main')).toContainText('Your approval of “First mail”, was due 2 January 2020.');
  await page.goto('/client-dashboard?tab=approvals');
  await expect(section.locator('del, ins')).toHaveText(['vokser', 'søker folk']);
  await expect(section.getByText('vi så at dere vokser.')).toBeHidden();
  await section.getByText('Show previous version').click();
  await expect(section.getByText('vi så at dere vokser.')).toBeVisible();
  await expectNoAxeViolations(page);
  await section.getByRole('button', { name: 'Approve: First mail' }).click();
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(section).toContainText('Nothing needs your approval.');
  await section.getByText('Decided: 1').click();
  await section.getByText('The text and 1 earlier version').click();
  await expect(section).toContainText('Approved');
  await expect(section).toContainText('Declined: Say why you write.');
  await expectNoAxeViolations(page);
});

test('Approving a replaced version fails and shows the new version', async ({ page, site }) => {
  const { id, member } = await newClient(site, 'Nes AS');
  const request = { client_id: id, title: 'First mail' };
  const { data: approval } = await site.service.from('approvals').insert(request).select('id').single().throwOnError();
  const version = { client_id: id, approval_id: approval.id, number: 1, text: FIRST };
  await site.service.from('approval_versions').insert(version).throwOnError();
  await signIn(page, site, member);
  await page.goto('/client-dashboard?tab=approvals');
  const section = page.getByRole('region', { name: 'Approvals, Nes AS' });
  await section.getByRole('button', { name: 'Approve: First mail' }).click();
  await site.service
    .from('approval_versions')
    .insert({ ...version, number: 2, text: SECOND })
    .throwOnError();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('There is a newer version. Please read it first.')).toBeVisible();
  await expect(page.getByRole('dialog')).toContainText('version 1');
  await page.keyboard.press('Escape');
  await expect(section.locator('del, ins')).toHaveText(['vokser', 'søker folk']);
});

test('A client can approve an edited text, or request changes with a comment', async ({ page, site }) => {
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  await site.service.from('approvals').insert([
    { client_id: id, id: crypto.randomUUID(), title: 'First mail' },
    { client_id: id, id: crypto.randomUUID(), title: 'Second mail' },
  ]);
  const { data: approvals } = await site.service.from('approvals').select('id').eq('client_id', id).throwOnError();
  const versions = approvals.map((approval) => ({
    client_id: id,
    approval_id: approval.id,
    number: 1,
    text: FIRST,
    asked_by: teamMember.id,
  }));
  await site.service.from('approval_versions').insert(versions).throwOnError();
  const section = page.getByRole('region', { name: 'Approvals, Nes AS' });
  const dialog = page.getByRole('dialog');
  await signIn(page, site, member);
  await page.goto('/client-dashboard?tab=approvals');
  await section.getByRole('button', { name: 'Approve with changes: First mail' }).press('Enter');
  await dialog.getByRole('button', { name: 'Approve with changes' }).click();
  await expect(dialog.getByText('Change the text, or use “Request changes”.')).toBeVisible();
  await dialog.getByLabel('Your text').fill(SECOND);
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Approve with changes' }).click();
  await expect(section.getByRole('button', { name: /: First mail/ })).toHaveCount(0);
  await section.getByText('Decided: 1').click();
  await expect(section).toContainText('Approved with changes');
  await section.getByRole('button', { name: 'Request changes: Second mail' }).click();
  await dialog.getByLabel('What should change?').fill('Say hello first.');
  await dialog.getByRole('button', { name: 'Request changes' }).click();
  await expect(section).toContainText('Changes requested');
  await expect(section).toContainText('Nothing is approved yet.');

  await signIn(page, site, teamMember);
  // The email about the decision links to the approval.
  const mail = await readNewestMail(site.dataFolder, teamMember.email, /Changes requested: Second mail/);
  await page.goto(/\/team-dashboard\/clients\/\S+/.exec(mail)?.[0] ?? '');
  await expect(section.getByRole('listitem').filter({ hasText: 'Second mail' })).toBeFocused();
  await expect(section).toContainText('Approved with changes');
  await section.getByRole('heading', { name: 'First mail' }).click();
  await expect(section.locator('del, ins')).toHaveText(['vokser', 'søker folk']);
});

const LIST = [
  'First name,Last name,Title,Company,Website,Email',
  'Kari,Moe,CEO,Acme,https://acme.example/about,kari@acme.example',
  'Ola,Dal,Buyer,Acme,acme.example,ola@acme.example',
  'Per,Lie,Owner,Rival,rival.example,per@rival.example',
  'Siri,Vik,Baker,Elv,elv.example,siri@elv.example',
].join('\n');

test('A client can remove a company and a person from a list on a phone', async ({ page, site }) => {
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  const entry = { client_id: id, kind: 'domain', value: 'rival.example', hint: 'rival.example' };
  await site.service.from('do_not_contact').insert(entry).throwOnError();
  const section = page.getByRole('region', { name: 'Approvals, Nes AS' });
  const dialog = page.getByRole('dialog');
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=approvals`);
  await section.getByRole('button', { name: 'Ask for approval: Nes AS' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Approval of a list' }).press('Enter');
  await dialog.getByLabel('Title').fill('Bakers');
  await dialog.getByLabel('Description').fill('Bakers in Oslo with more than ten people.');
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a CSV' }).click();
  await (await chooser).setFiles({ name: 'bakers.csv', mimeType: 'text/csv', buffer: Buffer.from(LIST) });
  await expect(dialog).toContainText('On the blocklist: rival.example.');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Ask for approval of 3 rows' }).click();
  await expect(dialog).toBeHidden();
  await expect(section).toContainText('3 rows');

  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard?tab=approvals');
  await expect(section).toContainText('Kari Moe, CEO');
  await expect(section).not.toContainText('kari@acme.example');
  await expectNoAxeViolations(page);
  const rows = section.getByRole('list', { name: 'Rows of Bakers' }).getByRole('listitem');
  await section.getByRole('button', { name: 'Show all 2 of Acme' }).first().press('Enter');
  await expect(rows).toHaveCount(2);
  await section.getByRole('searchbox', { name: 'Search Bakers' }).fill('');
  await expect(rows).toHaveCount(3);
  await section.getByRole('button', { name: 'Remove Kari Moe, CEO' }).press('Enter');
  await dialog.getByLabel('Also add to the blocklist').check();
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Remove all 2 of Acme' }).click();
  await expect(section).toContainText('3 rows, 2 removed');
  await page.getByRole('tab', { name: 'Blocklist' }).click();
  await expect(page.getByRole('region', { name: 'Blocklist, Nes AS' })).toContainText('acme.example');
  await page.goBack();
  await section.getByRole('button', { name: 'Remove Siri Vik, Baker' }).click();
  await dialog.getByRole('button', { name: 'Remove only this row' }).click();
  await section.getByLabel('Only the 3 removed rows').check();
  await section.getByRole('button', { name: 'Restore Siri Vik, Baker' }).click();
  await expect(section).toContainText('3 rows, 2 removed');
  await section.getByRole('searchbox', { name: 'Search Bakers' }).fill('ola');
  await expect(rows).toHaveCount(1);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoHorizontalScroll(page);
  await section.getByRole('button', { name: 'Approve: Bakers' }).click();
  await expect(dialog).toContainText('We use all rows except those you removed.');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(section).toContainText('Nothing needs your approval.');

  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=approvals`);
  await section.getByRole('heading', { name: 'Bakers' }).click();
  await section.getByLabel('Only the 2 removed rows').check();
  await expect(rows).toHaveCount(2);
  await expect(section).toContainText(`${member.email} on`);

  await section.getByRole('button', { name: 'Actions for Bakers' }).click();
  await page.getByRole('menuitem', { name: 'Download approved rows' }).click();
  const chooseFile = async (name: string, text: string) => {
    const fileChooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Choose the CSV' }).click();
    await (await fileChooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  };
  await chooseFile('edited.csv', LIST.replace('Buyer', 'Owner'));
  await expect(dialog.getByRole('alert')).toContainText(
    'edited.csv is not the file that was uploaded for this version',
  );
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);
  const download = page.waitForEvent('download');
  await chooseFile('bakers.csv', LIST);
  const file = await download;
  expect(file.suggestedFilename()).toBe('bakers-approved.csv');
  const [header, , , , lastRow] = LIST.split('\n');
  expect(await readFile(await file.path(), 'utf8')).toBe(`\uFEFF${header}\n${lastRow}`);
  await expect(page.getByText('1 approved row downloaded')).toBeVisible();

  await section.getByRole('button', { name: 'Ask for approval: Nes AS' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Approval of a list' }).press('Enter');
  await dialog.getByLabel('Title').fill('Cafés');
  await dialog.getByLabel('Description').fill('Cafés in Oslo.');
  // Acme is on the blocklist now. Elv is approved, and the client removed it from another list.
  const other = { client_id: id, approval_id: crypto.randomUUID(), number: 1 };
  await site.service.from('approvals').insert({ client_id: id, id: other.approval_id, title: 'Shops', kind: 'list' });
  await site.service
    .from('approval_versions')
    .insert({ ...other, text: 'Shops.' })
    .throwOnError();
  await site.service.from('approval_rows').insert({ ...other, line: 2, domain: 'foss.example', person: 'Eva Vik' });
  await site.service
    .from('approval_vetoes')
    .insert({ ...other, line: 2, vetoed_by: member.id })
    .throwOnError();
  const nextChooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a CSV' }).click();
  const cafes = Buffer.from('Name,Website,Email\nEva Vik,foss.example,\nSiri Vik,,siri@elv.example');
  await (await nextChooser).setFiles({ name: 'cafes.csv', mimeType: 'text/csv', buffer: cafes });
  const removedRow = dialog.getByRole('checkbox', { name: /Eva Vik.* Removed by .* from “Shops”\./ });
  await expect(removedRow).not.toBeChecked();
  await expect(dialog.getByRole('button', { name: 'Ask for approval of 1 row' })).toBeVisible();
  await removedRow.press('Space');
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);
  await dialog.getByRole('button', { name: 'Ask for approval of 2 rows' }).click();
  await expect(dialog).toBeHidden();
  await expect(section).toContainText('2 rows');
});

test('The team saves an approved text to the library without the client’s name, and starts a new one from it', async ({
  page,
  site,
}) => {
  const { id, teamMember } = await newClient(site, 'Nes AS');
  const other = await newClient(site, 'Havn AS');
  await site.service.from('client_assignments').insert({ client_id: other.id, user_id: teamMember.id }).throwOnError();
  const { data: approval } = await site.service
    .from('approvals')
    .insert({ client_id: id, title: 'First mail' })
    .select('id')
    .single()
    .throwOnError();
  const version = { client_id: id, approval_id: approval.id, number: 1 };
  const text = 'Subject: A call, {{first_name}}?\n\nHei {{first_name}},\n\nwe are Nes AS.';
  await site.service
    .from('approval_versions')
    .insert({ ...version, text })
    .throwOnError();
  await site.service
    .from('approval_decisions')
    .insert({ ...version, verdict: 'yes' })
    .throwOnError();

  const section = page.getByRole('region', { name: 'Approvals, Nes AS' });
  const dialog = page.getByRole('dialog');
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=approvals`);
  await section.getByRole('button', { name: 'Text library' }).click();
  await expect(dialog).toContainText('The library is empty.');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await section.getByRole('button', { name: 'Actions for First mail' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Save to library' }).press('Enter');
  await expect(dialog.getByLabel('Subject')).toHaveValue('A call, {{first_name}}?');
  await dialog.getByLabel('When to use it').fill('For bakers.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Remove the client’s name (Nes AS) from the text.')).toBeVisible();
  await expectNoAxeViolations(page);
  await typeText(page, 'Hei {{first_name}},\n\nwe sell {{product}}.', 'Text');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(section.getByRole('button', { name: 'Actions for First mail' })).toBeFocused();

  await page.goto(`/team-dashboard/clients/${other.id}?tab=approvals`);
  await page.getByRole('button', { name: 'Ask for approval: Havn AS' }).click();
  await page.getByRole('menuitem', { name: 'Approval of a text' }).click();
  await dialog.getByLabel('Title').fill('To cafés');
  await dialog.getByRole('button', { name: 'Start from a text in the library' }).click();
  await dialog.getByLabel('Search the library').fill('bread');
  await expect(dialog).toContainText('No texts match your search.');
  await dialog.getByLabel('Search the library').fill('baker');
  const row = dialog.getByRole('list', { name: 'Texts' }).getByRole('listitem');
  await expect(row).toHaveCount(1);
  await row.getByText('Show the text').click();
  await expect(row).toContainText('we sell {{product}}.');
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoHorizontalScroll(page);
  await row.getByRole('button', { name: 'Edit First mail' }).click();
  await dialog.getByLabel('Title').fill('Opening');
  await expectNoAxeViolations(page);
  await expectNoHorizontalScroll(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByRole('button', { name: 'Use Opening' }).click();
  await expect(dialog.getByLabel('Title')).toHaveValue('To cafés');
  await expect(dialog.getByLabel('Subject')).toHaveValue('A call, {{first_name}}?');
  await expect(dialog.locator('.rich-field')).toHaveText(['{{first_name}}', '{{product}}']);
  await dialog.getByRole('button', { name: 'Start from a text in the library' }).click();
  await row.getByRole('button', { name: 'Delete Opening' }).click();
  await expectNoAxeViolations(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(dialog).toContainText('The library is empty.');
  await dialog.getByRole('button', { name: 'Back' }).click();
  await dialog.getByRole('button', { name: 'Ask for approval' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('region', { name: 'Approvals, Havn AS' })).toContainText('To cafés');
});
