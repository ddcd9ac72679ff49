import { openAdmin, signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';
import { newClient } from '../support/site-clients.ts';

const csv = (content: string | Buffer) => ({
  name: 'customers.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(content),
});

test('A client can block contacts on a phone, and the team can look up a contact', async ({ page, site }) => {
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard?tab=blocklist');
  const list = page.getByRole('region', { name: 'Blocklist, Nes AS' });
  await expect(list).toContainText('The blocklist is empty.');
  await list.getByRole('button', { name: 'Add to the blocklist' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog
    .getByLabel('Domains and addresses')
    .fill('https://www.kunde.example/om\nOla <ola@fri.example>\n=1+1\nkunde.example');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  const summary = dialog.getByRole('region', { name: 'Summary' });
  await expect(summary).toContainText('Line 3=1+1. Starts with =, +, - or @ like a formula.');
  await expect(summary).toContainText('Line 2o***@fri.example');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Add 2 entries' }).click();
  await expect(list).toContainText('kunde.example');
  await expect(list).toContainText('o***@fri.example');
  await expect(dialog).toBeHidden();

  await list.getByRole('button', { name: 'Add to the blocklist' }).click();
  const file = dialog.locator('input[type=file]');
  await file.setInputFiles(csv(Buffer.from([0x50, 0x4b, 0x03, 0x04])));
  await expect(dialog.getByRole('alert')).toContainText('Save the table as “CSV UTF-8”');
  await file.setInputFiles(csv('Name,Email\nKari,kari@fri.example\nOla,ola@fri.example\n"=HYPERLINK(""x"")",=cmd'));
  await expect(summary).toContainText('Line 4=cmd. Starts with =, +, - or @ like a formula.');
  await dialog.getByRole('button', { name: 'Add 1 entry' }).click();
  await expect(list).toContainText('k***@fri.example');
  await expect(dialog).toBeHidden();
  await list.getByRole('button', { name: 'Actions for k***@fri.example' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Remove' }).press('Enter');
  await expect(list.getByText('k***@fri.example')).toHaveCount(0);
  await expectNoAxeViolations(page);
  const { data } = await site.service.from('do_not_contact').select('hint').eq('client_id', id).order('hint');
  expect(data).toEqual([{ hint: 'kunde.example' }, { hint: 'o***@fri.example' }]);

  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=blocklist`);
  const searchContact = async (text: string) => {
    await list.getByLabel('Is this address or domain on the list?').fill(text);
    await page.keyboard.press('Enter');
  };
  await searchContact('Ola@fri.example');
  await expect(list.getByRole('status')).toHaveText('Yes. Ola@fri.example is on the list.');
  await searchContact('x@salg.kunde.example');
  await expect(list.getByRole('status')).toHaveText('Yes. x@salg.kunde.example is blocked by kunde.example.');
  await searchContact('per@fri.example');
  await expect(list.getByRole('status')).toHaveText('No. per@fri.example is not on the list.');
  await expectNoAxeViolations(page);

  await openAdmin(page, site, `/admin/clients/${id}?tab=blocklist`);
  await list.getByRole('button', { name: 'Actions for kunde.example' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(page.getByText('kunde.example removed from the blocklist')).toBeVisible();
});
