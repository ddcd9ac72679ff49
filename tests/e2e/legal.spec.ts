import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';
import { writeMarkdown } from '../support/rich-text.ts';

const PAGES = [
  ['Privacy Policy', '/privacy', 'What we keep, why, and for how long'],
  ['Terms of Service', '/terms', 'The terms of this website'],
  ['Cookie Settings', '/cookies', 'What this site keeps in your browser'],
] as const;

test('The footer links to three legal pages, which contain the name and settings of the site', async ({
  page,
  site,
}) => {
  await site.service
    .from('site_settings')
    .upsert(
      [
        { setting_key: 'site_name', setting_value: 'Nordlys' },
        { setting_key: 'contact_email', setting_value: 'hei@nordlys.example' },
        { setting_key: 'chat_retention_days', setting_value: '90' },
      ],
      { onConflict: 'setting_key' },
    )
    .throwOnError();
  const privacy = await (await page.request.get('/privacy')).text();
  for (const text of ['Nordlys runs this website', 'mailto:hei@nordlys.example', 'deleted 90 days after']) {
    expect(privacy).toContain(text);
  }
  await page.goto('/');
  for (const [label, path, title] of PAGES) {
    await page.getByRole('contentinfo').getByRole('link', { name: label }).click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.getByRole('main')).not.toContainText(/[{}]/);
    await expect(page.getByText('Last changed')).toHaveCount(0);
  }
  const sitemap = await (await page.request.get('/sitemap.xml')).text();
  for (const [, path] of PAGES) {
    expect(sitemap).toContain(`${site.url}${path}</loc>`);
    expect((await page.request.get(`/og.png?path=${path}`)).status()).toBe(200);
  }
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveCount(6);
});

test('Links beside a legal text jump to its sections on wide screens', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/privacy');
  const contents = page.getByRole('navigation', { name: 'On this page' });
  await contents.getByRole('link', { name: 'Emails' }).click();
  await expect(page).toHaveURL(/#section-\d$/);
  await expect(page.getByRole('heading', { name: 'Emails' })).toBeInViewport({ ratio: 1 });
  await expect(contents).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(contents).toBeHidden();
});

test('An admin edits a legal page beside its preview, and restores the built-in text', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/pages');
  await page.getByRole('link', { name: /Legal pages/ }).click();
  await page.getByRole('tab', { name: 'Terms' }).click();
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  await expect(text).toContainText('{site}');
  await writeMarkdown(page, '![Our seal](#pasted-picture-1)', 'Text');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(
    page.getByText('The picture “Our seal” is missing. Upload it or remove it from the text.').first(),
  ).toBeVisible();
  await writeMarkdown(page, '## Rules of {site}\n\nWrite to {email}.', 'Text');
  const preview = page.frameLocator('iframe[title=Preview]');
  await expect(preview.getByRole('heading', { name: 'Rules of Nordlys' })).toBeVisible();
  await expect(preview.getByText('Write to hei@nordlys.example.')).toBeVisible();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Content updated successfully')).toBeVisible();
  const html = await (await page.request.get('/terms')).text();
  expect(html).toContain('Rules of Nordlys</h2>');
  // One section needs no list of contents.
  expect(html).not.toContain('On this page');
  expect(html).toContain('Last changed on');
  expect(await (await page.request.get('/privacy')).text()).not.toContain('Last changed on');

  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect(text).toContainText('is a program');
  await expect.poll(async () => (await page.request.get('/terms')).text()).not.toContain('Rules of Nordlys');
});

test('On a phone, the cookie tables show each purpose and duration without horizontal scrolling', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto('/cookies');
  const table = page.getByRole('table').first();
  await expect(table.getByRole('row')).not.toHaveCount(0);
  await expect(table.getByRole('cell', { name: 'until you clear it' })).toBeVisible();
  const hidden = await page
    .getByRole('table')
    .evaluateAll(
      (tables) => tables.filter(({ parentElement: box }) => box && box.scrollWidth > box.clientWidth).length,
    );
  expect(hidden).toBe(0);
  await expectNoAxeViolations(page);
});
