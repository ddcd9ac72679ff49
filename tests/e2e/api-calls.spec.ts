/**
 * API calls of the screens of signed-in users and of the pages that links open. display-modes.spec.ts and
 * admin-screens.spec.ts check their own screens. `WRITE_CALLS=1 npx playwright test --workers=1` with these files and
 * gate.spec.ts rewrites the list of API calls.
 */
import { createHash, randomBytes } from 'node:crypto';
import { signedInClient, signIn } from '../support/admin-session.ts';
import { expectListed, recordScreens } from '../support/api-calls.ts';
import { expect, type Site, test } from '../support/e2e.ts';
import { readNewestMail } from '../support/outbox.ts';
import { newClient } from '../support/site-clients.ts';
import { ADMIN } from '../support/site-template.ts';

test('Screens of signed-in users make only listed API calls', async ({ page, site }) => {
  const recordCallsAs = async (person: { email: string; password: string }, ...paths: string[]) => {
    await signIn(page, site, person);
    return recordScreens(page, paths);
  };
  const clientPaths = ['/client-dashboard', '/client-dashboard/report', '/account'];
  const client = await recordCallsAs(await site.createUser({ role: 'client' }), ...clientPaths);
  const team = await recordCallsAs(await site.createUser({ role: 'team' }), '/team-dashboard');
  const pending = await recordCallsAs(await site.createUser({ role: 'team', approved: false }), '/pending-approval');
  expectListed({ client, team, pending });
});

/** Returns the paths of the links in emails about a booked call, an approval, a lead, a message, and the newsletter. */
async function readMailedLinks(site: Site): Promise<string[]> {
  const token = randomBytes(32).toString('hex');
  const start = Date.now() + 5 * 24 * 60 * 60 * 1000;
  const call = {
    slot: `[${new Date(start).toISOString()},${new Date(start + 1_200_000).toISOString()})`,
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    time_zone: 'Europe/Oslo',
    token_hash: createHash('sha256').update(token).digest('hex'),
  };
  await site.service.from('bookings').insert(call).throwOnError();
  const { id, member, teamMember } = await newClient(site, 'Nes AS');
  const text = { _client_id: id, _title: 'First mail', _text: 'Hei' };
  await (await signedInClient(site, teamMember)).rpc('ask_for_approval', text).throwOnError();
  const mail = await readNewestMail(site.dataFolder, member.email, /Please approve: First mail/);
  const approvalPath = /\/approve\/[0-9a-f]{64}/.exec(mail.replaceAll('=\r\n', '').replaceAll('=\n', ''))?.[0] ?? '';
  await (await signedInClient(site, teamMember))
    .rpc('add_client_lead', { _client_id: id, _name: 'Kari Moe' })
    .throwOnError();
  const leadMail = await readNewestMail(site.dataFolder, member.email, /New lead: Kari Moe/);
  const leadPath = /\/lead\/[0-9a-f]{64}/.exec(leadMail)?.[0] ?? '';
  // The last three make no API calls before their button is clicked, even with an invalid token.
  const tokenPaths = ['/contact/confirm/', '/newsletter/confirm?token=', '/newsletter/unsubscribe?token='];
  return [`/booking/${token}`, approvalPath, leadPath, ...tokenPaths.map((path) => path + token)];
}

test('Pages that emailed links and preview links open make only listed API calls', async ({ page, site }) => {
  const holder = await recordScreens(page, await readMailedLinks(site));
  const admin = await signedInClient(site, ADMIN);
  const { data: preview } = await admin.rpc('create_preview_link', { _shows_drafts: true }).throwOnError();
  const { id, token } = preview;
  await page.goto(`/preview#${token}`);
  await expect(page).toHaveURL(new RegExp(`/preview/${id}`));
  const guest = await recordScreens(
    page,
    ['', '/news', '/contact'].map((path) => `/preview/${id}${path}`),
  );
  expectListed({ holder: { ...holder, ...guest } });
});
