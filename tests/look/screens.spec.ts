import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openAdmin, signIn } from '../support/admin-session.ts';
import { expect, type Site, test } from '../support/e2e.ts';
import { ADMIN_SCREENS, PUBLIC_SCREENS } from '../support/screens.ts';
import { LOOKS, PICTURES } from './looks.ts';

// The page that is not found, and whatever a helper of the browser says about it.
test.use({ allowedProblems: [/status of 404/] });

for (const { name, width, theme } of LOOKS) {
  test.describe(name, () => {
    test.use({ viewport: { width, height: width < 500 ? 844 : 1000 }, colorScheme: theme });
    const take = (page: Page, paths: readonly string[]) => takePictures(page, paths, join(PICTURES, name));

    test('what visitors see', async ({ page, site }) => {
      test.slow();
      const slugOf = async (table: string) =>
        (await site.service.from(table).select('slug').eq('status', 'published').limit(1).single().throwOnError()).data
          .slug;
      await take(page, [
        ...PUBLIC_SCREENS,
        `/news/${await slugOf('posts')}`,
        `/projects?case=${await slugOf('projects')}`,
      ]);
    });

    test('what admins see', async ({ page, site }) => {
      test.slow();
      await openAdmin(page, site, '/admin/posts');
      await take(page, [...ADMIN_SCREENS, `/admin/posts/${await firstPost(site)}/edit`]);
    });

    for (const [role, paths] of [
      ['client', ['/client-dashboard', '/client-dashboard/report', '/account']],
      ['team', ['/team-dashboard']],
    ] as const) {
      test(`what a ${role} sees`, async ({ page, site }) => {
        await signIn(page, site, await site.createUser({ role }));
        await take(page, paths);
      });
    }

    test('what somebody sees who waits', async ({ page, site }) => {
      await signIn(page, site, await site.createUser({ role: 'team', approved: false }));
      await take(page, ['/pending-approval']);
    });
  });
}

async function firstPost(site: Site): Promise<string> {
  const { data } = await site.service.from('posts').select('id').order('title').limit(1).single().throwOnError();
  return data.id;
}

async function takePictures(page: Page, paths: readonly string[], folder: string): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await bringUpAll(page);
    const file = `${path.slice(1).replaceAll(/[/?=]/g, '_') || 'home'}.png`;
    await page.screenshot({ path: join(folder, file), fullPage: true });
  }
}

/** Scrolls to the end and back, because much is drawn only once it comes into view. */
async function bringUpAll(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += window.innerHeight / 2) {
      window.scrollTo({ top, behavior: 'instant' });
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    window.scrollTo({ top: 0, behavior: 'instant' });
  });
  await page.waitForLoadState('networkidle');
}
