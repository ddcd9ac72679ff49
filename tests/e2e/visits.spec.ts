/** Visit statistics. Tests the data that a visitor's browser sends, and the figures that the owner sees. */
import type { Page, Request } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { CHROMIUM_ARGUMENTS, requireChromium } from '../support/chromium.ts';
import { expect, expectNoAxeViolations, type Site, test } from '../support/e2e.ts';

// A headless browser would identify itself as a bot. A user agent that is set on a page is lost when the page is left.
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';
test.use({
  launchOptions: { executablePath: requireChromium(), args: [...CHROMIUM_ARGUMENTS, `--user-agent=${AGENT}`] },
});

const isBeacon = (request: Request) => new URL(request.url()).pathname === '/visits';

/** Opens a page and waits until the script that counts visits has loaded. */
async function visit(page: Page, path: string) {
  const scriptResponse = page.waitForResponse(/\/count-visits-[^/]+\.js$/);
  await page.goto(path);
  await (await scriptResponse).finished();
}

async function readCounts(site: Site): Promise<Record<string, number>> {
  const { data } = await site.service.from('visit_counts').select('kind, name, count').throwOnError();
  return Object.fromEntries(data.map(({ kind, name, count }) => [`${kind} ${name}`, count]));
}

test('The dashboard shows a visitor who reads an article and opens the chat', async ({ page, browser, site }) => {
  await openAdmin(page, site, '/admin/dashboard');
  await expect(page.getByText('Visits are not counted')).toBeVisible();
  await page.getByRole('link', { name: 'Open the settings' }).click();
  await page.getByRole('switch', { name: 'Visit statistics' }).check();
  await page.locator('#count_visits').getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Setting updated successfully')).toBeVisible();

  const otherContext = await browser.newContext({ baseURL: site.url });
  const visitor = await otherContext.newPage();
  await visit(visitor, '/news');
  const beacon = visitor.waitForRequest(isBeacon);
  await visitor.getByRole('link', { name: 'Read more' }).first().click();
  expect(JSON.parse((await beacon).postData() ?? '')).toEqual({
    page: '/news',
    from: '',
    device: 'desktop',
    seconds: expect.any(Number),
  });
  await expect(visitor).toHaveURL(/\/news\/./);
  const article = new URL(visitor.url()).pathname;
  const chat = visitor.waitForRequest(isBeacon);
  await visitor.getByRole('button', { name: 'Open chat' }).click();
  expect((await chat).postData()).toBe('{"chat":true}');
  // Use the admin's session in the same browser. Leaving the site also sends a visit.
  await page.goto('/about');
  await visitor.goto('about:blank');
  await expect
    .poll(() => readCounts(site))
    .toEqual({ 'chat ': 1, 'device desktop': 2, 'page /news': 1, [`page ${article}`]: 1, 'referrer ': 1 });
  await otherContext.close();

  await page.goto('/admin/dashboard');
  const visits = page.getByRole('region', { name: 'Visits in the last 30 days' });
  await expect(visits.getByRole('img', { name: /The maximum was 2 on/ })).toBeVisible();
  await visits.getByText('Pages, sources and devices').click();
  await expect(visits.getByRole('listitem').filter({ hasText: article })).toContainText('on average');
  await visits.getByText('Daily figures').click();
  await expect(visits.getByRole('row').nth(1)).toContainText('21');
  await page.getByRole('link', { name: /^Analytics/ }).click();
  await expect(page.getByRole('heading', { name: 'Visits in the last 30 days' })).toBeFocused();
  await expect(page).toHaveURL('/admin/dashboard');
  await expectNoAxeViolations(page);
});

test('Visits are not sent if statistics are off or the browser has Global Privacy Control', async ({ page, site }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const leaveAfterIdle = async () => {
    await page.goto('/news');
    await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle, { timeout: 2000 })));
    await page.goto('/about');
    await page.goto('about:blank');
  };
  await site.service.from('site_settings').delete().eq('setting_key', 'count_visits').throwOnError();
  await leaveAfterIdle();
  expect(requests.filter((url) => url.includes('visits'))).toEqual([]);

  await site.service.from('site_settings').insert({ setting_key: 'count_visits', setting_value: 'on' }).throwOnError();
  await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
  await visit(page, '/news');
  await page.goto('/about');
  expect(requests.filter((url) => url.endsWith('/visits'))).toEqual([]);
});
