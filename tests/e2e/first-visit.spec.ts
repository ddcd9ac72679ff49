/**
 * JavaScript of a first visit. Tests its size on every page that opens without a session, and the number of files in
 * the admin area.
 */
import { openAdmin } from '../support/admin-session.ts';
import { expect, type Site, test, waitUntilHydrated } from '../support/e2e.ts';
import { PUBLIC_SCREENS } from '../support/screens.ts';

const MAX_SCRIPT_BYTES = 130_000;
/**
 * Maximum number of scripts of an admin form. It loads 58, and would load more than 100 without the chunk groups in
 * scripts/chunks.ts.
 */
const MAX_FORM_SCRIPTS = 60;

/** Paths of emailed links with invalid tokens, whose pages show an error. */
const EMAILED_PATHS = [
  ...['/booking/abc', '/approve/abc', '/lead/abc', '/result/abc', '/newsletter/confirm?token=abc'],
  '/contact/confirm/abc',
];

test.use({ allowedProblems: [/status of 40\d/] });

async function listPublicPaths(site: Site): Promise<string[]> {
  const readSlug = async (table: 'posts' | 'projects') =>
    (await site.service.from(table).select('slug').eq('status', 'published').limit(1).single().throwOnError()).data
      .slug;
  return [
    ...PUBLIC_SCREENS,
    ...EMAILED_PATHS,
    `/news/${await readSlug('posts')}`,
    `/projects?case=${await readSlug('projects')}`,
  ];
}

test('A first visit of each public page loads at most 130 kB of JavaScript', async ({ browser, site }) => {
  const oversizedPages: string[] = [];
  for (const path of await listPublicPaths(site)) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    const scripts = new Map<string, string>();
    const loaded = new Set<string>();
    const sizes = new Map<string, number>();
    network.on('Network.responseReceived', ({ requestId, type, response }) => {
      if (type === 'Script') scripts.set(requestId, new URL(response.url).pathname);
    });
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      loaded.add(requestId);
      const script = scripts.get(requestId);
      if (script) sizes.set(script, encodedDataLength);
    });
    await page.goto(`${site.url}${path}`);
    // Scripts are requested after the first paint, which a busy machine may reach after the network was idle.
    await waitUntilHydrated(page.locator('h1:not(:text("Loading")), [role=log]').first());
    await page.waitForLoadState('networkidle');
    await expect.poll(() => [...scripts.keys()].filter((id) => !loaded.has(id))).toEqual([]);
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(bytes, path).toBeGreaterThan(50_000);
    if (bytes > MAX_SCRIPT_BYTES)
      oversizedPages.push(`${path} ${bytes}: ${[...sizes].map(([name, size]) => `${name} ${size}`).join(', ')}`);
    await context.close();
  }
  expect(oversizedPages).toEqual([]);
});

test('A form of the admin area loads fewer than 60 scripts', async ({ page, site }) => {
  const { data: post } = await site.service.from('posts').select('id').limit(1).single().throwOnError();
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url());
  });
  await openAdmin(page, site, `/admin/posts/${post.id}/edit`);
  await expect(page.getByLabel('Title')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(scripts.size).toBeGreaterThan(5);
  expect(scripts.size).toBeLessThan(MAX_FORM_SCRIPTS);
});
