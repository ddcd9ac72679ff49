/** Home screens start with the user's own work, and the sidebar counts pending tasks. */
import { openAdmin, signIn } from '../support/admin-session.ts';
import { findFreeTimes, saveAvailability } from '../support/booking.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';
import { newClient } from '../support/site-clients.ts';

test.beforeEach(async ({ site }) => {
  await saveAvailability(site.service);
  for (const table of ['bookings', 'leads'])
    await site.service.from(table).delete().not('id', 'is', null).throwOnError();
});

test('A team member sees their own calls and leads first, and can show the leads of all owners with one click', async ({
  page,
  site,
}) => {
  const member = await site.createUser({ role: 'team' });
  const [first = '', second = ''] = await findFreeTimes(site.service);
  for (const [_starts_at, name] of [
    [first, 'ada'],
    [second, 'bo'],
  ]) {
    await site.service.rpc('book', { _starts_at, _name: name, _email: `${name}@example.com` }).throwOnError();
  }
  await site.service.from('leads').update({ owner_id: member.id }).eq('email', 'ada@example.com').throwOnError();
  await signIn(page, site, member);
  await page.goto('/team-dashboard');
  const calls = page.getByRole('region', { name: 'Your calls' });
  await expect(calls.getByRole('listitem')).toHaveText([/ada@example\.com/]);
  const leads = page.getByRole('region', { name: 'Leads' });
  await expect(leads.getByRole('heading', { level: 3 })).toHaveText(['ada']);
  await expect(leads.getByRole('button', { name: 'Yours' })).toHaveAttribute('aria-pressed', 'true');
  await expectNoAxeViolations(page);
  await leads.getByRole('button', { name: 'All leads' }).click();
  await expect(leads.getByRole('heading', { level: 3 })).toHaveText(['bo', 'ada']);
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Your calls');
});

test('A new user sees a welcome, the next steps, their calls and a contact', async ({ page, site }) => {
  const user = await site.createUser({ role: 'client' });
  await signIn(page, site, user);
  await page.goto('/client-dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome', exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What happens next' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:/);
  const bookLink = page.getByRole('main').getByRole('link', { name: 'Book a call' });
  await expect(bookLink).toHaveAttribute('href', '/#booking');
  await expectNoAxeViolations(page);
  const { member } = await newClient(site, 'Vik AS');
  await signIn(page, site, member);
  await page.goto('/client-dashboard');
  await expect(page.getByRole('heading', { name: 'Next call' })).toBeVisible();
  await expect(bookLink).toHaveAttribute('href', '/#booking');
});

test('The sidebar counts pending tasks, and updates after an action', async ({ page, site }) => {
  const { email } = await site.createUser({ role: 'team', approved: false });
  // A call that has already begun counts as today's, even around midnight.
  const [from, to] = [-60_000, 600_000].map((offset) => new Date(Date.now() + offset).toISOString());
  await site.service
    .from('bookings')
    .insert({
      slot: `[${from},${to})`,
      name: 'Ada',
      email: 'ada@example.com',
      time_zone: 'UTC',
      token_hash: 'a'.repeat(64),
    })
    .throwOnError();
  await site.service.from('leads').insert({ source: 'contact', email: 'bo@example.com' }).throwOnError();
  await openAdmin(page, site, '/admin');
  const expectCount = (name: string, count: string) =>
    expect(page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name })).toHaveText(`${name}${count}`);
  await expectCount('Leads', '2 pending');
  await expectCount('Bookings', '1 pending');
  await expectCount('Dashboard', '1 pending');
  await expectCount('Releases', '');
  await page.getByRole('button', { name: `Approve ${email}` }).click();
  await expectCount('Dashboard', '');
  await page.getByRole('button', { name: /^Mark as contacted: bo/ }).click();
  await expectCount('Leads', '1 pending');
});
