import type { Page } from '@playwright/test';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, type Site, test } from '../support/e2e.ts';

test.use({ starterContent: false });

const dialog = (page: Page) => page.getByRole('dialog');
const expectVisible = (page: Page, text: string) => expect(page.getByText(text, { exact: true }).first()).toBeVisible();

async function openBanner(page: Page, site: Site): Promise<void> {
  await site.service.from('page_content').delete().neq('page_slug', '').throwOnError();
  await openAdmin(page, site, '/admin/pages/home?tab=logo-banner');
  await expect(page.getByRole('button', { name: 'Add logo' })).toBeVisible();
}

test('A logo with an uploaded image can be added and is shown on the home page', async ({ page, site }) => {
  await openBanner(page, site);
  await page.getByRole('button', { name: 'Add logo' }).click();
  await expect(dialog(page).getByRole('heading')).toHaveText('Add logo');
  await expect(dialog(page).getByRole('radio', { name: 'Upload' })).toBeChecked();
  await expect(dialog(page).getByLabel('Display order')).toHaveValue('9');
  await expect(dialog(page).getByLabel('Display order')).toHaveAttribute('min', '1');
  await dialog(page).getByLabel('Company name').fill('Granitt');
  await dialog(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'granitt.png', mimeType: 'image/png', buffer: await picture(40, 20) });
  await expectVisible(page, 'Image uploaded successfully');
  await expectNoAxeViolations(page);
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(
    page.frameLocator('iframe[title="Preview"]').getByRole('img', { name: 'Granitt' }).first(),
  ).toBeAttached();

  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expectVisible(page, 'Content updated successfully');
  const { data } = await site.service.from('page_content').select().single().throwOnError();
  const { logos } = JSON.parse(data.content) as { logos: { name: string; imageUrl: string; order: number }[] };
  expect(logos.at(-1)).toMatchObject({ name: 'Granitt', order: 9 });
  expect(logos.at(-1)?.imageUrl).toMatch(/\/content-media\/logos\/[0-9a-f]{32}\.png$/);
  expect(await (await page.request.get('/')).text()).toContain('Granitt');
});

test('A logo image can be set by URL', async ({ page, site }) => {
  await openBanner(page, site);
  await page.getByRole('button', { name: 'Edit Fjellhus' }).click();
  await expect(dialog(page).getByRole('heading')).toHaveText('Edit logo');
  await dialog(page).getByRole('radio', { name: 'URL' }).check();
  await dialog(page).getByLabel('Image URL').fill('/favicon.svg');
  await updateLogo(page);
  expect(await readLogo(site, 1)).toMatchObject({ id: 'default-2', name: 'Fjellhus', imageUrl: '/favicon.svg' });
});

test('An invalid display order is saved as 0', async ({ page, site }) => {
  await openBanner(page, site);
  await page.getByRole('button', { name: 'Edit Fjellhus' }).click();
  await dialog(page).getByLabel('Display order').fill('');
  await updateLogo(page);
  expect(await readLogo(site, 1)).toMatchObject({ name: 'Fjellhus', order: 0 });
});

async function updateLogo(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Update' }).click();
  await expect(page.getByRole('button', { name: 'Edit Fjellhus' })).toBeFocused();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expectVisible(page, 'Content updated successfully');
}

async function readLogo(site: Site, index: number): Promise<unknown> {
  const { data } = await site.service.from('page_content').select().single().throwOnError();
  return JSON.parse(data.content).logos[index];
}

test('A logo for dark backgrounds keeps its dark background in the light theme', async ({ page, site }) => {
  await openBanner(page, site);
  await page.getByRole('button', { name: 'Edit Fjellhus' }).click();
  const whiteSvg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M5 5h30v4H5z" fill="#fff"/></svg>';
  const logo = { name: 'white.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(whiteSvg) };
  await dialog(page).locator('input[type=file]').setInputFiles(logo);
  const background = dialog(page).getByAltText('Preview').locator('..');
  await expect(background).toHaveCSS('background-color', 'oklch(0.235 0.022 172)');
  await dialog(page).getByRole('button', { name: 'Update' }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expectVisible(page, 'Content updated successfully');
  await page.goto('/');
  const logoBox = page.getByRole('img', { name: 'Fjellhus' }).first().locator('..');
  await expect(logoBox).toHaveCSS('background-color', 'oklch(0.235 0.022 172)');
});

test('A logo requires a company name', async ({ page, site }) => {
  await openBanner(page, site);
  await page.getByRole('button', { name: 'Add logo' }).click();
  await dialog(page).getByLabel('Company name').fill('   ');
  await page.keyboard.press('Control+s');
  await expectVisible(page, 'Validation error');
  await expectVisible(page, 'Company name is required');
  await expect(dialog(page).getByLabel('Company name')).toBeFocused();
  await expect(dialog(page).getByLabel('Company name')).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add logo' })).toBeFocused();
});

test('Files that are too large or have an unsupported type are rejected before the upload', async ({ page, site }) => {
  await openBanner(page, site);
  await page.getByRole('button', { name: 'Add logo' }).click();
  const input = dialog(page).locator('input[type=file]');
  await input.setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(2 * 1024 * 1024 + 1) });
  await expectVisible(page, 'File too large');
  await expectVisible(page, 'Maximum file size is 2MB');
  await input.setInputFiles({ name: 'logo.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
  await expectVisible(page, 'Invalid file type');
  await expectVisible(page, 'Only PNG, SVG, JPG, and WEBP files are allowed');
  await expect(dialog(page).getByAltText('Preview')).toHaveCount(0);
});

test.describe('A failed logo upload', () => {
  test.use({ allowedProblems: [/400/] });

  test("shows the backend's message in a toast", async ({ page, site }) => {
    await openBanner(page, site);
    await page.getByRole('button', { name: 'Add logo' }).click();
    await page.route('**/storage/v1/object/**', (route) =>
      route.fulfill({ status: 400, json: { statusCode: '400', error: 'Bad', message: 'no room left' } }),
    );
    await dialog(page)
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await picture(4, 4) });
    await expectVisible(page, 'Upload failed');
    await expectVisible(page, 'no room left');
  });
});
