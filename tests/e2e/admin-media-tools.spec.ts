/**
 * Media library tools. Tests bulk actions, replacing files, focal points, duplicates, originals and required alt texts.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, type Site, test } from '../support/e2e.ts';

const BUCKET = 'content-media';
const toPath = (name: string) => `/storage/v1/object/public/${BUCKET}/${name}`;

test.beforeEach(async ({ site }) => {
  // Otherwise posts would still load the images that are deleted here.
  await site.service.from('posts').delete().like('featured_image', toPath('%')).throwOnError();
  const bucket = site.service.storage.from(BUCKET);
  const { data } = await site.service.rpc('media_library', { _limit: 200 }).throwOnError();
  if (data.length > 0) await bucket.remove(data.map(({ name }: { name: string }) => name));
});

async function store(site: Site, name: string, buffer: Buffer): Promise<void> {
  const metadata = { original_name: `Our ${name}` };
  const { error } = await site.service.storage
    .from(BUCKET)
    .upload(name, buffer, { contentType: 'image/png', metadata });
  expect(error).toBeNull();
}

async function choose(page: Page, button: string, name: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button, exact: true }).click();
  await (await chooser).setFiles({ name, mimeType: 'image/png', buffer });
}

async function expectAxeInBothThemes(page: Page): Promise<void> {
  await expectNoAxeViolations(page);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expectNoAxeViolations(page);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

test('Several files can be moved to a folder or deleted together', async ({ page, site }) => {
  for (const [index, name] of ['one.png', 'two.png', 'three.png'].entries())
    await store(site, name, await picture(8, 4 + index));
  await site.service.from('posts').insert({ title: 'Uses one', slug: 'uses-one', featured_image: toPath('one.png') });
  await openAdmin(page, site, '/admin/media');
  await page.getByRole('checkbox', { name: 'Select Our one.png' }).check();
  await page.getByRole('checkbox', { name: 'Select Our two.png' }).check();
  await expect(page.getByText('2 files selected')).toBeVisible();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Move 2 files' });
  await dialog.getByLabel('Folder').fill('Boats');
  await expectAxeInBothThemes(page);
  await dialog.getByRole('button', { name: 'Move' }).click();
  await expect(page.getByText('2 files moved to Boats')).toBeVisible();

  await page.getByLabel('Filter by folder').selectOption('Boats');
  const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
  await expect(files).toHaveCount(2);
  await expect(page).toHaveURL('/admin/media?folder=Boats');
  // The URL is updated shortly after the click.
  await page.getByLabel('Unused').click();
  await expect(page.getByLabel('Unused')).toBeChecked();
  await expect(files).toHaveCount(1);
  await page.reload();
  await expect(files).toHaveCount(1);
  await expectAxeInBothThemes(page);
  await page.getByLabel('Unused').click();
  await expect(page.getByLabel('Unused')).not.toBeChecked();
  await expect(files).toHaveCount(2);

  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const deleteDialog = page.getByRole('alertdialog');
  await expect(deleteDialog).toContainText('Are you sure you want to delete 2 files? This action cannot be undone.');
  await expect(deleteDialog).toContainText('In use: Our one.png.');
  await deleteDialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('2 files deleted successfully')).toBeVisible();
  await expect(page.getByText('No files found')).toBeVisible();
});

test('Replacing a file lists its uses and then changes all of them', async ({ page, site }) => {
  await store(site, 'old.png', await picture(12, 6));
  const { data: post } = await site.service
    .from('posts')
    .insert({
      title: 'Ferries',
      slug: 'ferries',
      content: `![Ferry](${toPath('old.png')})`,
      featured_image: toPath('old.png'),
    })
    .select('id')
    .single()
    .throwOnError();
  await openAdmin(page, site, '/admin/media');
  await page.getByRole('button', { name: 'Details of Our old.png' }).click();
  await page.getByRole('button', { name: 'Replace file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replace file' });
  await expect(dialog.getByRole('link', { name: 'Post "Ferries"' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Replace everywhere' })).toBeDisabled();
  await choose(page, 'Choose new file', 'new.png', await picture(14, 7));
  await expectAxeInBothThemes(page);
  await dialog.getByLabel('Delete the old file afterwards').check();
  await dialog.getByRole('button', { name: 'Replace everywhere' }).click();
  await expect(page.getByText('File replaced in 1 place')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveText([/new\.png/]);
  const { data } = await site.service.from('posts').select('content, featured_image').eq('id', post.id).single();
  const newPath = data?.featured_image;
  expect(newPath).toMatch(/content-media\/[0-9a-f]{32}\.png$/);
  expect(data?.content).toBe(`![Ferry](${newPath})`);
});

test('The focal point can be set with arrow keys and the pointer, and crops the cover on the site', async ({
  page,
  site,
}) => {
  await store(site, 'cover.png', await picture(400, 200));
  const { data: post } = await site.service
    .from('posts')
    .insert({ title: 'Covered', slug: 'covered', status: 'published', featured_image: toPath('cover.png') })
    .select('slug')
    .single()
    .throwOnError();
  await openAdmin(page, site, '/admin/media');
  await page.getByRole('button', { name: 'Details of Our cover.png' }).click();
  const point = page.getByRole('button', { name: /^Focal point:/ });
  await expect(point).toHaveAccessibleName('Focal point: 50% from the left, 50% from the top');
  await point.focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await expect(point).toHaveAccessibleName('Focal point: 40% from the left, 51% from the top');
  // The size of the image is unknown until it has loaded.
  await expect
    .poll(() => point.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  const { width, height } = (await point.boundingBox()) ?? { width: 0, height: 0 };
  await point.click({ position: { x: width * 0.8, y: height * 0.25 } });
  await expect(point).toHaveAccessibleName('Focal point: 80% from the left, 25% from the top');
  await expectAxeInBothThemes(page);
  await page.getByRole('button', { name: 'Save focal point' }).click();
  await expect(page.getByText('Focal point saved')).toBeVisible();
  await page.goto(`/news/${post.slug}`);
  await expect(page.locator('article img, main img').first()).toHaveCSS('object-position', '80% 25%');
});

test('A file that is already in the library does not have to be uploaded again', async ({ page, site }) => {
  const buffer = await picture(20, 10);
  await store(site, 'present.png', buffer);
  await openAdmin(page, site, '/admin/media');
  const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
  await expect(files).toHaveCount(1);
  await choose(page, 'Upload files', 'again.png', buffer);
  const dialog = page.getByRole('dialog', { name: 'This file is already in the library' });
  await expect(dialog).toContainText('“again.png” is identical to “Our present.png”');
  await expectAxeInBothThemes(page);
  await dialog.getByRole('button', { name: 'Use existing file' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('list', { name: 'Uploads' })).toBeHidden();
  await expect(files).toHaveCount(1);
  await choose(page, 'Upload files', 'again.png', buffer);
  await dialog.getByRole('button', { name: 'Upload again' }).click();
  await expect(files).toHaveCount(2);
});

test('One choice can be applied to all files that are already in the library', async ({ page, site }) => {
  const pictures = await Promise.all([21, 22, 23].map((width) => picture(width, 10)));
  for (const [index, buffer] of pictures.entries()) await store(site, `${index}.png`, buffer);
  await openAdmin(page, site, '/admin/media');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload files', exact: true }).click();
  const duplicates = pictures.map((buffer, index) => ({ name: `again-${index}.png`, mimeType: 'image/png', buffer }));
  await (await chooser).setFiles([
    ...duplicates,
    { name: 'new.png', mimeType: 'image/png', buffer: await picture(24, 10) },
  ]);
  const dialog = page.getByRole('dialog', { name: 'This file is already in the library' });
  await dialog.getByLabel('Do the same for all other duplicates').check();
  await dialog.getByRole('button', { name: 'Use existing file' }).click();
  await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveCount(4);
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('list', { name: 'Uploads' })).toBeHidden();
});

test('The original of a picture is stored on request, and can be downloaded unchanged', async ({ page, site }) => {
  const original = await sharp(await picture(30, 20, 'jpeg'))
    .withExif({ IFD0: { Artist: 'Ola Nordmann' } })
    .jpeg()
    .toBuffer();
  await openAdmin(page, site, '/admin/media');
  await page.getByLabel('Keep originals').check();
  await choose(page, 'Upload files', 'harbour.jpg', original);
  await page.getByRole('button', { name: 'Details of harbour.jpg' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download \(.* B\)$/ }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('harbour.jpg');
  expect((await readFile(await file.path())).equals(original)).toBe(true);
  await expectAxeInBothThemes(page);
});

test.describe('Required alt texts', () => {
  // The browser logs the rejected write.
  test.use({ allowedProblems: [/status of 422/] });

  test('block publishing a post until the missing alt text is added', async ({ page, site }) => {
    await store(site, 'silent.png', await picture(31, 20));
    const settings = () => site.service.from('site_settings');
    await settings().insert({ setting_key: 'require_alt_text', setting_value: 'on' }).throwOnError();
    const { data: post } = await site.service
      .from('posts')
      .insert({ title: 'Silent', slug: 'silent', status: 'draft', featured_image: toPath('silent.png') })
      .select('id')
      .single()
      .throwOnError();
    await openAdmin(page, site, `/admin/posts/${post.id}/edit`);
    await page.getByLabel('Status').selectOption('published');
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    const message =
      '“Silent” was not published: the picture “Our silent.png” has no alt text. Describe it in the media library first.';
    await expect(page.getByLabel('Featured image')).toHaveAccessibleDescription(new RegExp(`${message}$`));
    await expectAxeInBothThemes(page);
    await site.service.rpc('set_media_alt', { _name: 'silent.png', _alt: 'A quiet harbour' }).throwOnError();
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await expect(page.getByText('Post updated successfully')).toBeVisible();
    await settings().delete().eq('setting_key', 'require_alt_text').throwOnError();
  });
});
