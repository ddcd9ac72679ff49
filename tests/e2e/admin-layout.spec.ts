/**
 * Layout of admin screens. Tests the dashboard on a busy day, the week of calls, lists, and the logos of the banner.
 */
import type { Locator } from '@playwright/test';
import { addDays } from '../../app/ui/lib/zoned-times.ts';
import { openAdmin, signIn } from '../support/admin-session.ts';
import { saveAvailability } from '../support/booking.ts';
import { ADMIN, expect, expectNoAxeViolations, moveDown, type Site, test } from '../support/e2e.ts';

test('The dashboard on a busy day fits on two screens', async ({ page, site }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  await site.service
    .from('releases')
    .insert([
      { name: 'Spring', failure: 'The slug is taken', failed_at: inMinutes(0) },
      { name: 'Summer', publish_at: inMinutes(1) },
    ])
    .throwOnError();
  for (const email of ['ola', 'per', 'siri', 'tor']) {
    await site.service
      .from('leads')
      .insert({ source: 'contact', email: `${email}@example.com` })
      .throwOnError();
  }
  await site.service.from('posts').insert({ title: 'Harbour', slug: 'harbour', status: 'draft' }).throwOnError();
  // A live site no longer lists the steps to go live.
  for (const table of ['posts', 'projects'])
    await site.service.from(table).insert({ title: 'Own', slug: 'own', status: 'published' }).throwOnError();
  const contact = { setting_key: 'contact_email', setting_value: 'kari@example.com' };
  await site.service.from('site_settings').upsert(contact, { onConflict: 'setting_key' }).throwOnError();
  await saveAvailability(site.service);
  await book(
    site,
    [1, 40, 80].map((minutes) => [inMinutes(minutes), inMinutes(minutes + 30)]),
  );
  for (const question of ['What does a pilot cost?', 'Where are you?', 'Who answers?']) {
    const conversation = await site.service.from('conversations').insert({}).select('id').single().throwOnError();
    await site.service
      .from('chat_messages')
      .insert({ conversation_id: conversation.data.id, role: 'user', content: question })
      .throwOnError();
  }
  for (let count = 0; count < 2; count++) await site.createUser({ role: 'team', approved: false });
  await openAdmin(page, site, '/admin/dashboard');
  await expect(page.getByRole('button', { name: /^Approve/ })).toHaveCount(2);
  await expect(page.getByRole('region', { name: 'Pending tasks' }).getByRole('listitem')).not.toHaveCount(0);
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Go live' })).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1800);
  // Approve buttons do not have the colour of dangerous actions.
  const danger = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--danger'));
  for (const button of await page.getByRole('button', { name: /^Approve/ }).all()) {
    await expect(button).not.toHaveCSS('background-color', danger);
  }
});

let token = 0;

async function book(
  site: Site,
  times: readonly (readonly (string | undefined)[])[],
  name = 'Kari Nordmann',
): Promise<void> {
  const rows = times.map(([from, to]) => ({
    slot: `[${from},${to})`,
    name,
    email: 'kari.with.a.long.address@nordic-shipping.example.com',
    time_zone: 'Europe/Oslo',
    token_hash: String(++token).padStart(64, '0'),
  }));
  await site.service.from('bookings').insert(rows).throwOnError();
}

test('The week shows a call at its start time, and opening the call shows who booked it', async ({ page, site }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await saveAvailability(site.service);
  // A Wednesday in a future summer, when Oslo is two hours ahead of UTC.
  const year = new Date().getFullYear() + 1;
  const first = `${year}-07-01`;
  const day = addDays(first, (10 - new Date(first).getUTCDay()) % 7);
  await book(site, [[`${day}T07:20:00Z`, `${day}T07:45:00Z`]], 'Short Call');
  await book(site, [[`${day}T08:00:00Z`, `${day}T09:00:00Z`]], 'Long Call');
  await openAdmin(page, site, `/admin/bookings?week=${day}`);
  const shortCall = page.getByRole('button', { name: '09:20 to 09:45 Short Call' });
  const longCall = page.getByRole('button', { name: '10:00 to 11:00 Long Call' });
  await expect(async () => {
    const [a, b] = [await readBox(shortCall), await readBox(longCall)];
    const minute = b.height / 60;
    expect(a.height / minute).toBeCloseTo(25, 0);
    expect((b.y - a.y) / minute).toBeCloseTo(40, 0);
    // The line for 9:00.
    const nine = await readBox(page.getByText('09:00', { exact: true }));
    expect((a.y - (nine.y + nine.height / 2)) / minute).toBeCloseTo(20, 0);
  }).toPass();
  await expectNoAxeViolations(page);
  await shortCall.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Short Call' });
  const address = dialog.getByRole('link', { name: /^kari.with/ });
  // An email address must not wrap in the middle, because its first part looks like another address.
  await expect.poll(() => address.evaluate((link) => link.getClientRects().length)).toBe(1);
  await expect(address).toHaveCSS('white-space', 'nowrap');
  await dialog.getByRole('button', { name: 'Cancel call' }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the call' }).press('Enter');
  await expect(page.getByText('Call cancelled')).toBeVisible();
  await expect(page.getByRole('button', { name: /Short Call ?, cancelled/ })).toBeFocused();
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(page.getByRole('heading', { name: 'Long Call' })).toBeVisible();
});

async function readBox(element: Locator) {
  await expect(element).toBeVisible();
  return (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}

test('The borders of unchecked boxes have a contrast of at least 3 to 1 in both themes', async ({ page, site }) => {
  await signIn(page, site, ADMIN);
  for (const [path, role] of [
    ['/admin/posts', 'checkbox'],
    ['/admin/media', 'switch'],
  ] as const) {
    await page.goto(path);
    const box = page.getByRole('main').getByRole(role).first();
    await expect(box).toBeEnabled();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /\bdark\b/ : /^(?!.*\bdark\b)/);
      await expect.poll(() => borderContrast(box), `${path} ${colorScheme}`).toBeGreaterThanOrEqual(3);
    }
  }
});

