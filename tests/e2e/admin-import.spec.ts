import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';

test.use({ starterContent: false });

const EXPORT = join(import.meta.dirname, '../../app/content/import/fixtures/wordpress/export.xml');

test('An admin previews, imports and undoes a WordPress export, and old URLs redirect', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/settings');
  await page.getByRole('link', { name: 'Import' }).click();
  await expect(page).toHaveURL('/admin/settings/import');
  await expectNoAxeViolations(page);

  const input = page.locator('input[type=file]');
  await input.setInputFiles({ name: 'cut.xml', mimeType: 'text/xml', buffer: Buffer.from('<rss>\n<channel>') });
  await expect(page.getByRole('alert')).toContainText(
    'Nothing was imported. cut.xml, line 2: the file is not valid XML',
  );

  await input.setInputFiles([EXPORT]);
  await expect(page.getByRole('heading', { name: 'Preview of the WordPress import' })).toBeFocused();
  await expect(page.getByText('Not imported, because it is a page.')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  const archive = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  await archive.add('uploads/2024/03/ferry-deck.png', new Uint8ArrayReader(await picture(60, 40)));
  await input.setInputFiles([
    { name: 'export.xml', mimeType: 'text/xml', buffer: await readFile(EXPORT) },
    { name: 'uploads.zip', mimeType: 'application/zip', buffer: Buffer.from(await archive.close()) },
  ]);
  await page.getByRole('button', { name: 'Import 3 posts' }).click();
  await expect(page.getByRole('heading', { name: '3 posts imported' })).toBeFocused();
  await expectNoAxeViolations(page);

  const article = await page.request.get('/2024/03/subject-lines/');
  expect(article.status()).toBe(200);
  expect(new URL(article.url()).pathname).toBe('/news/subject-lines');
  expect(await article.text()).toContain('Deck of a ferry at dawn');
  const redirect = await page.request.get('/2024/03/subject-lines', { maxRedirects: 0 });
  expect(redirect.status()).toBe(301);

  await page.getByRole('button', { name: 'Undo import' }).click();
  await expect(page.getByRole('heading', { name: 'Import undone' })).toBeFocused();
  await expect(page.getByText('The imported posts stay in the trash for 30 days.')).toBeVisible();
  expect((await site.service.from('posts').select('id').throwOnError()).data).toEqual([]);
  expect((await page.request.get('/2024/03/subject-lines')).status()).toBe(404);
});
