import { addDays, dayOf, startOfWeek } from '../../app/ui/lib/zoned-times.ts';
import { openAdmin, signIn } from '../support/admin-session.ts';
import { expect, type Site, test, type User } from '../support/e2e.ts';
import { ADMIN_SCREENS, PUBLIC_SCREENS } from '../support/screens.ts';
import { addFigures, newClient } from '../support/site-clients.ts';
import { captureScreens, captureViewport } from './looks.ts';

// Browsers log the status of the 404 page.
test.use({ allowedProblems: [/status of 404/] });
test.beforeEach(() => test.setTimeout(1_800_000));

test('takes screenshots of the public pages', async ({ page, site }) => {
  const readSlug = async (table: string) =>
    (await site.service.from(table).select('slug').eq('status', 'published').limit(1).single().throwOnError()).data
      .slug;
  await captureScreens(page, [
    ...PUBLIC_SCREENS,
    `/news/${await readSlug('posts')}`,
    `/projects?case=${await readSlug('projects')}`,
  ]);
});

test('takes screenshots of the admin area', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/posts');
  await captureScreens(page, [...ADMIN_SCREENS, `/admin/posts/${await firstPost(site)}/edit`]);
});

for (const [role, label, paths] of [
  ['client', 'client', ['/client-dashboard', '/client-dashboard/report', '/account']],
  ['team', 'team member', ['/team-dashboard']],
] as const) {
  test(`takes screenshots of a ${label}'s pages`, async ({ page, site }) => {
    await signIn(page, site, await site.createUser({ role }));
    await captureScreens(page, paths);
  });
}

for (const [dataset, weeks] of [
  ['empty', 0],
  ['one-week', 1],
  ['two-years', 104],
] as const) {
  test(`takes screenshots of the client and team dashboards (${dataset})`, async ({ page, site }) => {
    const { id, member, teamMember } = await newClient(site, 'Nordlys Bakeries');
    if (weeks > 0) await addActivity(site, id, teamMember, weeks);
    const prefix = `dashboards-${dataset}-`;
    await signIn(page, site, member);
    await captureScreens(page, ['/client-dashboard', '/client-dashboard/report'], prefix);
    await signIn(page, site, teamMember);
    await captureScreens(page, ['/team-dashboard', `/team-dashboard/clients/${id}`], prefix);
    await page.getByRole('tab', { name: 'Reports' }).click();
    await page.getByRole('button', { name: 'New report for Nordlys Bakeries' }).click();
    await captureViewport(page, `${prefix}new-report`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'View as client: Nordlys Bakeries' }).click();
    await expect(page.getByRole('dialog').getByText('Progress')).toBeVisible();
    await captureViewport(page, `${prefix}view-as-client`);
  });
}

test('takes screenshots of the pending approval page', async ({ page, site }) => {
  await signIn(page, site, await site.createUser({ role: 'team', approved: false }));
  await captureScreens(page, ['/pending-approval']);
});

/** Adds pending approvals, held meetings, and figures for the given number of weeks. */
async function addActivity(site: Site, client_id: string, teamMember: User, weeks: number): Promise<void> {
  const monday = startOfWeek(dayOf(new Date().toISOString(), 'Europe/Oslo'));
  const figures = Array.from({ length: weeks }, (_, index) =>
    ['delivered', 'replies', 'meetings'].map((metric, metricIndex) => ({
      metric,
      day: addDays(monday, -7 * (index + 1)),
      value: [240, 18, 3][metricIndex] ?? 0,
      days: 7 as const,
    })),
  ).flat();
  await addFigures(site, client_id, teamMember.id, figures);
  const { service } = site;
  for (const title of weeks > 1 ? ['First mail to bakers in Bergen', 'A second mail'] : ['First mail']) {
    const { data } = await service.from('approvals').insert({ client_id, title }).select('id').single().throwOnError();
    const version = {
      client_id,
      approval_id: data.id,
      number: 1,
      text: 'Hei {{first_name}},\n\nhar dere tid til en prat?',
    };
    await service.from('approval_versions').insert(version).throwOnError();
  }
  const meetings = ['Kari Moe, Fjell Bakeri', 'Ola Dal, Havn Brød og Kaker'].map((met_with, index) => ({
    client_id,
    met_with,
    starts_at: `${addDays(monday, -3 - index)}T09:00:00Z`,
    outcome: 'held',
    answer_until: new Date(Date.now() + 864e5).toISOString(),
  }));
  await service.from('client_meetings').insert(meetings).throwOnError();
}

async function firstPost(site: Site): Promise<string> {
  const { data } = await site.service.from('posts').select('id').order('title').limit(1).single().throwOnError();
  return data.id;
}
