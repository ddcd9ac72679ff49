import { addDays, dayOf, shortMoment, startOfWeek, visitorZone } from '../../app/ui/lib/zoned-times.ts';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { signIn } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, type Site, test } from '../support/e2e.ts';
import { addFigures, newClient } from '../support/site-clients.ts';

const TODAY = dayOf(new Date().toISOString(), 'Europe/Oslo');
const LAST_WEEK = addDays(startOfWeek(TODAY), -7);

/**
 * Creates a client with data for the home screen: texts, a meeting, twelve weeks of figures, and campaigns with next
 * steps.
 */
async function newFullClient(site: Site, name: string) {
  const client = await newClient(site, name);
  const { id, teamMember } = client;
  const goals = { meetings_goal: 20, replies_goal: 120, delivered_goal: 2000 };
  await site.service.from('clients').update(goals).eq('id', id).throwOnError();
  const nextStep = { next_step: 'Try a shorter second mail', due_on: addDays(TODAY, 9) };
  await site.service.from('campaigns').update(nextStep).eq('client_id', id).throwOnError();
  await site.service
    .from('campaigns')
    .insert({ client_id: id, name: 'Founders of bakeries', channel: 'linkedin', next_step: 'Add forty companies' })
    .throwOnError();
  await addFigures(
    site,
    id,
    teamMember.id,
    Array.from({ length: 12 }, (_, week) => addDays(LAST_WEEK, -7 * week)).flatMap((day, week) => [
      { metric: 'meetings', day, value: 6 - (week % 4), days: 7 as const },
      { metric: 'replies', day, value: 31 - week, days: 7 as const },
      { metric: 'delivered', day, value: 1234 - 30 * week, days: 7 as const },
    ]),
  );
  for (const [title, days] of [
    ['First mail to hotels', 2],
    ['Second mail to heads of facilities in the whole of Norway', 9],
  ] as const) {
    await requestText(site, id, teamMember.id, title, addDays(TODAY, days));
  }
  const meeting = { client_id: id, met_with: 'Jonas Lie, Brygga Bakery', outcome: 'held', recorded_by: teamMember.id };
  const deadline = new Date(Date.now() + 12 * 86_400_000).toISOString();
  await site.service
    .from('client_meetings')
    .insert({ ...meeting, starts_at: new Date().toISOString(), answer_until: deadline })
    .throwOnError();
  return client;
}

/** Requests approval of a text at the given time. */
async function requestText(
  site: Site,
  client_id: string,
  asked_by: string,
  title: string,
  due_on: string,
  createdAt = new Date(),
) {
  const approval = { client_id, id: crypto.randomUUID(), title };
  await site.service.from('approvals').insert(approval).throwOnError();
  const version = { client_id, approval_id: approval.id, number: 1, text: 'Hello.', due_on, asked_by };
  await site.service
    .from('approval_versions')
    .insert({ ...version, created_at: createdAt.toISOString() })
    .throwOnError();
}

test('On one phone screen a client sees pending approvals, figures, the next call, changes and next steps', async ({
  page,
  site,
}) => {
  const { id, member, teamMember } = await newFullClient(site, 'Tinde AS');
  await requestText(site, id, teamMember.id, 'Third mail', addDays(TODAY, 20));
  const object = `${id}/logo.png`;
  const upload = { contentType: 'image/png', metadata: { name: 'logo.png' } };
  const { error } = await site.service.storage.from('client-files').upload(object, await picture(600, 200), upload);
  expect(error).toBeNull();
  await site.service.from('clients').update({ logo: object }).eq('id', id).throwOnError();
  const call = new Date(Date.now() + 2 * 86_400_000);
  const slot = `[${call.toISOString()},${new Date(call.getTime() + 1_800_000).toISOString()})`;
  const booking = { slot, name: 'Kari', email: member.email, time_zone: 'Europe/Oslo', token_hash: 'a'.repeat(64) };
  await site.service.from('bookings').insert(booking).throwOnError();
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, site, member);
  await page.goto('/client-dashboard');
  const pendingTasks = page.getByRole('region', { name: 'Waiting for you, Tinde AS' });
  await expect(pendingTasks.getByRole('listitem')).toHaveText([
    /First mail to hotels.*Approveby /,
    /Second mail to heads of facilities.*by /,
    /Meeting with Jonas Lie.*Answerby /,
  ]);
  const nextStep = page.getByText('Add forty companies').first();
  await expect(page.getByText('Try a shorter second mail').first()).toBeVisible();
  const nextCall = page.getByRole('heading', { name: 'Next call' }).locator('..').getByRole('time');
  await expect(nextCall).toHaveText(shortMoment(call.toISOString(), visitorZone()));
  await expect(nextStep).toBeInViewport({ ratio: 1 });
  await expectNoHorizontalScroll(page);
  const smallTargets = await page
    .locator('main :is(a, button)')
    .evaluateAll((targets) =>
      targets
        .filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < 24)
        .map((target) => target.outerHTML),
    );
  expect(smallTargets).toEqual([]);
  await expectNoAxeViolations(page);

  await pendingTasks.getByRole('button', { name: 'Show 1 more' }).press('Enter');
  await expect(pendingTasks.getByRole('listitem')).toHaveCount(4);
  await expect(pendingTasks.getByRole('heading', { name: 'Waiting for you' })).toBeFocused();
  await pendingTasks.getByRole('button', { name: /First mail to hotels/ }).press('Enter');
  const tab = (name: string) => page.getByRole('tab', { name });
  await expect(page).toHaveURL(/[?]tab=approvals#approval-/);
  const approvals = page.getByRole('region', { name: 'Approvals, Tinde AS' });
  await expect(approvals.getByRole('listitem').filter({ hasText: 'First mail to hotels' })).toBeFocused();
  await expect(tab('Approvals')).toHaveText('Approvals3 pending');
  // Approvals count as read after they have been on screen for a while.
  await expect
    .poll(async () => (await site.service.from('client_reads').select('kind').eq('client_id', id)).data)
    .toContainEqual({ kind: 'approval' });
  await approvals.getByRole('button', { name: 'Approve: First mail to hotels' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(tab('Approvals')).toHaveText('Approvals2 pending');
  await page.goBack();
  await expect(pendingTasks.getByRole('listitem')).toHaveCount(3);
  await pendingTasks.getByRole('button', { name: /Meeting with Jonas/ }).click();
  await expect(page).toHaveURL(/[?]tab=meetings#meeting-/);
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: /^Accept the meeting/ }).click();
  await expect(tab('Meetings')).toHaveText('Meetings');
});

