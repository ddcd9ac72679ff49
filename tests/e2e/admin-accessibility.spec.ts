import { openAdmin } from '../support/admin-session.ts';
import {
  expect,
  expectFitsWithDoubleText,
  expectNoAxeViolations,
  expectNoAxeViolationsInAnyMode,
  test,
} from '../support/e2e.ts';
import { ADMIN_SCREENS } from '../support/screens.ts';

test('axe finds nothing on any screen, in forced colours neither, and text of twice the size fits', async ({
  page,
  site,
}) => {
  test.slow();
  await openAdmin(page, site, '/admin/posts');
  for (const path of ADMIN_SCREENS) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await expectNoAxeViolationsInAnyMode(page);
    await expectFitsWithDoubleText(page);
  }
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await expectNoAxeViolations(page);
});

test('No screen scrolls sideways at 320 px, whatever the length of its texts', async ({ page, site }) => {
  test.slow();
  const title = `Donaudampfschifffahrtsgesellschaft${'skapitän'.repeat(20)}`;
  const { data } = await site.service
    .from('posts')
    .insert({ title, slug: 'long-title', category: 'x'.repeat(100) })
    .select()
    .single()
    .throwOnError();
  await site.service.from('team_members').insert({ name: title, position: title }).throwOnError();
  await page.setViewportSize({ width: 320, height: 640 });
  await openAdmin(page, site, '/admin/posts');
  for (const path of [...ADMIN_SCREENS, `/admin/posts/${data.id}/edit`]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
  await page.goto('/admin/posts');
  await page.getByRole('button', { name: /^Delete Donau/ }).click();
  await expect(page.getByRole('alertdialog')).toBeInViewport({ ratio: 1 });
});
