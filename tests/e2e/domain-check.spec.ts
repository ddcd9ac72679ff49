/**
 * The domain check on the services page, from the owner's switch to the results. A fake DNS server runs on loopback.
 */
import { generateKeyPairSync } from 'node:crypto';
import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import {
  expect,
  expectFitsWithDoubleText,
  expectNoAxeViolations,
  expectNoHorizontalScroll,
  type Site,
  test,
  waitUntilHydrated,
} from '../support/e2e.ts';

const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ format: 'der', type: 'spki' })
  .toString('base64');
const GOOD = 'fjordpost.no';
const EMPTY = 'nordlysmail.no';
const SILENT = 'stille.no';

let dns: DnsServer;

test.use({
  environment: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      dns = await startDnsServer({
        [GOOD]: { mx: ['mx.mailer.com'], txt: ['v=spf1 include:_spf.mailer.com -all'] },
        '_spf.mailer.com': { txt: ['v=spf1 ip4:192.0.2.0/24 ~all'] },
        [`selector1._domainkey.${GOOD}`]: { txt: [`v=DKIM1; k=rsa; p=${KEY}`] },
        [`_dmarc.${GOOD}`]: { txt: [`v=DMARC1; p=none; rua=mailto:dmarc@${GOOD}`] },
        [EMPTY]: { mx: [''] },
        [SILENT]: { isSilent: true },
      });
      await use({ DNS_SERVERS: dns.address });
      await dns.close();
    },
    { scope: 'worker' },
  ],
  // The browser logs rejected requests.
  allowedProblems: [/status of (422|503)/],
});

const findSection = (page: Page) => page.getByRole('region', { name: 'Check your domain' });
const findField = (page: Page) => findSection(page).getByRole('textbox', { name: 'Domain' });

async function enableCheck({ service }: Site): Promise<void> {
  const setting = { setting_key: 'domain_check', setting_value: 'on' };
  await service.from('site_settings').upsert(setting, { onConflict: 'setting_key' }).throwOnError();
}

/** Returns the compressed size of the JavaScript that the page has loaded so far. */
function measureScripts(page: Page): Promise<number> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.transferSize : 0), 0),
  );
}

async function check(page: Page, domain: string): Promise<void> {
  const field = findField(page);
  await field.focus();
  await waitUntilHydrated(field);
  await field.fill(domain);
  await field.press('Enter');
}

test('A disabled check is not part of the services page, and the server does not run it', async ({ page, request }) => {
  const requestedUrls: string[] = [];
  page.on('request', (request) => requestedUrls.push(request.url()));
  await page.goto('/services');
  await waitUntilHydrated(page.getByRole('button', { name: 'Select this service Outreach Systems' }));
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle, { timeout: 2000 })));
  await expect(findSection(page)).toHaveCount(0);
  expect(requestedUrls.filter((url) => url.includes('domain'))).toEqual([]);
  const response = await request.post('/domain-check', { data: { domain: GOOD } });
  expect([response.status(), await response.json()]).toEqual([404, { error: 'The domain check is not available.' }]);
  expect(dns.queriedNames).toEqual([]);
});

test('An owner can enable the check, and a visitor gets three results', async ({ page, browser, site }) => {
  await openAdmin(page, site, '/admin/settings');
  await page.getByRole('switch', { name: 'Domain check' }).check();
  await page.locator('#domain_check').getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Setting updated successfully')).toBeVisible();

  const visitorContext = await browser.newContext({ baseURL: site.url, reducedMotion: 'reduce' });
  const visitor = await visitorContext.newPage();
  await visitor.goto('/services');
  await waitUntilHydrated(visitor.getByRole('button', { name: 'Select this service Outreach Systems' }));
  expect(await measureScripts(visitor)).toBeLessThan(130_000);
  await expectNoAxeViolations(visitor);
  await check(visitor, `Post@${GOOD.toUpperCase()}`);
  const result = findSection(visitor).getByRole('status');
  await expect(result.getByRole('heading', { name: GOOD })).toBeVisible();
  await expect(result.getByRole('listitem')).toHaveText([
    /^SPFGood.*ends in -all and needs 1 of the ten DNS lookups/,
    /^DKIMGood.*The domain has a DKIM key under the name selector1/,
    /^DMARCNeeds a change.*only monitors mail \(p=none\)/,
  ]);
  await expect(findField(visitor)).toBeFocused();
  await result.getByText('The DMARC record as published').click();
  await expect(result.getByText(`v=DMARC1; p=none; rua=mailto:dmarc@${GOOD}`)).toBeVisible();
  await expectNoAxeViolations(visitor);
  for (const width of [320, 390, 1440]) {
    await visitor.setViewportSize({ width, height: 800 });
    await expectNoHorizontalScroll(visitor);
  }
  await visitor.setViewportSize({ width: 390, height: 800 });
  await expectFitsWithDoubleText(visitor);
  await result.getByRole('link', { name: 'Book a call' }).click();
  await expect(visitor).toHaveURL('/#booking');
  await expect(visitor.locator('#booking')).toBeInViewport();
  await visitorContext.close();
});

