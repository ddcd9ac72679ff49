/**
 * Compares a site after a year of use with a new site. Opens every public page and admin screen in a browser and
 * measures the time to first byte of each response.
 *
 *     node bench/year.ts [--postgres]      on the built-in database, or with --postgres on a Postgres server
 */
import { chromium, type Page, type Request } from '@playwright/test';
import { startNativePostgres } from '../packages/backend/tests/support/native-postgres.ts';
import { CHROMIUM_ARGUMENTS, requireChromium } from '../tests/support/chromium.ts';
import { ADMIN_SCREENS, PUBLIC_SCREENS } from '../tests/support/screens.ts';
import type { SiteProcess } from '../tests/support/site.ts';
import { CLIENT, fillYear, MEMBER_EMAIL } from './year-data.ts';
import { ADMIN, withFilledSite } from './year-site.ts';

/** Target for the slowest response of a screen, in ms. */
const SCREEN_MS = 300;

/** Deep pages and searches, which only long lists have. */
const DEEP_SCREENS = [
  '/news?page=200',
  '/news?q=harbour',
  '/news?category=Category%203&page=20',
  '/admin/posts?page=200',
  '/admin/posts?q=harbour',
  '/admin/leads?page=2000',
  '/admin/leads?q=person49',
  '/admin/conversations?page=400',
  '/admin/conversations?q=message%2077',
  '/admin/people?page=4000',
  '/admin/people?q=person49999',
  '/admin/media?page=1200',
  '/admin/releases?page=16',
  `/admin/clients/${CLIENT}`,
  '/team-dashboard',
];

/** Screens of a client's member. */
const CLIENT_SCREENS = ['/client-dashboard', '/client-dashboard/report'];

type Times = ReadonlyMap<string, number>;

const server = process.argv.includes('--postgres') ? await startNativePostgres() : null;
const browser = await chromium.launch({ executablePath: requireChromium(), args: CHROMIUM_ARGUMENTS });
const screens = [...PUBLIC_SCREENS, ...DEEP_SCREENS, ...ADMIN_SCREENS];
const first = await withFilledSite(
  'first_day',
  server,
  async () => {},
  ({ site }) => measureScreens(site),
);
const year = await withFilledSite('year', server, fillYear, async ({ site }) => {
  const durations = await measureScreens(site);
  const clientDurations = await measureScreens(site, MEMBER_EMAIL, CLIENT_SCREENS);
  return new Map([...durations, ...clientDurations]);
});
await browser.close();
await server?.stop();

console.log(`\n${'slowest response of each screen, ms'.padEnd(44)} first day     year   target ${SCREEN_MS}`);
for (const path of [...screens, ...CLIENT_SCREENS]) {
  const duration = year.get(path) ?? 0;
  console.log(
    path.padEnd(44),
    String(first.get(path) ?? '').padStart(9),
    String(duration).padStart(8),
    mark(duration, SCREEN_MS),
  );
}
function mark(duration: number, target: number): string {
  if (duration <= target) return '';
  process.exitCode = 1;
  return 'missed';
}

/** Returns the duration in ms of the slowest response of each screen, opened for the second time. */
async function measureScreens(site: SiteProcess, email = ADMIN.email, paths = screens): Promise<Times> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const response = await page.request.post(`${site.url}/auth/v1/token?grant_type=password`, {
    data: { ...ADMIN, email },
  });
  await page.goto(`${site.url}/robots.txt`);
  const key = `sb-${new URL(site.url).hostname.split('.')[0]}-auth-token`;
  await page.evaluate(([name, session]) => localStorage.setItem(name, session), [key, await response.text()] as const);
  const slowest = new Map<string, number>();
  for (const path of paths) {
    await open(page, site.url + path);
    slowest.set(path, await open(page, site.url + path));
  }
  await context.close();
  return slowest;
}

async function open(page: Page, url: string): Promise<number> {
  let slowest = 0;
  const note = (request: Request) => {
    const { requestStart, responseStart } = request.timing();
    const { pathname } = new URL(request.url());
    if (/^\/(?:assets|chat-embed|embed)/.test(pathname) || responseStart < 0) return;
    slowest = Math.max(slowest, Math.round(responseStart - requestStart));
  };
  page.on('requestfinished', note);
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  page.off('requestfinished', note);
  return slowest;
}
