import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';

async function openSamples(page: Page) {
  const samples = page.getByRole('region', { name: 'Sample content' });
  await samples.getByText('Visitors see them until').click();
  return samples;
}

test('Admins see the remaining samples, and each links to its editor', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/dashboard');
  const samples = await openSamples(page);
  await expect(samples.getByRole('listitem')).toContainText([
    '20 testimonials',
    '8 customer logos',
    '4 customers and figures in the highlights',
    '4 emails in the sequence',
    '8 weeks of deliverability figures',
    '6 handover items',
    '4 story chapters',
    '5 projects',
    '5 reviews',
    '4 team members',
    '6 posts',
    'The contact address in the settings',
  ]);
  await expect(samples.getByRole('listitem').first()).toContainText(
    'Marit Fossum, Jonas Brekke, Henning Dale and 17 more',
  );
  await expectNoAxeViolations(page);
  for (const [title, path] of [
    ['20 testimonials', '/admin/pages/home?tab=testimonials'],
    ['5 reviews', '/admin/reviews'],
    ['The contact address in the settings', '/admin/settings'],
  ] as const) {
    await expect(samples.getByRole('link', { name: `Replace ${title}` })).toHaveAttribute('href', path);
  }
});

test('The samples of a section can be hidden and restored with Undo, and edited texts are kept', async ({
  page,
  site,
  request,
}) => {
  await openAdmin(page, site, '/admin/dashboard');
  const samples = await openSamples(page);
  const hide = async () => {
    await samples.getByRole('button', { name: 'Hide 20 testimonials' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('Visitors will no longer see them.');
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await expect(page.getByText('Hidden from visitors')).toBeVisible();
    await expect(samples).not.toContainText('20 testimonials');
  };
  const home = async () => (await request.get('/')).text();
  await hide();
  await expect(samples.getByRole('link', { name: 'Replace 8 customer logos' })).toBeFocused();
  expect(await home()).not.toContain('Jonas Brekke');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Shown to visitors again')).toBeVisible();
  await expect(samples).toContainText('20 testimonials');
  expect(await home()).toContain('Jonas Brekke');

  await hide();
  await site.service
    .from('page_content')
    .update({ content: '{"heading":"Changed by another editor"}' })
    .eq('section_name', 'testimonials')
    .throwOnError();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(page.getByText('This section has been changed since then. Nothing was overwritten.')).toBeVisible();
  await site.service.from('page_content').delete().eq('section_name', 'testimonials').throwOnError();
});

test('The samples of a list become drafts, with Undo, and the list disappears when no samples are left', async ({
  page,
  site,
}) => {
  await openAdmin(page, site, '/admin/dashboard');
  const samples = await openSamples(page);
  const countPublished = async () =>
    (await site.service.from('projects').select('*', { count: 'exact', head: true }).eq('status', 'published')).count;
  await samples.getByRole('button', { name: 'Hide 5 projects' }).click();
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await expect(samples).not.toContainText('5 projects');
  await expect.poll(countPublished).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(samples).toContainText('5 projects');
  await expect.poll(countPublished).toBe(5);

  for (const table of ['projects', 'posts', 'reviews']) {
    await site.service.from(table).update({ status: 'draft' }).neq('status', '').throwOnError();
  }
  await site.service.from('team_members').update({ bio: 'Changed' }).neq('status', '').throwOnError();
  await site.service.from('team_members').update({ name: 'Ola Own' }).neq('status', '').throwOnError();
  await site.service
    .from('site_settings')
    .upsert({ setting_key: 'contact_email', setting_value: 'post@own.no' }, { onConflict: 'setting_key' })
    .throwOnError();
  const customContent = {
    testimonials: { heading: 'Said', testimonials: [] },
    'logo-banner': { logos: [] },
    usps: {
      card1: { heading: 'a', quote: 'a', clientName: 'a', clientTitle: 'a', clientCompany: 'a' },
      card2: { percentage: '1%', description: 'a' },
      card3: { company: 'a', description: 'a', linkText: 'a' },
      card4: { dollarAmount: '1', description: 'a' },
    },
    sequence: { isShown: false },
    deliverability: { isShown: false },
    handover: { isShown: false },
    footer: { contact: { title: 'Contact', address: [], email: 'post@own.no' } },
  };
  for (const [section_name, content] of Object.entries(customContent)) {
    await site.service
      .from('page_content')
      .upsert(
        { page_slug: 'home', section_name, content: JSON.stringify(content) },
        { onConflict: 'page_slug,section_name' },
      )
      .throwOnError();
  }
  const story = { page_slug: 'about', section_name: 'story', content: '{"chapters":[]}' };
  await site.service.from('page_content').upsert(story, { onConflict: 'page_slug,section_name' }).throwOnError();
  await page.reload();
  await expect(samples).toContainText('No sample content left.');
  await expect(samples.getByRole('listitem')).toHaveCount(0);
});

test('The preview beside an editor marks samples', async ({ page, site }) => {
  await site.service.from('page_content').delete().eq('page_slug', 'home').throwOnError();
  await openAdmin(page, site, '/admin/pages/home?tab=logo-banner');
  const preview = page.getByRole('region', { name: 'Preview', exact: true });
  await expect(preview).toContainText('Sample: Nordvik, Fjellhus, Havline and 5 more are invented.');
  await page.goto('/admin/pages/home?tab=hero');
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeVisible();
  await expect(preview).not.toContainText('Sample:');
});
