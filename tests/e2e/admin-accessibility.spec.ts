import { openAdmin } from '../support/admin-session.ts';
import {
  expect,
  expectFitsWithDoubleText,
  expectNoAxeViolations,
  expectNoAxeViolationsInAnyMode,
  expectNoSidewaysScroll,
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

/** A small phone, and a tablet, on which the sidebar takes a third. */
const WIDTHS = [320, 834];

test('No screen scrolls sideways at 320 or 834 px, whatever the length of its texts', async ({ page, site }) => {
  test.slow();
  const title = `Donaudampfschifffahrtsgesellschaft${'skapitän'.repeat(20)}`;
  const { data } = await site.service
    .from('posts')
    .insert({ title, slug: 'long-title', category: 'x'.repeat(100) })
    .select()
    .single()
    .throwOnError();
  await site.service.from('team_members').insert({ name: title, position: title }).throwOnError();
  await openAdmin(page, site, '/admin/posts');
  for (const path of [...ADMIN_SCREENS, `/admin/posts/${data.id}/edit`]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 640 });
      await expectNoSidewaysScroll(page);
    }
  }
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/admin/posts');
  await page.getByRole('button', { name: /^Delete Donau/ }).click();
  await expect(page.getByRole('alertdialog')).toBeInViewport({ ratio: 1 });
});
