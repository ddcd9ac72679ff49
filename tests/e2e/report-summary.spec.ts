/** The summary of a report with a configured language model, which is faked on loopback. */
import { addDays, dayOf, startOfWeek } from '../../app/ui/lib/zoned-times.ts';
import { signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';
import { reply, startFakeUpstream } from '../support/fake-upstream.ts';
import { addFigures, newClient } from '../support/site-clients.ts';
import { findZoneAtNoon } from '../support/zone-at-noon.ts';

test.use({
  // A rejected draft returns 422.
  allowedProblems: [/422/],
  environment: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const model = await startFakeUpstream();
      model.behave(
        reply('We counted 48 replies this week. That is 20% more.'),
        reply('We counted 48 replies this week.\n\nThe campaign continues.'),
        reply('The campaign continues.'),
      );
      await use({ AI_BASE_URL: model.url, AI_MODEL: 'test-model' });
      await model.close();
    },
    { scope: 'worker' },
  ],
});

const LAST_WEEK = addDays(startOfWeek(dayOf(new Date().toISOString(), 'Europe/Oslo')), -7);

test('A drafted summary with an unknown number is rejected, and a user must save a valid draft', async ({
  page,
  site,
}) => {
  const { id, teamMember } = await newClient(site, 'Bre AS');
  await addFigures(site, id, teamMember.id, [{ metric: 'replies', day: LAST_WEEK, value: 48, days: 7 }]);
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=reports`);
  await page.getByRole('button', { name: 'New report for Bre AS' }).press('Enter');
  await page.getByRole('button', { name: 'Create draft' }).click();

  const suggest = page.getByRole('button', { name: 'Suggest a summary' });
  const modelNotice = page.getByRole('status').filter({ hasText: 'language model' });
  await suggest.press('Enter');
  await expect(page.getByText('used a number that the report does not contain')).toBeVisible();
  await expect(page.getByLabel('Summary')).toHaveValue('');
  await suggest.press('Enter');
  await expect(page.getByLabel('Summary')).toBeFocused();
  await expect(page.getByLabel('Summary')).toHaveValue('We counted 48 replies this week.\n\nThe campaign continues.');
  await expect(modelNotice).toContainText('Check and edit it, then save it.');
  await expect(suggest).toHaveCount(0);
  await expectNoAxeViolations(page);

  // The draft is not stored until a user saves it.
  await expect(page.getByRole('button', { name: 'Approve and send…' })).toBeDisabled();
  await expect(page.getByRole('article')).not.toContainText('48 replies this week');
  await page.getByRole('button', { name: 'Save summary' }).click();
  await expect(page.getByRole('article')).toContainText('We counted 48 replies this week.');
});

test('A scheduled report has a drafted summary, which a user must save before approval', async ({ page, site }) => {
  const { id, teamMember } = await newClient(site, 'Elv AS');
  const zone = findZoneAtNoon();
  const today = new Date(dayOf(new Date().toISOString(), zone));
  const schedule = {
    report_weekday: today.getUTCDay() || 7,
    report_hour: 0,
    time_zone: zone,
    created_at: addDays(LAST_WEEK, -30),
  };
  await site.service.from('clients').update(schedule).eq('id', id).throwOnError();
  const readDraft = () => site.service.from('client_reports').select('id, summary').eq('client_id', id).maybeSingle();
  await expect.poll(async () => (await readDraft()).data?.summary).toBe('The campaign continues.');
  await signIn(page, site, teamMember);
  await page.goto(`/reports/${(await readDraft()).data?.id}`);
  await expect(page.getByLabel('Summary')).toHaveValue('The campaign continues.');
  const modelNotice = page.getByRole('status').filter({ hasText: 'language model' });
  await expect(modelNotice).toContainText('Draft by the language model. Check and edit it, then save it.');
  await expect(page.getByRole('button', { name: 'Approve and send…' })).toBeDisabled();
  await page.getByLabel('Summary').fill('The campaign continues, as planned.');
  await page.getByRole('button', { name: 'Save summary' }).click();
  await expect(page.getByRole('article')).toContainText('as planned');
  await expect(modelNotice).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Approve and send…' })).toBeEnabled();
});
