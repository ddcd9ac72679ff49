/** Every screen of the admin area, opened once for all that holds on each. */
import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { type Calls, callsOf, expectListed, noteCalls, screenOf } from '../support/calls.ts';
import {
  expect,
  expectFitsWithDoubleText,
  expectNoAxeViolations,
  expectNoAxeViolationsInAnyMode,
  expectNoSidewaysScroll,
  type Site,
  test,
} from '../support/e2e.ts';
import { violationsOf, watchPolicy } from '../support/policy-violations.ts';
import { ADMIN_SCREENS } from '../support/screens.ts';

/** A small phone, and a tablet, on which the sidebar takes a third. */
const NARROW = [320, 834];
const DESKTOP = { width: 1280, height: 720 };

const LONG = `Donaudampfschifffahrtsgesellschaft${'skapitän'.repeat(20)}`;

const FORM = 720;
/** A form with its rail. */
const RAILED = FORM + 328;
const TABLES = [
  { width: 1440, table: 1120 },
  { width: 1920, table: 1200 },
];

test('No screen makes a call that is not on the list; on none axe finds anything, in forced colours neither; text fits in twice its size and at 320 and 834 px; the policy holds; it is as wide as a form or a table; the first menus and dialogs give the focus back', async ({
  page,
  site,
}) => {
  test.setTimeout(600_000);
  await watchPolicy(page);
  const own = await insertOwn(site);
  await openAdmin(page, site, '/admin/posts');
  const admin: Calls = {};
  for (const path of [...ADMIN_SCREENS, ...own]) {
    // Calls that the screen before still makes are not this one's.
    await page.goto('about:blank');
    const made = noteCalls(page);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await expectNoAxeViolationsInAnyMode(page);
    await expectFitsWithDoubleText(page);
    for (const width of NARROW) {
      await page.setViewportSize({ width, height: 640 });
      await expectNoSidewaysScroll(page);
    }
    await expectWidthOfForms(page);
    await page.setViewportSize(DESKTOP);
    admin[screenOf(path)] = made();
    await expectFocusBack(page);
    expect(await violationsOf(page), path).toEqual([]);
  }
  expectListed({ admin: { ...admin, ...(await callsOf(page, await editForms(site))) } });
});

test('The palette has no accessibility faults, and a long title is asked about on a small phone', async ({
  page,
  site,
}) => {
  await site.service.from('posts').insert({ title: LONG, slug: 'another-long-title' }).throwOnError();
  await openAdmin(page, site, '/admin/posts');
  await expect(page.getByRole('heading', { name: LONG }).first()).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/admin/posts');
  await page
    .getByRole('button', { name: /^Delete Donau/ })
    .first()
    .click();
  await expect(page.getByRole('alertdialog')).toBeInViewport({ ratio: 1 });
});

/** Inserts names as long as they get, a lead, and somebody who waits for approval. @returns screens of these alone, and of tabs that are one more screen each */
async function insertOwn(site: Site): Promise<string[]> {
  const { data: post } = await site.service
    .from('posts')
    .insert({ title: LONG, slug: 'long-title', category: 'x'.repeat(100) })
    .select('id')
    .single()
    .throwOnError();
  await site.service.from('team_members').insert({ name: LONG, position: LONG }).throwOnError();
  await site.createUser({ role: 'team', approved: false });
  const { data: lead } = await site.service
    .from('leads')
    .insert({ source: 'contact', email: 'kari@example.com' })
    .select('id')
    .single()
    .throwOnError();
  const tabs = ['list', 'availability', 'calendars'].map((tab) => `/admin/bookings?tab=${tab}`);
  return [`/admin/posts/${post.id}/edit`, ...tabs, `/admin/leads/${lead.id}`];
}

/** The kinds of content besides posts, and the tables of those that are named otherwise. */
const KINDS = ['projects', 'services', 'reviews', 'team', 'faq'];
const TABLES_OF: Record<string, string> = { team: 'team_members' };

/** Gives the form of an item of each of these kinds. A new site has no question yet. */
async function editForms(site: Site): Promise<string[]> {
  await site.service.from('faq').insert({ question: 'What is it?', answer: 'This.' }).throwOnError();
  return Promise.all(
    KINDS.map(async (kind) => {
      const table = TABLES_OF[kind] ?? kind;
      const { data } = await site.service.from(table).select('id').limit(1).single().throwOnError();
      return `/admin/${kind}/${data.id}/edit`;
    }),
  );
}

/** Expects the content to be as wide as a form, as a form with its rail, or as a table. */
async function expectWidthOfForms(page: Page): Promise<void> {
  for (const { width, table } of TABLES) {
    await page.setViewportSize({ width, height: 900 });
    const measured = async () => Math.round(await widthOfContent(page));
    const where = `${page.url()} at ${width} px`;
    await expect.poll(async () => [FORM, RAILED, table].includes(await measured()) || measured(), where).toBe(true);
  }
}

/** Measures from the left of the content to the right of the box that reaches furthest. */
async function widthOfContent(page: Page): Promise<number> {
  return page.getByRole('main').evaluate((main) => {
    const left = main.firstElementChild?.getBoundingClientRect().left ?? 0;
    const rights = [...main.querySelectorAll('*')]
      .filter((element) =>
        ['borderRightWidth', 'borderLeftWidth'].every(
          (side) => parseFloat(getComputedStyle(element)[side as 'borderLeftWidth']) > 0,
        ),
      )
      .filter((element) => element.checkVisibility() && !element.closest('svg'))
      .map((element) => element.getBoundingClientRect().right);
    return Math.max(...rights) - left;
  });
}

/** Expects Escape to give the focus back to what opened a menu or a dialog; two of a screen stand for the rows of its list. */
async function expectFocusBack(page: Page): Promise<void> {
  const openers = page.locator('main button[aria-haspopup]:visible');
  for (let index = 0; index < Math.min(2, await openers.count()); index++) {
    const opener = openers.nth(index);
    await opener.press('Enter');
    await expect(opener).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('Escape');
    await expect(opener, `${page.url()}: ${await opener.textContent()}`).toBeFocused();
  }
}
