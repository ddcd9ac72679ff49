import type { Page } from '@playwright/test';
import { html, pdf, picture } from '../../packages/backend/tests/support/sample-files.ts';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, type Site, test } from '../support/e2e.ts';

const BUCKET = 'content-media';
const EMPTY = 'No files yet. Upload your first file to get started.';

test.beforeEach(async ({ site }) => {
  const bucket = site.service.storage.from(BUCKET);
  const { data } = await site.service.rpc('media_library', { _limit: 200 }).throwOnError();
  if (data.length > 0) await bucket.remove(data.map(({ name }: { name: string }) => name));
});

async function store(site: Site, name: string, originalName: string, body: Buffer, contentType: string) {
  const { error } = await site.service.storage
    .from(BUCKET)
    .upload(name, body, { contentType, metadata: { original_name: originalName } });
  expect(error).toBeNull();
}

async function choose(page: Page, button: string, files: { name: string; mimeType: string; buffer: Buffer }[]) {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button, exact: true }).click();
  await (await chooser).setFiles(files);
}

/** Drops files on the page, as if they were dragged from the desktop. */
async function drop(page: Page, files: { name: string; type: string; bytes: number[] }[]) {
  const data = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const { name, type, bytes } of list) transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
    return transfer;
  }, files);
  const target = page.getByRole('heading', { level: 1 });
  await target.dispatchEvent('dragenter', { dataTransfer: data });
  await expect(page.getByText('Drop files to upload them')).toBeVisible();
  await target.dispatchEvent('drop', { dataTransfer: data });
  await expect(page.getByText('Drop files to upload them')).toBeHidden();
}

