import type { Response } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test, waitUntilHydrated } from '../support/e2e.ts';

const SECTIONS = [
  ['Dashboard', '/admin/dashboard'],
  ['Blog Posts', '/admin/posts'],
  ['Projects', '/admin/projects'],
  ['Services', '/admin/services'],
  ['Reviews', '/admin/reviews'],
  ['Team', '/admin/team'],
  ['Questions and answers', '/admin/faq'],
  ['Pages', '/admin/pages'],
  ['Releases', '/admin/releases'],
  ['Media', '/admin/media'],
  ['Preview links', '/admin/previews'],
  ['Leads', '/admin/leads'],
  ['Bookings', '/admin/bookings'],
  ['Clients', '/admin/clients'],
  ['Conversations', '/admin/conversations'],
  ['Chat embed', '/admin/embed'],
  ['People', '/admin/people'],
  ['Settings', '/admin/settings'],
] as const;

// accounts.spec.ts and session.test.ts test the guards.
test.describe('Admin pages', () => {
  test('are sent to signed-out visitors with noindex and without content', async ({ request }) => {
    const html = await (await request.get('/admin/posts')).text();
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(html).not.toContain('Blog Posts');
  });

  test.describe('Unknown URLs', () => {
    test.use({ allowedProblems: [/404/] });

    test('show the 404 page', async ({ page, site }) => {
      await openAdmin(page, site, '/admin/recipes');
      await expect(page.getByText('Oops! Page not found')).toBeVisible();
    });
  });
});

test('A visitor downloads no code of the admin area', async ({ page }) => {
  const responses: Response[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) responses.push(response);
  });
  await page.goto('/');
  // On a slow machine the network may be idle before the first script is requested.
  await waitUntilHydrated(page.getByRole('button', { name: 'Open chat' }));
  await page.waitForLoadState('networkidle');
  const scripts = await Promise.all(responses.map((response) => response.text()));
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((script) => script.includes('sidebar_state') || script.includes('Blog Posts'))).toEqual([]);
});

test('The palette finds sections and items, and the top bar and the sidebar are complete', async ({ page, site }) => {
  const { data } = await site.service
    .from('projects')
    .insert({ title: 'Palette & "quoted" 100%', slug: 'palette' })
    .select()
    .single()
    .throwOnError();
  await openAdmin(page, site, '/admin/settings');
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  const sidebar = page.getByRole('navigation', { name: 'Admin' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(sidebar.getByRole('button', { name: 'Sign Out' })).toBeInViewport({ ratio: 1 });
  await expect(sidebar.getByRole('link')).toHaveText(SECTIONS.map(([label]) => label));
  for (const [label, path] of SECTIONS) {
    await expect(sidebar.getByRole('link', { name: label })).toHaveAttribute('href', path);
  }
  const sales = sidebar.getByRole('list', { name: 'Sales' }).getByRole('link');
  await expect(sales).toHaveText(['Leads', 'Bookings', 'Clients']);
  await expect(sidebar.getByRole('link', { name: 'Settings' })).toHaveAttribute('aria-current', 'page');

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('blog');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin/posts');
  await page.getByRole('button', { name: 'Go to' }).click();
  await page.getByRole('dialog').getByRole('combobox').fill('"quoted" 100%');
  await page.getByRole('option', { name: 'Palette & "quoted" 100%' }).click();
  await expect(page).toHaveURL(`/admin/projects/${data.id}/edit`);

  await expect(page.getByRole('link', { name: 'View site' })).toHaveAttribute('href', '/');
  await page.getByRole('button', { name: 'Your account' }).click();
  await expect(page.getByRole('menu')).toContainText('admin@example.com');
  await page.keyboard.press('Escape');

  await sidebar.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/');
  // The session ends after the editor has closed.
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await page.goto('/admin/settings');
  await expect(page).toHaveURL('/auth');
});

test.describe('Sidebar', () => {
  test('is 16rem wide or collapsed to 3rem with Ctrl+B, and remembers its state for 7 days', async ({
    page,
    site,
    context,
  }) => {
    await openAdmin(page, site, '/admin/settings');
    const aside = page.locator('aside');
    await expect(aside).toHaveCSS('width', '256px');
    await page.keyboard.press('Control+b');
    await expect(aside).toHaveCSS('width', '48px');
    await expect(page.getByRole('link', { name: 'Projects' })).toBeVisible();

    const readCookie = async () => (await context.cookies()).find(({ name }) => name === 'sidebar_state');
    await expect.poll(async () => (await readCookie())?.value).toBe('false');
    const cookie = await readCookie();
    expect(((cookie?.expires ?? 0) * 1000 - Date.now()) / 86_400_000).toBeCloseTo(7, 1);

    await page.reload();
    await expect(aside).toHaveCSS('width', '48px');
    await page.getByRole('button', { name: 'Toggle sidebar' }).click();
    await expect(aside).toHaveCSS('width', '256px');
  });

  test('is an 18rem sheet on a phone and closes when a section is selected', async ({ page, site }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openAdmin(page, site, '/admin/settings');
    await expect(page.getByRole('navigation', { name: 'Admin' })).toBeHidden();
    await page.getByRole('button', { name: 'Toggle sidebar' }).click();
    const sheet = page.getByRole('dialog', { name: 'Admin menu' });
    await expect(sheet).toHaveCSS('width', '288px');
    await sheet.getByRole('link', { name: 'Reviews' }).click();
    await expect(page).toHaveURL('/admin/reviews');
    await expect(sheet).toBeHidden();
  });
});

test('Each screen lists the features that are missing on a Supabase project', async ({ page, site }) => {
  const note = page.getByRole('complementary', { name: 'Setup notes for your Supabase project' });
  await openAdmin(page, site, '/admin/releases');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(note).toHaveCount(0);
  // A Supabase project has its own origin. The full URL of the site replaces it.
  await page.route('**/admin/*', async (route) => {
    const response = await route.fetch();
    const [before, after] = ['name="supabase-url" content=""', `name="supabase-url" content="${site.url}"`];
    await route.fulfill({ response, body: (await response.text()).replace(before, after) });
  });
  await page.reload();
  await expect(note).toContainText('Planned releases are published once the release job is set up in the project.');
  await expectNoAxeViolations(page);
  await page.goto('/admin/embed');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(note).toHaveCount(0);
});
