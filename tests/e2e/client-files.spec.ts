import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { openAdmin, signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, expectWithinFrame, test } from '../support/e2e.ts';
import { newClient } from '../support/site-clients.ts';

test('A client can view, comment on and approve an uploaded picture', async ({ page, site }) => {
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  const files = page.getByRole('region', { name: 'Files, Nes AS' });
  const section = page.getByRole('region', { name: 'Approvals, Nes AS' });
  const dialog = page.getByRole('dialog');
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=files`);
  await expect(files).toContainText('No files yet.');
  const upload = async (name: string, mimeType: string, buffer: Buffer) => {
    const chooser = page.waitForEvent('filechooser');
    await files.getByRole('button', { name: 'Add a file for Nes AS' }).click();
    await (await chooser).setFiles({ name, mimeType, buffer });
    await expect(files).toContainText(name);
  };
  await upload('plan.txt', 'text/plain', Buffer.from('First we write to ten bakers.'));
  await upload('old.txt', 'text/plain', Buffer.from('Old.'));
  await upload('advert.png', 'image/png', await picture(400, 200));
  await expectNoAxeViolations(page);
  await files.getByRole('button', { name: 'Delete old.txt' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(files).not.toContainText('old.txt');
  await files.getByRole('button', { name: 'Use as logo: advert.png', exact: true }).press('Enter');
  await expect(files.getByRole('listitem').filter({ hasText: 'advert.png' })).toContainText('Logo');

  await page.getByRole('tab', { name: 'Approvals' }).click();
  await section.getByRole('button', { name: 'Ask for approval: Nes AS' }).click();
  await page.getByRole('menuitem', { name: 'Approval of a file' }).click();
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog.getByText('A file is required')).toBeVisible();
  await dialog.getByLabel('Title').fill('Advert');
  await dialog.getByLabel('Description').fill('For LinkedIn.');
  await dialog.getByLabel('File', { exact: true }).selectOption({ index: 1 });
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(section).toContainText('Advert');

  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard?tab=approvals');
  const logo = page.getByRole('banner').locator('img');
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(400);
  await expectWithinFrame(logo);
  // The frame is white in both themes, because most logos are drawn for one background only.
  await expect(logo.locator('..')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  const advert = section.getByRole('img', { name: 'advert.png' });
  await expect.poll(() => advert.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(400);
  await expectNoAxeViolations(page);
  const fileUrl = (await section.getByRole('link', { name: 'Open advert.png' }).getAttribute('href')) ?? '';
  expect((await page.request.get(fileUrl)).headers()['content-type']).toBe('image/png');
  await section.getByRole('button', { name: 'Comment on Advert' }).press('Enter');
  await dialog.getByLabel('Comment').fill('The colour is nice.');
  await dialog.getByRole('button', { name: 'Comment' }).click();
  await section.getByText('1 comment').click();
  await expect(section.getByRole('list', { name: 'Comments on Advert' })).toContainText('The colour is nice.');
  await page.getByRole('tab', { name: 'Files' }).click();
  const download = page.waitForEvent('download');
  await files.getByRole('button', { name: 'Download plan.txt' }).click();
  expect((await download).suggestedFilename()).toBe('plan.txt');
  await expect(files.getByRole('button', { name: /Delete|Add/ })).toHaveCount(0);
  await page.goBack();
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoHorizontalScroll(page);
  await section.getByRole('button', { name: 'Approve: Advert' }).click();
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(section).toContainText('Nothing needs your approval.');

  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=approvals`);
  await section.getByRole('button', { name: 'Actions for Advert' }).click();
  await page.getByRole('menuitem', { name: 'Next version' }).click();
  await dialog.getByLabel('File', { exact: true }).selectOption({ index: 2 });
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await section.getByRole('heading', { name: 'Advert' }).click();
  await expect(section).toContainText('First we write to ten bakers.');
  await expect(section.getByRole('button', { name: 'Download advert.png' })).toBeVisible();
});

test('A comment on a sentence is sent to the team, and an internal note stays hidden from the client', async ({
  page,
  site,
}) => {
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  const request = { client_id: id, title: 'First mail' };
  const { data: approval } = await site.service.from('approvals').insert(request).select('id').single().throwOnError();
  const text = 'Hei {{first_name}}.\n\nHar dere tid til en prat?';
  await site.service
    .from('approval_versions')
    .insert({ client_id: id, approval_id: approval.id, number: 1, text })
    .throwOnError();
  const section = page.getByRole('region', { name: 'Approvals, Nes AS' });
  const dialog = page.getByRole('dialog');
  await signIn(page, site, member);
  await page.goto('/client-dashboard?tab=approvals');
  await section.getByRole('button', { name: 'Comment on First mail' }).click();
  await dialog.getByRole('button', { name: 'Comment' }).click();
  await expect(dialog.getByText('A comment is required')).toBeVisible();
  await dialog.getByLabel('Passage').selectOption('Har dere tid til en prat?');
  await dialog.getByLabel('Comment').fill('Too stiff.');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Comment' }).click();
  await expect(section).toContainText('1 comment');

  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=approvals`);
  await section.getByRole('heading', { name: 'First mail' }).click();
  await section.getByText('1 comment').click();
  const comments = section.getByRole('list', { name: 'Comments on First mail' });
  await expect(comments.getByRole('blockquote')).toHaveText('Har dere tid til en prat?');
  await expect(comments).toContainText('Too stiff.');
  await page.getByRole('tab', { name: 'Overview' }).click();
  const notes = page.getByRole('region', { name: 'Notes, Nes AS' });
  await notes.getByLabel('New note on Nes AS').fill('Calls back on Fridays.');
  await notes.getByRole('button', { name: 'Add note' }).click();
  await expect(notes.getByRole('listitem')).toContainText('Calls back on Fridays.');
  await expectNoAxeViolations(page);

  await openAdmin(page, site, `/admin/clients/${id}`);
  await expect(notes).toContainText('Calls back on Fridays.');
  await signIn(page, site, member);
  await page.goto('/client-dashboard?tab=approvals');
  await expect(section).toContainText('1 comment');
  await expect(page.getByRole('main')).not.toContainText('Fridays');
  await expect(notes).toHaveCount(0);
});