/** Returns the WCAG contrast of an element's border with its background. */
function borderContrast(element: Locator): Promise<number> {
  return element.evaluate((box) => {
    const { borderTopColor, backgroundColor } = getComputedStyle(box);
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const luminance = (colour: string) => {
      if (!context) return 0;
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
        const channel = value / 255;
        return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const [low = 0, high = 0] = [luminance(borderTopColor), luminance(backgroundColor)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  });
}

test('At a width of 1280 px, titles in a list are not cut off, even if some words are highlighted by a search', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const title = 'Exam due dates, and all that a season of outbound brings';
  await site.service
    .from('posts')
    .insert({ title, slug: 'exam-due', content: 'Exam.', status: 'published', category: 'A category with a long name' })
    .throwOnError();
  await openAdmin(page, site, '/admin/posts?q=exam');
  const link = page.getByRole('link', { name: title, exact: true });
  await expect(link.locator('mark')).toHaveText('Exam');
  const isFullyVisible = () =>
    link.evaluate(
      (element) => element.scrollHeight <= element.clientHeight && element.scrollWidth <= element.clientWidth,
    );
  await expect.poll(isFullyVisible).toBe(true);
  const row = page.getByRole('listitem').filter({ has: link });
  await expect(row.getByText(/^(draft|scheduled|published)$/)).toHaveCount(1);
});

test('Lists show full titles and details on phones and wide screens, and all filters have the same width', async ({
  page,
  site,
}) => {
  const title = 'Exam due dates, and all that a season of outbound brings to bakers in Bergen';
  await site.service.from('projects').insert({ title, slug: 'exam-dates', metric: '+40% qualified meetings' });
  await signIn(page, site, ADMIN);
  for (const path of ['/admin/projects', '/admin/reviews', '/admin/posts']) {
    await page.goto(path);
    const rows = page.getByRole('main').getByRole('list').last().getByRole('listitem');
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(rows.first()).toBeVisible();
      const clippedTexts = () =>
        rows.locator('a, span:not(.sr-only)').evaluateAll((nodes) =>
          nodes
            .filter((node) => node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1)
            .filter((node) => getComputedStyle(node).overflow === 'hidden')
            .map((node) => node.textContent),
        );
      await expect.poll(clippedTexts, `${path} at ${width} px`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 390, height: 900 });
  await page.getByRole('button', { name: 'Filters' }).click();
  const [status, category] = [page.getByLabel('Filter by status'), page.getByLabel('Filter by category')];
  const difference = async () => Math.abs((await readBox(status)).width - (await readBox(category)).width);
  await expect.poll(difference).toBeLessThan(0.5);
});

test('The tabs of the cards are arranged in rows of three', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/pages/home?tab=usps');
  for (const width of [390, 834, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const tabs = page.getByRole('tablist', { name: 'Cards' }).getByRole('tab');
    await expect(tabs).toHaveCount(6);
    const tops = () => tabs.evaluateAll((all) => all.map((tab) => Math.round(tab.getBoundingClientRect().top)));
    await expect.poll(async () => new Set((await tops()).slice(0, 3)).size).toBe(1);
    await expect.poll(async () => new Set((await tops()).slice(3)).size).toBe(1);
  }
});

test('Logos can be sorted with the keyboard, and each shows its image or its drawn mark', async ({ page, site }) => {
  const logo = (id: string, order: number, imageUrl: string) => ({ id, name: id, order, imageUrl });
  await site.service
    .from('page_content')
    .upsert(
      {
        page_slug: 'home',
        section_name: 'logo-banner',
        content: JSON.stringify({ logos: [logo('Drawn', 4, ''), logo('Pictured', 9, '/favicon.svg')] }),
      },
      { onConflict: 'page_slug,section_name' },
    )
    .throwOnError();
  await openAdmin(page, site, '/admin/pages/home?tab=logo-banner');
  const rows = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Move / }) });
  await expect(rows).toHaveText(['Drawn', 'Pictured']);
  await expect(rows.first().locator('svg path[d^="M2 18"]')).toBeVisible();
  await expect(rows.last().locator('img')).toBeVisible();
  await moveDown(page, 'Drawn', 1);
  await expect(rows).toHaveText(['Pictured', 'Drawn']);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Content updated successfully')).toBeVisible();
  const { data } = await site.service
    .from('page_content')
    .select('content')
    .eq('section_name', 'logo-banner')
    .single()
    .throwOnError();
  expect(JSON.parse(data.content).logos).toMatchObject([
    { id: 'Drawn', order: 2 },
    { id: 'Pictured', order: 1 },
  ]);
});
