import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';

test.use({ starterContent: false });

/** Chooses an action of the campaign Spring. */
async function chooseAction(page: Page, name: 'Edit' | 'Delete'): Promise<void> {
  await page.getByRole('button', { name: 'Actions for Spring' }).click();
  await page.getByRole('menuitem', { name }).click();
}

test('Changes that a colleague saved to a campaign are kept, and the dialog names the colleague', async ({
  page,
  site,
}) => {
  const { data: client } = await site.service
    .from('clients')
    .insert({ name: 'Fjell AS' })
    .select('id')
    .single()
    .throwOnError();
  const row = { client_id: client.id, name: 'Spring', channel: 'email', next_step: 'Write' };
  const { data: campaign } = await site.service.from('campaigns').insert(row).select('id').single().throwOnError();
  const readCampaign = async () =>
    (
      await site.service
        .from('campaigns')
        .select('name, phase, next_step')
        .eq('id', campaign.id)
        .single()
        .throwOnError()
    ).data;
  await openAdmin(page, site, `/admin/clients/${client.id}`);
  await chooseAction(page, 'Edit');
  const form = page.getByRole('dialog', { name: 'Edit campaign' });
  await form.getByLabel('Next step').fill('Send');
  await site.service.from('campaigns').update({ phase: 'running' }).eq('id', campaign.id).throwOnError();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  expect(await readCampaign()).toEqual({ name: 'Spring', phase: 'running', next_step: 'Send' });

  await chooseAction(page, 'Edit');
  await form.getByLabel('Next step').fill('Mine');
  await site.service.from('campaigns').update({ next_step: 'Theirs' }).eq('id', campaign.id).throwOnError();
  await form.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('dialog', { name: 'Someone else changed this campaign' });
  await expect(conflict).toContainText('Theirs');
  await expectNoAxeViolations(page);
  expect(await readCampaign()).toMatchObject({ next_step: 'Theirs' });
  await conflict.getByRole('button', { name: 'Keep editing' }).click();
  await expect(form.getByLabel('Next step')).toHaveValue('Mine');
  await form.getByRole('button', { name: 'Save' }).click();
  await conflict.getByRole('button', { name: 'Overwrite with mine' }).click();
  await expect(form).toBeHidden();
  expect(await readCampaign()).toMatchObject({ next_step: 'Mine' });
});

test('A campaign can be restored from its history, deleted and undeleted', async ({ page, site }) => {
  const { data: client } = await site.service
    .from('clients')
    .insert({ name: 'Fjell AS' })
    .select('id')
    .single()
    .throwOnError();
  await openAdmin(page, site, `/admin/clients/${client.id}`);
  await page.getByRole('button', { name: 'Add a campaign for Fjell AS' }).click();
  const form = page.getByRole('dialog', { name: 'campaign' });
  await form.getByLabel('Name').fill('Spring');
  await form.getByLabel('Next step').fill('First');
  await form.getByRole('button', { name: 'Save' }).click();
  await chooseAction(page, 'Edit');
  await form.getByLabel('Next step').fill('Second');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  await chooseAction(page, 'Edit');
  await form.getByRole('button', { name: 'History' }).click();
  await expect(form.getByText('Next step: First → Second')).toBeVisible();
  await expectNoAxeViolations(page);
  await form.getByRole('button', { name: /^Copy to form/ }).click();
  await expect(form.getByLabel('Next step')).toHaveValue('First');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('First', { exact: true })).toBeVisible();

  await chooseAction(page, 'Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No campaigns yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Deleted campaigns for Fjell AS' }).click();
  const deleted = page.getByRole('dialog', { name: 'Deleted campaigns' });
  await expectNoAxeViolations(page);
  await deleted.getByRole('button', { name: 'Restore Spring' }).click();
  await expect(deleted).toContainText('No deleted campaigns.');
  await deleted.getByRole('button', { name: 'Close' }).first().click();
  await expect(page.getByText('First', { exact: true })).toBeVisible();
});

test('Concurrent edits of clients, leads and checks are merged by field', async ({ page, site }) => {
  const { data: client } = await site.service
    .from('clients')
    .insert({ name: 'Fjell AS' })
    .select('id')
    .single()
    .throwOnError();
  await openAdmin(page, site, `/admin/clients/${client.id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Edit client' });
  await form.getByLabel('Meetings').fill('12');
  await site.service
    .from('clients')
    .update({ domain: 'fjell.example', replies_goal: 40 })
    .eq('id', client.id)
    .throwOnError();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  const { data: saved } = await site.service.from('clients').select().eq('id', client.id).single().throwOnError();
  expect(saved).toMatchObject({ domain: 'fjell.example', meetings_goal: 12, replies_goal: 40 });

  const row = { source: 'contact', name: 'Kari', email: 'kari@example.com', note: 'Old' };
  const { data: lead } = await site.service.from('leads').insert(row).select('id').single().throwOnError();
  await openAdmin(page, site, `/admin/leads/${lead.id}`);
  await page.getByLabel('Note').fill('Mine');
  await site.service.from('leads').update({ note: 'Theirs', status: 'won' }).eq('id', lead.id).throwOnError();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const conflict = page.getByRole('dialog', { name: 'Someone else changed this lead' });
  await expect(conflict).toContainText('Their changes were kept: Status.');
  await conflict.getByRole('radio', { name: 'Theirs' }).check();
  await conflict.getByRole('button', { name: 'Save selection' }).click();
  await expect(page.getByLabel('Note')).toHaveValue('Theirs');
  await expect(page.getByLabel('Status')).toHaveValue('won');

  const checks = () => site.service.from('assistant_checks');
  const checkRow = { question: 'Price?', must_name: ['fifty'], must_not_name: ['free'] };
  const { data: check } = await checks().insert(checkRow).select('id').single().throwOnError();
  await openAdmin(page, site, '/admin/conversations/checks');
  await page.getByRole('button', { name: /^Edit/ }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Edit check' });
  await dialog.getByLabel('The answer must mention').fill('fifty\nnothing');
  await checks()
    .update({ must_not_name: ['gratis'] })
    .eq('id', check.id)
    .throwOnError();
  await dialog.getByRole('button', { name: 'Save and run' }).click();
  await expect(dialog).toBeHidden();
  const { data: savedCheck } = await checks().select().eq('id', check.id).single().throwOnError();
  expect(savedCheck).toMatchObject({ must_name: ['fifty', 'nothing'], must_not_name: ['gratis'] });
});
