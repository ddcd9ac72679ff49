/** The three home page sections with evidence, from the editor's switch to the public page. */
import { deliverabilityDefaults } from '../../app/content/pages/deliverability.ts';
import { handoverDefaults } from '../../app/content/pages/handover.ts';
import { sequenceDefaults } from '../../app/content/pages/sequence.ts';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, test, waitUntilHydrated } from '../support/e2e.ts';

const SECTIONS = [
  { tab: 'sequence', heading: sequenceDefaults.heading, mark: sequenceDefaults.mark },
  { tab: 'deliverability', heading: deliverabilityDefaults.heading, mark: deliverabilityDefaults.mark },
  { tab: 'handover', heading: handoverDefaults.heading, mark: handoverDefaults.mark },
];

test('Visitors see the sections, marked as samples', async ({ page, site }) => {
  const html = await (await fetch(site.url)).text();
  for (const { heading, mark } of SECTIONS) {
    expect(html).toContain(heading);
    expect(html).toContain(mark);
  }
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Does your mail arrive?' })).toHaveCount(0);
  const setting = { setting_key: 'domain_check', setting_value: 'on' };
  await site.service.from('site_settings').upsert(setting, { onConflict: 'setting_key' }).throwOnError();
  await page.reload();
  await waitUntilHydrated(page.getByRole('button', { name: 'Open chat' }));
  for (const { heading, mark } of SECTIONS) {
    const section = page.getByRole('region', { name: heading });
    await section.scrollIntoViewIfNeeded();
    await expect(section.getByText(mark)).toBeVisible();
  }
  await expect(page.getByRole('region', { name: sequenceDefaults.heading }).getByRole('listitem')).toHaveCount(4);
  await expect(page.getByText('784 of 800 · 98%')).toHaveCSS('font-size', '14px');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoAxeViolations(page);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  await page.getByRole('link', { name: 'Check your domain' }).click();
  await expect(page).toHaveURL(/\/services#domain-check$/);
});

test('An editor hides the sections, and the page no longer contains them', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/pages/home');
  for (const { tab } of SECTIONS) {
    await page.goto(`/admin/pages/home?tab=${tab}`);
    await page.getByRole('switch', { name: 'Show this section on the home page' }).uncheck();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Content updated successfully')).toBeVisible();
  }
  const html = await (await fetch(site.url)).text();
  for (const { heading, mark } of SECTIONS) {
    expect(html).not.toContain(heading);
    expect(html).not.toContain(mark);
  }
  await site.service.from('page_content').delete().neq('page_slug', '').throwOnError();
});

test('Sections with their own texts are not marked as samples', async ({ page, site }) => {
  const content = {
    ...handoverDefaults,
    isShown: true,
    mark: '',
    items: [{ name: 'The keys', detail: 'All of them.' }],
  };
  const row = { page_slug: 'home', section_name: 'handover', content: JSON.stringify(content), content_type: 'json' };
  await site.service.from('page_content').upsert(row, { onConflict: 'page_slug,section_name' }).throwOnError();
  await page.goto('/');
  const section = page.getByRole('region', { name: handoverDefaults.heading });
  await expect(section.getByText('All of them.')).toBeVisible();
  await expect(section.getByText(handoverDefaults.mark)).toHaveCount(0);
});
