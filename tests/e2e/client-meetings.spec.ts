import { signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';
import { newClient } from '../support/site-clients.ts';

// The browser logs the 400 response of a rejected save.
test.use({ allowedProblems: [/the server responded with a status of 400/] });

test('A client can accept one recorded meeting and dispute another on a phone', async ({ page, site }) => {
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  const section = page.getByRole('region', { name: 'Meetings, Nes AS' });
  const dialog = page.getByRole('dialog');
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=meetings`);
  await expect(section).toContainText('No meetings yet.');
  const addMeeting = async (name: string, time: string, outcome: string) => {
    await section.getByRole('button', { name: 'Add a meeting for Nes AS' }).press('Enter');
    await dialog.getByLabel('With').fill(name);
    await dialog.getByLabel('Time').fill(time);
    await dialog.getByLabel('Outcome').selectOption(outcome);
    await dialog.getByRole('button', { name: 'Save' }).click();
  };
  await addMeeting('Kari Nordmann, Kunde AS', '2999-01-02T09:00', 'Held');
  await expect(page.getByText('This meeting is in the future. Its outcome must be “booked”.')).toBeVisible();
  await dialog.getByLabel('Time').fill('2026-01-02T09:00');
  await dialog.getByLabel('Evidence').fill('Recorded, 28 minutes.');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await addMeeting('Ola Nordmann, Fri AS', '2026-01-05T09:00', 'Held');
  await expect(dialog).toBeHidden();
  await addMeeting('Per Hansen, Nord AS', '2999-01-02T09:00', 'Booked');
  await expect(dialog).toBeHidden();
  await expectNoAxeViolations(page);

  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard/report');
  await expect(page.getByRole('main')).toContainText('Your answer to 2 meetings: were they held?');
  await page.goto('/client-dashboard?tab=meetings');
  await expect(section.getByRole('listitem')).toContainText([/^Ola/, /^Kari/, /^Per/]);
  await expect(section).toContainText('Recorded, 28 minutes.');
  await expect(section).toContainText('2 need your answer');
  await section.getByRole('button', { name: 'Accept the meeting with Kari Nordmann, Kunde AS' }).press('Enter');
  await expect(section).toContainText('Accepted');
  await expect(section.getByRole('heading', { name: 'Meetings' })).toBeFocused();
  await section.getByRole('button', { name: 'Dispute the meeting with Ola' }).click();
  await dialog.getByRole('button', { name: 'Dispute' }).click();
  await expect(dialog.getByText('Enter a reason.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('He did not come.');
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Dispute' }).click();
  await expect(dialog).toBeHidden();
  await expect(section).toContainText('Disputed');
  await expect(section).not.toContainText('your answer');
  await expectNoAxeViolations(page);

  await page.goto('/client-dashboard/report');
  await expect(page.getByRole('main')).not.toContainText('Your answer to');

  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=meetings`);
  await expect(section).toContainText('He did not come.');
  await expect(section.getByRole('button', { name: /^Actions for the meeting with Kari/ })).toHaveCount(0);
  await section.getByRole('button', { name: 'Actions for the meeting with Ola Nordmann, Fri AS' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter');
  await dialog.getByLabel('Outcome').selectOption('No-show');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(section).toContainText('No-show');
  await expect(section).not.toContainText('He did not come.');
  await expect(dialog).toBeHidden();
  await section.getByRole('button', { name: 'Actions for the meeting with Per Hansen, Nord AS' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(section.getByText('Per Hansen')).toHaveCount(0);
});

test('A client is asked for the result of a meeting and reports it, and a viewer does not see the amount', async ({
  page,
  site,
}) => {
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  const viewer = await site.createUser({ role: 'client' });
  await site.service
    .from('client_members')
    .insert({ client_id: id, user_id: viewer.id, kind: 'viewer' })
    .throwOnError();
  const heldAt = new Date(Date.now() - 35 * 86_400_000).toISOString();
  const meeting = { client_id: id, starts_at: heldAt, outcome: 'held', answer_until: heldAt, booked_on: '2026-01-02' };
  await site.service
    .from('client_meetings')
    .insert({ ...meeting, met_with: 'Kari Nordmann, Kunde AS' })
    .throwOnError();
  const section = page.getByRole('region', { name: 'Meetings, Nes AS' });
  const dialog = page.getByRole('dialog');

  await page.setViewportSize({ width: 320, height: 720 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard');
  await page.getByRole('button', { name: 'Result of the meeting with Kari Nordmann, Kunde AS' }).click();
  await expect(section).toContainText('One needs a result');
  await expect(section).toContainText('Result: Not reported');
  await section.getByRole('button', { name: 'Report result of the meeting with Kari' }).press('Enter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Choose a result.')).toBeVisible();
  await dialog.getByLabel('Result').selectOption('Won');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter the amount of the deal.')).toBeVisible();
  await expectNoAxeViolations(page);
  await dialog.getByLabel('Amount in NOK').fill('150,000');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(section).toContainText('Result: Won, NOK 150,000');
  await expect(section).not.toContainText('needs a result');
  await expect(section.getByRole('button', { name: 'Report result of the meeting with Kari' })).toBeFocused();
  await expectNoAxeViolations(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=meetings`);
  await section.getByText('Kari Nordmann, Kunde AS').click();
  await section.getByRole('button', { name: 'Report result of the meeting with Kari' }).click();
  await dialog.getByLabel('Result').selectOption('Lost');
  await dialog.getByLabel('Reason').fill('They chose a supplier nearby.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(section).toContainText('Result: Lost');
  await section.getByText('Earlier results').click();
  await expect(section.getByRole('list', { name: 'Earlier results' })).toContainText('Won, NOK 150,000');

  await signIn(page, site, viewer);
  await page.goto('/client-dashboard?tab=meetings');
  await section.getByText('Kari Nordmann, Kunde AS').click();
  await expect(section).toContainText('They chose a supplier nearby.');
  await expect(section.getByRole('button', { name: /Report result/ })).toHaveCount(0);
  await section.getByText('Earlier results').click();
  await expect(section.getByRole('list', { name: 'Earlier results' })).toContainText('Won');
  await expect(section).not.toContainText('150,000');
});

test('On a phone, an error toast does not cover the buttons of the dialog', async ({ page, site }) => {
  const { id, teamMember } = await newClient(site, 'Nes AS');
  await page.setViewportSize({ width: 390, height: 664 });
  await signIn(page, site, teamMember);
  await page.goto(`/team-dashboard/clients/${id}?tab=meetings`);
  await page.getByRole('button', { name: 'Add a meeting for Nes AS' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('With').fill('Kari Nordmann, Kunde AS');
  await dialog.getByLabel('Time').fill('2999-01-02T09:00');
  await dialog.getByLabel('Outcome').selectOption('Held');
  const save = dialog.getByRole('button', { name: 'Save' });
  await save.click();
  const toast = page.locator('[data-sonner-toast]');
  await expect(toast).toContainText('This meeting is in the future. Its outcome must be “booked”.');
  const [toastBox, button] = [await toast.boundingBox(), await save.boundingBox()];
  if (!toastBox || !button) throw new Error('The toast or the button is not visible');
  expect(toastBox.y + toastBox.height).toBeLessThanOrEqual(button.y);
});
