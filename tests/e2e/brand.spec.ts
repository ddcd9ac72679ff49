import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectReadable, type Site, test } from '../support/e2e.ts';

const wideLogo = (fill: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30" width="90" height="30"><script>alert(1)</script><path fill="${fill}" d="M0 0h90v30H0z"/></svg>`,
  );

const LOGO_PATH = '/storage/v1/object/public/content-media/logo.svg';

const expectVisible = (page: Page, text: string) => expect(page.getByText(text, { exact: true }).first()).toBeVisible();
const colour = (page: Page) => page.getByLabel('Colour', { exact: true });
const readAccent = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim());

async function openBrand(page: Page, site: Site): Promise<void> {
  await site.service.from('site_settings').delete().like('setting_key', 'brand%').throwOnError();
  await openAdmin(page, site, '/admin/settings/brand');
  await expect(colour(page)).toHaveValue('#0a6247');
}

async function saveAccent(site: Site, accent: string): Promise<void> {
  const row = { setting_key: 'brand_accent', setting_value: accent };
  await site.service.from('site_settings').upsert(row, { onConflict: 'setting_key' }).throwOnError();
}

test('An illegible colour is rejected, and the suggested colour is applied to the whole site', async ({
  page,
  site,
}) => {
  await openBrand(page, site);
  await colour(page).fill('#ffd400');
  await expect(
    page.getByText(/^#ffd400 is too light\. .* 1\.2:1.* The nearest colour that passes is #806900\.$/),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(colour(page)).toBeFocused();
  const { data } = await site.service.from('site_settings').select().eq('setting_key', 'brand_accent').throwOnError();
  expect(data).toEqual([]);
  await page.getByRole('button', { name: 'Use #806900' }).click();
  await expect(colour(page)).toHaveValue('#806900');
  for (const theme of ['Light theme', 'Dark theme']) {
    await expect(
      page.frameLocator(`iframe[title="${theme}"]`).getByRole('button', { name: 'Work with us' }),
    ).toBeVisible();
  }
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expectVisible(page, 'Setting updated successfully');
  // The change is visible immediately, even on the page that saved it.
  await expect.poll(() => readAccent(page)).toBe('#806900');
  await page.goto('/');
  await expect.poll(() => readAccent(page)).toBe('#806900');

  await page.goto('/admin/settings/brand');
  await page.getByRole('button', { name: 'Reset to built-in colour' }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expectVisible(page, 'Setting updated successfully');
  await expect.poll(() => readAccent(page)).toContain('oklch');
});

test('A logo can be uploaded, is sanitized, and replaces the name on the pages', async ({ page, site }) => {
  await openBrand(page, site);
  const files = page.locator('input[type=file]');
  await files.first().setInputFiles({ name: 'logo.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') });
  await expectVisible(page, 'Only PNG, SVG, JPG, and WEBP files are allowed');
  await files.first().setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: wideLogo('#c8102e') });
  await expectVisible(page, 'Image uploaded successfully');
  // A wide logo is assumed to contain the name.
  await expect(page.getByRole('switch', { name: 'Show the site’s name beside the logo' })).not.toBeChecked();
  await files.nth(1).setInputFiles({ name: 'night.svg', mimeType: 'image/svg+xml', buffer: wideLogo('#ff8a80') });
  await expect(page.getByRole('button', { name: 'Remove the logo on dark backgrounds' })).toBeVisible();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expectVisible(page, 'Setting updated successfully');

  for (const [scheme, index] of [
    ['light', 0],
    ['dark', 1],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto('/');
    const logos = page.getByRole('banner').locator('img');
    await expect(logos).toHaveCount(2);
    await expect(logos.nth(index)).toBeVisible();
    await expect(logos.nth(1 - index)).toBeHidden();
    await expect(logos.nth(index)).toHaveJSProperty('complete', true);
    await expect(page.getByRole('banner').getByRole('img', { name: 'Signalfjord' })).toHaveCount(1);
  }
  const src = await page.getByRole('banner').locator('img').first().getAttribute('src');
  expect(await (await page.request.get(src ?? '')).text()).not.toContain('script');
});

test.describe('Concurrent changes to the brand', () => {
  // The browser logs the 412 response of a save conflict.
  test.use({ allowedProblems: [/status of 412/] });

  test('are merged or shown as a conflict if they affect the same field, and earlier values can be restored', async ({
    page,
    site,
  }) => {
    const options = { contentType: 'image/svg+xml' };
    await site.service.storage.from('content-media').upload('logo.svg', wideLogo('#c8102e'), options);
    await openBrand(page, site);
    await colour(page).fill('#c8102e');
    const logo = { light: { address: LOGO_PATH, width: 90, height: 30 }, dark: null, showsName: true };
    const row = { setting_key: 'brand_logo', setting_value: JSON.stringify(logo) };
    await site.service.from('site_settings').insert(row).throwOnError();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expectVisible(
      page,
      'Someone else saved in the meantime. Their changes were kept: Logo on light backgrounds.',
    );
    await expect(page.getByRole('button', { name: 'Remove the logo on light backgrounds' })).toBeVisible();
    await expect.poll(() => readAccent(page)).toBe('#c8102e');

    await saveAccent(site, '#00539b');
    await colour(page).fill('#7a1fa2');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    const conflictDialog = page.getByRole('dialog', { name: 'Someone else changed this setting' });
    await expect(conflictDialog).toContainText('#00539b');
    await conflictDialog.getByRole('button', { name: 'Discard mine and load theirs' }).click();
    await expect(colour(page)).toHaveValue('#00539b');

    await page.getByRole('button', { name: 'History of Accent colour' }).click();
    const history = page.getByRole('dialog', { name: 'History' });
    await history.getByRole('list', { name: 'Versions' }).getByRole('button').nth(1).click();
    await history.getByRole('button', { name: 'Restore this version' }).click();
    await expect(colour(page)).toHaveValue('#c8102e');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    const brandRows = () => site.service.from('site_settings').select().like('setting_key', 'brand%').throwOnError();
    await expect
      .poll(async () => (await brandRows()).data)
      .toContainEqual(expect.objectContaining({ setting_value: '#c8102e' }));
    expect((await brandRows()).data).toHaveLength(2);
  });
});

test('All text is legible with the darkest and the lightest accent in both themes', async ({ page, site }) => {
  test.slow();
  for (const accent of ['#000000', '#806900']) {
    await saveAccent(site, accent);
    await page.goto('/');
    await expectReadable(page);
    await openAdmin(page, site, '/admin/settings/brand');
    await expect(colour(page)).toHaveValue(accent);
    await expectReadable(page);
  }
});

test("The embedded chat uses the site's accent colour", async ({ page, site }) => {
  await saveAccent(site, '#c8102e');
  await page.goto('/chat-embed');
  await expect.poll(() => readAccent(page)).toBe('#c8102e');
});
