/** Opens every screen of the admin area once and checks the rules that apply to all screens. */
import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { type Calls, expectListed, recordCalls, recordScreens, replaceIds } from '../support/api-calls.ts';
import {
  expect,
  expectFitsWithDoubleText,
  expectNoAxeViolations,
  expectNoAxeViolationsInAnyMode,
  expectNoHorizontalScroll,
  type Site,
  test,
} from '../support/e2e.ts';
import { readViolations, watchPolicy } from '../support/policy-violations.ts';
import { ADMIN_SCREENS } from '../support/screens.ts';

/** Widths of a small phone and a tablet. On the tablet, the sidebar occupies a third of the width. */
const NARROW = [320, 834];
const DESKTOP = { width: 1280, height: 720 };

const LONG = `Donaudampfschifffahrtsgesellschaft${'skapitän'.repeat(20)}`;

const FORM_WIDTH = 720;
/** Width of a form with its sidebar. */
const FORM_WITH_SIDEBAR = FORM_WIDTH + 328;
const TABLES = [
  { width: 1440, table: 1120 },
  { width: 1920, table: 1200 },
];

// One test per area, because a screen can take 20 s on a busy machine. The first test inserts rows for the lists.

test('Every detail screen passes axe, fits its longest names, makes only listed API calls, and returns the focus', async ({
  page,
  site,
}) => {
  test.setTimeout(600_000);
  const paths = await insertRowsWithScreens(site);
  await openAdmin(page, site, '/admin/posts');
  await expectValidScreens(page, paths);
  expectListed({ admin: await recordScreens(page, await editForms(site)) });
});

for (const [area, paths = []] of Object.entries(Object.groupBy(ADMIN_SCREENS, findArea))) {
  test(`Every screen of /admin/${area} passes axe, fits narrow windows and large text, makes only listed API calls, and returns the focus`, async ({
    page,
    site,
  }) => {
    test.setTimeout(300_000);
    await openAdmin(page, site, '/admin/posts');
    await expectValidScreens(page, paths);
  });
}

test('On a Sunday, the week of calls fits with double text', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/posts');
  // Use the last Sunday, because the session would have expired on the next one.
  const sunday = new Date();
  sunday.setUTCDate(sunday.getUTCDate() - sunday.getUTCDay());
  sunday.setUTCHours(0, 0, 0, 0);
  const day = sunday.toISOString().slice(0, 10);
  const booking = { name: 'Kari', email: 'kari@example.com', time_zone: 'Europe/Oslo', token_hash: 'a'.repeat(64) };
  await site.service
    .from('bookings')
    .insert({ ...booking, slot: `[${day}T10:00Z,${day}T10:30Z)` })
    .throwOnError();
  await page.clock.setFixedTime(sunday);
  await page.goto('/admin/bookings?tab=week');
  await expect(page.getByRole('heading', { name: /^Sun .*, today/ })).toBeVisible();
  await expectFitsWithDoubleText(page);
});

test('The palette passes axe, and the dialog about a long title fits a small phone', async ({ page, site }) => {
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

/** Returns the first folder below the admin area. */
function findArea(path: string): string {
  return path.split('/')[2] ?? '';
}

/** Checks the rules that every screen must meet. */
async function expectValidScreens(page: Page, paths: readonly string[]): Promise<void> {
  await watchPolicy(page);
  const calls: Calls = {};
  for (const path of paths) {
    // Ignore API calls that the previous screen still makes.
    await page.goto('about:blank');
    const readCalls = recordCalls(page);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await expectNoAxeViolationsInAnyMode(page);
    await expectFitsWithDoubleText(page);
    for (const width of NARROW) {
      await page.setViewportSize({ width, height: 640 });
      await expectNoHorizontalScroll(page);
    }
    await expectFormWidth(page);
    await page.setViewportSize(DESKTOP);
    calls[replaceIds(path)] = readCalls();
    await expectFocusReturn(page);
    expect(await readViolations(page), path).toEqual([]);
  }
  expectListed({ admin: calls });
}

/**
 * Inserts names of the maximum length, a lead and a pending user. @returns the paths of the screens for these rows, and
 * of tabs with their own path
 */
async function insertRowsWithScreens(site: Site): Promise<string[]> {
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

/** Kinds of content except posts. TABLES_OF has the tables whose names differ. */
const KINDS = ['projects', 'services', 'reviews', 'team', 'faq'];
const TABLES_OF: Record<string, string> = { team: 'team_members' };

/** Returns the form of an item of each kind. A new site has no question yet. */
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

/** Expects the content to be as wide as a form, a form with its sidebar, or a table. */
async function expectFormWidth(page: Page): Promise<void> {
  for (const { width, table } of TABLES) {
    await page.setViewportSize({ width, height: 900 });
    const contentWidth = async () => Math.round(await measureContentWidth(page));
    const label = `${page.url()} at ${width} px`;
    await expect
      .poll(async () => [FORM_WIDTH, FORM_WITH_SIDEBAR, table].includes(await contentWidth()) || contentWidth(), label)
      .toBe(true);
  }
}

/** Measures the distance from the left edge of the content to the rightmost edge of its boxes. */
async function measureContentWidth(page: Page): Promise<number> {
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

/**
 * Expects Escape to return the focus to the button of a menu or dialog. Tests two openers per screen, because all rows
 * are alike.
 */
async function expectFocusReturn(page: Page): Promise<void> {
  const openers = page.locator('main button[aria-haspopup]:visible');
  for (let index = 0; index < Math.min(2, await openers.count()); index++) {
    const opener = openers.nth(index);
    await opener.press('Enter');
    await expect(opener).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('Escape');
    await expect(opener, `${page.url()}: ${await opener.textContent()}`).toBeFocused();
  }
}