test('An editor uploads an image, copies its URL and deletes it', async ({ page, site, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openAdmin(page, site, '/admin/media');
  await expect(page.getByText(EMPTY)).toBeVisible();
  const input = page.locator('input[type=file]');
  await expect(input).toHaveAttribute('accept', 'image/*,video/*,audio/*,.pdf,.doc,.docx');
  await expect(input).toHaveAttribute('multiple', '');

  await choose(page, 'Upload files', [{ name: 'Fjord.PNG', mimeType: 'image/png', buffer: await picture(64, 48) }]);
  await expect(page.getByText('File uploaded successfully')).toBeVisible();
  const card = page.getByRole('listitem').filter({ hasText: 'Fjord.PNG' });
  await expect(card.locator('img')).toHaveJSProperty('complete', true);
  await expect(card.locator('img')).toHaveAttribute('src', /\/render\/image\/public\/.*width=480/);
  const { data } = await site.service.rpc('media_library').single().throwOnError();
  expect(data).toMatchObject({ original_name: 'Fjord.PNG', name: expect.stringMatching(/^[0-9a-f]{32}\.png$/) });

  await card.getByRole('button', { name: 'Copy URL of Fjord.PNG' }).click();
  await expect(page.getByText('URL copied to clipboard')).toBeVisible();
  const url = await page.evaluate(() => navigator.clipboard.readText());
  expect((await page.request.get(url)).headers()['cache-control']).toBe('max-age=31536000');
  expect(url).toBe(`${site.url}/storage/v1/object/public/${BUCKET}/${(data as { name: string }).name}`);
  expect((await page.request.get(url)).headers()['content-type']).toBe('image/png');

  await card.getByRole('button', { name: 'Delete Fjord.PNG' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Are you sure you want to delete "Fjord.PNG"? This action cannot be undone.');
  await expect(dialog).not.toContainText('It is used in');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(card.getByRole('button', { name: 'Delete Fjord.PNG' })).toBeFocused();
  await card.getByRole('button', { name: 'Delete Fjord.PNG' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('File deleted successfully')).toBeVisible();
  await expect(page.getByText(EMPTY)).toBeVisible();
  expect((await page.request.get(url)).status()).toBe(400);
});

test('Dropping several files uploads each of them', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/media');
  await expect(page.getByText(EMPTY)).toBeVisible();
  const pictures = await Promise.all([8, 9, 10, 11].map((width) => picture(width, 8)));
  await drop(page, [
    ...pictures.map((bytes, index) => ({ name: `${index}.png`, type: 'image/png', bytes: [...bytes] })),
    { name: 'prices.pdf', type: 'application/pdf', bytes: [...pdf] },
  ]);
  await expect(page.getByRole('status').filter({ hasText: '5 files' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveCount(5);
  await expect(page.getByRole('list', { name: 'Uploads' })).toBeHidden();
});

test('An upload shows its progress, and can be cancelled while it is running or waiting in the queue', async ({
  page,
  site,
}) => {
  await openAdmin(page, site, '/admin/media');
  const release = Promise.withResolvers<void>();
  await page.route('**/storage/v1/object/**', async (route) => {
    await release.promise;
    await route.continue().catch(() => undefined);
  });
  const names = ['one.png', 'two.png', 'three.png', 'four.png'];
  const files = names.map(async (name, index) => ({
    name,
    mimeType: 'image/png',
    buffer: await picture(8 + index, 8),
  }));
  await choose(page, 'Upload files', await Promise.all(files));
  const uploads = page.getByRole('list', { name: 'Uploads' });
  await expect(uploads.getByRole('progressbar')).toHaveCount(4);
  // Cancel the queued upload first, because it would start when the other one ends.
  const abortedRequest = page.waitForEvent('requestfailed');
  for (const name of ['four.png', 'one.png']) {
    await uploads.getByRole('button', { name: `Cancel upload of ${name}` }).click();
    await expect(uploads.getByText(name)).toBeHidden();
  }
  await abortedRequest;
  release.resolve();
  const stored = page.getByRole('list', { name: 'Files' });
  await expect(stored.getByRole('heading', { name: 'two.png' })).toBeVisible();
  await expect(stored.getByRole('heading', { name: 'three.png' })).toBeVisible();
  await expect(stored.getByRole('listitem')).toHaveCount(2);
});

test.describe('Failed uploads and deletions', () => {
  test.use({ allowedProblems: [/Failed to load resource|failed request/] });

  test("The server's reason for a rejected file is shown, and the file can be removed from the list", async ({
    page,
    site,
  }) => {
    await openAdmin(page, site, '/admin/media');
    await choose(page, 'Upload files', [{ name: 'sneaky.png', mimeType: 'image/png', buffer: html }]);
    await expect(page.getByText('Error uploading file')).toBeVisible();
    await expect(page.getByText(/The file content was detected as/).first()).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss sneaky.png' }).click();
    await expect(page.getByRole('list', { name: 'Uploads' })).toBeHidden();
    await expect(page.getByText(EMPTY)).toBeVisible();
  });

  test('A rejected deletion is reported, and the file is kept', async ({ page, site }) => {
    await store(site, 'kept.png', 'kept.png', await picture(8, 8), 'image/png');
    await openAdmin(page, site, '/admin/media');
    await page.route(`**/storage/v1/object/${BUCKET}`, (route) =>
      route.fulfill({ status: 500, json: { statusCode: '500', error: 'Internal', message: 'The disk is full' } }),
    );
    await page.getByRole('button', { name: 'Delete kept.png' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('Error deleting file')).toBeVisible();
    await expect(page.getByText('The disk is full')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'kept.png' })).toBeVisible();
  });
});

test('Files can be found by original name, alt text and type, and each page lists 24', async ({ page, site }) => {
  test.slow();
  const bytes = await picture(4, 4);
  for (let index = 1; index <= 24; index += 1) {
    await store(site, `${index}.png`, `Harbour ${index}.png`, bytes, 'image/png');
  }
  await store(site, 'x1.pdf', 'Price list.pdf', pdf, 'application/pdf');
  await site.service.rpc('set_media_alt', { _name: '7.png', _alt: 'A red boat' }).throwOnError();
  await openAdmin(page, site, '/admin/media');
  const count = page.getByRole('status').filter({ hasText: /files?$/ });
  const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
  await expect(count).toHaveText('25 files');
  await expect(files).toHaveCount(24);
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL('/admin/media?page=2');
  await expect(files).toHaveCount(1);

  const search = page.getByRole('searchbox', { name: 'Search files' });
  await search.fill('price');
  await expect(page).toHaveURL('/admin/media?q=price');
  await expect(count).toHaveText('1 file');
  await expect(files).toContainText(['Price list.pdf']);
  await search.fill('red boat');
  await expect(files).toContainText(['Harbour 7.png']);
  await search.fill('nothing like it');
  await expect(page.getByText('No files found')).toBeVisible();
  await page.getByRole('button', { name: 'Show all files' }).click();
  await expect(count).toHaveText('25 files');
  await page.getByLabel('Filter by type').selectOption('document');
  await expect(page).toHaveURL('/admin/media?kind=document');
  await expect(files).toContainText(['Price list.pdf']);
  await page.getByLabel('Filter by type').selectOption('video');
  await expect(page.getByText('No files found')).toBeVisible();
});

test('The details show size, dimensions and uses of a file, and the delete dialog names the pages that use it', async ({
  page,
  site,
}) => {
  await store(site, 'used.png', 'used.png', await picture(64, 48), 'image/png');
  const { data: post } = await site.service
    .from('posts')
    .insert({ title: 'On boats', slug: 'on-boats', featured_image: `/storage/v1/object/public/${BUCKET}/used.png` })
    .select()
    .single()
    .throwOnError();
  await openAdmin(page, site, '/admin/media');
  await page.getByRole('button', { name: 'Details of used.png' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('64 × 48 px');
  await expect(dialog).toContainText(/Size\d+ B/);
  await expect(dialog.getByRole('link', { name: 'Post "On boats"' })).toHaveAttribute(
    'href',
    `/admin/posts/${post.id}/edit`,
  );
  await dialog.getByLabel('Alt text').fill('A red boat');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Alt text saved')).toBeVisible();
  await expect(page.getByRole('img', { name: 'A red boat', includeHidden: true }).first()).toBeAttached();
  await expectNoAxeViolations(page);

  await dialog.getByRole('button', { name: 'Delete' }).click();
  const warning = page.getByRole('alertdialog');
  await expect(warning).toContainText('It is used in Post "On boats". The file will be missing there.');
  await expectNoAxeViolations(page);
  await warning.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('File deleted successfully')).toBeVisible();
  // Otherwise the post list in later tests would load the missing image, which logs a console error.
  await site.service.from('posts').delete().eq('id', post.id).throwOnError();
});

test('An image field accepts an upload, an image from the library, a URL, or no image', async ({ page, site }) => {
  await store(site, 'library.png', 'From the library.png', await picture(8, 8), 'image/png');
  await openAdmin(page, site, '/admin/posts/new');
  const field = page.getByLabel('Featured image');
  await choose(page, 'Upload', [{ name: 'new.png', mimeType: 'image/png', buffer: await picture(9, 8) }]);
  await expect(page.getByText('Image uploaded successfully')).toBeVisible();
  await expect(field).toHaveValue(/^\/storage\/v1\/object\/public\/content-media\/[0-9a-f]{32}\.png$/);
  await expect(page.getByAltText('Preview')).toBeVisible();

  await page.getByRole('button', { name: 'Library' }).click();
  const picker = page.getByRole('dialog', { name: 'Choose a picture' });
  await expect(picker.getByRole('listitem')).toHaveCount(2);
  await expectNoAxeViolations(page);
  await picker.getByRole('searchbox').fill('from the');
  await expect(picker.getByRole('listitem')).toHaveCount(1);
  await picker.getByRole('button', { name: 'Use From the library.png' }).press('Enter');
  await expect(picker).toBeHidden();
  await expect(field).toHaveValue(`/storage/v1/object/public/${BUCKET}/library.png`);
  await expect(page.getByRole('button', { name: 'Library' })).toBeFocused();

  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(field).toHaveValue('');
  await page.getByLabel('Title', { exact: true }).fill('With a picture');
  await page.getByRole('button', { name: 'URL' }).click();
  await field.fill(`/storage/v1/object/public/${BUCKET}/library.png`);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText('Post created successfully')).toBeVisible();
});

test('The media library passes axe, and every control is reachable at 320 px', async ({ page, site }) => {
  await store(site, 'a.png', `${'Long name '.repeat(20)}.png`, await picture(400, 300), 'image/png');
  await store(site, 'b.pdf', 'Prices.pdf', pdf, 'application/pdf');
  await openAdmin(page, site, '/admin/media');
  await expect(page.getByText('2 files')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  await page.getByRole('button', { name: 'Details of Prices.pdf' }).press('Enter');
  await expect(page.getByRole('dialog')).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Details of Prices.pdf' })).toBeFocused();
});