test('Input before the section has hydrated is checked afterwards', async ({ page, site }) => {
  await enableCheck(site);
  await page.goto('/services');
  await waitUntilHydrated(page.getByRole('button', { name: 'Select this service Outreach Systems' }));
  await findField(page).fill(GOOD);
  await findField(page).press('Enter');
  await expect(findSection(page).getByRole('heading', { name: GOOD })).toBeVisible();

  await page.goto('/about');
  const link = page.getByRole('navigation').first().getByRole('link', { name: 'Services' });
  await (await waitUntilHydrated(link)).click();
  await check(page, EMPTY);
  await expect(findSection(page).getByRole('heading', { name: EMPTY })).toBeVisible();
});

test('Invalid, unknown and unreachable domains are reported at the field without clearing it', async ({
  page,
  site,
}) => {
  await enableCheck(site);
  await page.goto('/services');
  await expect(findSection(page).getByRole('status')).toBeHidden();
  for (const [domain, message] of [
    ['', 'Type the domain of your email addresses'],
    ['printer.local', 'printer.local is reserved for private networks'],
    ['fjordpost.noo', 'The domain fjordpost.noo does not exist. Please check the spelling.'],
    [SILENT, 'The DNS servers of this domain are not responding.'],
  ] as const) {
    await check(page, domain);
    await expect(findSection(page).getByText(message)).toBeVisible();
    await expect(findField(page)).toBeFocused();
    await expect(findField(page)).toHaveAttribute('aria-invalid', 'true');
    await expect(findField(page)).toHaveValue(domain);
  }
  await expectNoAxeViolations(page);

  const released = Promise.withResolvers<void>();
  await page.route('**/domain-check', async (route) => {
    await released.promise;
    await route.continue();
  });
  await check(page, EMPTY);
  await expect(findSection(page).getByRole('button', { name: 'Checking...' })).toBeVisible();
  await expect(findField(page)).not.toHaveAttribute('aria-invalid');
  released.resolve();
  await expect(findSection(page).getByRole('status')).toContainText('does not accept email (null MX)');
  await expect(findSection(page).getByText('Needs a change', { exact: true })).toHaveCount(2);
});

test.describe('The domain check without a connection', () => {
  test.use({ allowedProblems: [/domain-check|ERR_/] });

  test('reports that it cannot be reached, and works again when online', async ({ page, site }) => {
    await enableCheck(site);
    await page.goto('/services');
    await page.route('**/domain-check', (route) => route.abort());
    await check(page, GOOD);
    await expect(findSection(page).getByText('Could not reach the domain check.')).toBeVisible();
    await page.unroute('**/domain-check');
    await findField(page).press('Enter');
    await expect(findSection(page).getByRole('heading', { name: GOOD })).toBeVisible();
  });
});

test.describe('The domain check without JavaScript', () => {
  // Chromium logs an error for each script that it does not load.
  test.use({ javaScriptEnabled: false, allowedProblems: [/\.js csp$/] });

  test('is shown with a note that it needs JavaScript', async ({ page, site }) => {
    await enableCheck(site);
    await page.goto('/services');
    // Playwright's text locators ignore noscript elements.
    const hint = findSection(page).locator('noscript p');
    await expect(hint).toBeVisible();
    expect(await hint.innerText()).toBe('The check needs JavaScript.');
    await expect(findSection(page).getByRole('button')).toBeHidden();
  });
});
