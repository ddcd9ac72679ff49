import { openAdmin } from '../support/admin-session.ts';
import {
  expect,
  expectFitsWithDoubleText,
  expectNoAxeViolations,
  expectNoAxeViolationsInAnyMode,
  expectNoSidewaysScroll,
  test,
} from '../support/e2e.ts';
import { violationsOf, watchPolicy } from '../support/policy-violations.ts';
import { ADMIN_SCREENS } from '../support/screens.ts';

/** A small phone, and a tablet, on which the sidebar takes a third. */
const WIDTHS = [320, 834];
const DESKTOP = { width: 1280, height: 720 };

test('On no screen axe finds anything, in forced colours neither; text fits in twice its size and at 320 and 834 px; the policy holds', async ({
  page,
  site,
}) => {
  test.setTimeout(600_000);
  const title = `Donaudampfschifffahrtsgesellschaft${'skapitän'.repeat(20)}`;
  const { data } = await site.service
    .from('posts')
    .insert({ title, slug: 'long-title', category: 'x'.repeat(100) })
    .select()
    .single()
    .throwOnError();
  await site.service.from('team_members').insert({ name: title, position: title }).throwOnError();
  await watchPolicy(page);
  await openAdmin(page, site, '/admin/posts');
  for (const path of [...ADMIN_SCREENS, `/admin/posts/${data.id}/edit`]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await expectNoAxeViolationsInAnyMode(page);
    await expectFitsWithDoubleText(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 640 });
      await expectNoSidewaysScroll(page);
    }
    await page.setViewportSize(DESKTOP);
    expect(await violationsOf(page), path).toEqual([]);
  }
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/admin/posts');
  await page.getByRole('button', { name: /^Delete Donau/ }).click();
  await expect(page.getByRole('alertdialog')).toBeInViewport({ ratio: 1 });
});
