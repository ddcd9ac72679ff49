/** `WRITE_CALLS=1 npx playwright test tests/e2e/calls.spec.ts tests/e2e/gate.spec.ts` writes the list of calls anew. */
import type { Page } from '@playwright/test';
import { signIn } from '../support/admin-session.ts';
import { type Calls, callsOf, expectListed } from '../support/calls.ts';
import { type Site, test } from '../support/e2e.ts';
import { ADMIN_SCREENS, PUBLIC_SCREENS } from '../support/screens.ts';
import { ADMIN } from '../support/site-template.ts';

// The browser's own line about the page that is not there.
test.use({ allowedProblems: [/status of 404/] });

/** The kinds of content, and the tables of those that are named otherwise. */
const KINDS = ['posts', 'projects', 'services', 'reviews', 'team', 'faq'];
const TABLES: Record<string, string> = { team: 'team_members' };

/** The form of an item of each kind of content. A new site has no question yet. */
async function editForms(site: Site): Promise<string[]> {
  await site.service.from('faq').insert({ question: 'What is it?', answer: 'This.' }).throwOnError();
  return Promise.all(
    KINDS.map(async (path) => {
      const table = TABLES[path] ?? path;
      const { data } = await site.service.from(table).select('id').limit(1).single().throwOnError();
      return `/admin/${path}/${data.id}/edit`;
    }),
  );
}

async function callsOfEverybody(page: Page, site: Site): Promise<Record<string, Calls>> {
  const { data: post } = await site.service
    .from('posts')
    .select('slug')
    .order('slug')
    .eq('status', 'published')
    .limit(1)
    .single()
    .throwOnError();
  const visitor = await callsOf(page, [...PUBLIC_SCREENS, `/news/${post.slug}`, '/auth/reset-password']);
  const by = async (person: { email: string; password: string }, paths: readonly string[]) => {
    await signIn(page, site, person);
    return callsOf(page, paths);
  };
  const ofClient = ['/client-dashboard', '/client-dashboard/report', '/account'];
  const client = await by(await site.createUser({ role: 'client' }), ofClient);
  const team = await by(await site.createUser({ role: 'team' }), ['/team-dashboard']);
  const pending = await by(await site.createUser({ role: 'team', approved: false }), ['/pending-approval']);
  const admin = await by(ADMIN, [...ADMIN_SCREENS, ...(await editForms(site))]);
  return { visitor, client, team, pending, admin };
}

test('No screen makes a call that is not on the list', async ({ page, site }) => {
  test.slow();
  expectListed(await callsOfEverybody(page, site));
});
