/**
 * The calls that each screen makes to the backend with the settings of a new site, held against one list. A call that is
 * new here is one more that every visitor waits for, so it is written down deliberately or not made.
 * `WRITE_CALLS=1 npx playwright test tests/e2e/calls.spec.ts` writes the list anew.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { signIn } from '../support/admin-session.ts';
import { expect, type Site, test } from '../support/e2e.ts';
import { ADMIN_SCREENS, PUBLIC_SCREENS } from '../support/screens.ts';
import { ADMIN } from '../support/site-template.ts';

const LIST = join(import.meta.dirname, 'calls.json');

type Calls = Record<string, string[]>;

// The browser's own line about the page that is not there.
test.use({ allowedProblems: [/status of 404/] });

/** Opens each screen and notes what it asks of the backend, as method and path, each once. */
async function callsOf(page: Page, paths: readonly string[]): Promise<Calls> {
  const calls: Calls = {};
  for (const path of paths) {
    // Calls that the screen before still makes are not this one's.
    await page.goto('about:blank');
    const seen = new Set<string>();
    const note = (request: { method(): string; url(): string }) => {
      const { pathname } = new URL(request.url());
      if (/^\/(auth|rest|storage|functions)\/v1\//.test(pathname) && !pathname.includes('/object/public/')) {
        seen.add(`${request.method()} ${pathname}`);
      }
    };
    page.on('request', note);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await page.waitForLoadState('networkidle');
    page.off('request', note);
    calls[path] = [...seen].sort();
  }
  return calls;
}

async function callsOfEverybody(page: Page, site: Site): Promise<Record<string, Calls>> {
  const visitor = await callsOf(page, PUBLIC_SCREENS);
  const by = async (person: { email: string; password: string }, paths: readonly string[]) => {
    await signIn(page, site, person);
    return callsOf(page, paths);
  };
  const client = await by(await site.createUser({ role: 'client' }), ['/client-dashboard', '/account']);
  const team = await by(await site.createUser({ role: 'team' }), ['/team-dashboard']);
  const pending = await by(await site.createUser({ role: 'team', approved: false }), ['/pending-approval']);
  return { visitor, client, team, pending, admin: await by(ADMIN, ADMIN_SCREENS) };
}

test('No screen makes a call that is not on the list', async ({ page, site }) => {
  test.slow();
  const calls = await callsOfEverybody(page, site);
  if (process.env['WRITE_CALLS']) writeFileSync(LIST, `${JSON.stringify(calls, null, 2)}\n`);
  const listed = JSON.parse(readFileSync(LIST, 'utf8')) as Record<string, Calls>;
  const others = Object.entries(calls).flatMap(([who, screens]) =>
    Object.entries(screens).flatMap(([path, made]) =>
      made.filter((call) => !listed[who]?.[path]?.includes(call)).map((call) => `${who} ${path}: ${call}`),
    ),
  );
  expect(others).toEqual([]);
});