test('Content below the client’s pages is hidden until they have loaded', async ({ page, site }) => {
  const { member, teamMember } = await newFullClient(site, 'Stø AS');
  const release = Promise.withResolvers<void>();
  await page.route(/\/rest\/v1\/clients\?/, async (route) => {
    await release.promise;
    await route.fallback();
  });
  const footer = page.getByRole('contentinfo').filter({ hasText: 'Signalfjord' });
  await signIn(page, site, member);
  for (const path of ['/client-dashboard/report', '/client-dashboard']) {
    await page.goto(path);
    await expect(page.getByText('Loading campaigns...')).toBeInViewport();
    await expect(footer).toBeVisible();
    await expect(footer).not.toBeInViewport();
  }
  const card = page.getByRole('link', { name: 'View Projects' });
  await expect(card).toBeVisible();
  await expect(card).not.toBeInViewport();
  release.resolve();
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeInViewport();
  await signIn(page, site, teamMember);
  await page.goto('/team-dashboard');
  const link = page.getByRole('link', { name: 'Stø AS' }).first();
  await expect(link).toBeVisible();
  await page.route(/\/rest\/v1\/clients\?/, () => undefined);
  await link.press('Enter');
  await expect(page.getByRole('link', { name: 'Team dashboard' })).toBeInViewport();
  await expect(footer).toBeVisible();
  await expect(footer).not.toBeInViewport();
  await expect(page.getByRole('main'), 'Keyboard focus was lost while the code loaded').toBeFocused();
});

test('A member of two clients switches between them in the bar, and opens tabs with the keyboard', async ({
  page,
  site,
}) => {
  const { id, member } = await newClient(site, 'Ask AS');
  const { id: otherId } = await newClient(site, 'Bjørk AS');
  await site.service.from('client_members').insert({ client_id: otherId, user_id: member.id }).throwOnError();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await signIn(page, site, member);
  await page.goto('/client-dashboard');
  const bar = page.getByRole('banner');
  const tab = (name: string) => page.getByRole('tab', { name });
  await expect(bar.getByLabel('Client')).toHaveValue(id);
  await expect(bar.getByRole('link', { name: 'Account' })).toHaveAttribute('href', '/account');
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Book a call' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'What happens next' })).toHaveCount(0);
  await expect(page.getByLabel('Email address')).toHaveCount(0);

  await expect(tab('Overview')).toHaveAttribute('aria-selected', 'true');
  await page.waitForLoadState('networkidle');
  expect(requests.filter((path) => /^\/rest\/.*(approvals|meetings|reports|do_not_contact)/.test(path))).toEqual([]);
  await tab('Overview').press('ArrowLeft');
  await expect(tab('Notifications')).toBeFocused();
  await expect(tab('Overview')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/client-dashboard?tab=notifications');
  await expect(page.getByRole('region', { name: 'Email notifications' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'View Projects' })).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole('link', { name: 'View Projects' })).toBeVisible();

  await bar.getByLabel('Client').selectOption('Bjørk AS');
  await expect(page).toHaveURL(`/client-dashboard?client=${otherId}`);
  await expect(page.getByRole('region', { name: 'Bjørk AS', exact: true })).toBeVisible();
  await tab('Files').click();
  await expect(page).toHaveURL(`/client-dashboard?client=${otherId}&tab=files`);
  await expect(page.getByRole('region', { name: 'Files, Bjørk AS' })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNoHorizontalScroll(page);
  await expectNoAxeViolations(page);
});
