import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from '@playwright/test';
import { html } from '../../packages/backend/tests/support/sample-files.ts';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, type Site, test } from '../support/e2e.ts';
import { createNoisyImage } from '../support/resumable-upload.ts';

const BUCKET = 'content-media';
const RESUMABLE = '**/storage/v1/upload/resumable**';
const STALLED = 'Waiting for the connection. The upload will resume.';

const CHUNK = 6 * 1024 * 1024;
const SECOND_CHUNK = `PATCH ${CHUNK}`;
const THIRD_CHUNK = `PATCH ${2 * CHUNK}`;

/** Three chunks of at most 6 MB. */
let bytes: Buffer;
let folder: string;
let picturePath: string;

test.beforeAll(async () => {
  bytes = await createNoisyImage(2400, 2000);
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-large-'));
  picturePath = join(folder, 'Panorama.png');
  await writeFile(picturePath, bytes);
});
test.afterAll(() => rm(folder, { recursive: true }));
test.beforeEach(({ site }) => site.service.storage.emptyBucket(BUCKET));

/** Lists the data that the browser stores to resume an upload. */
const resumableUploads = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tus::')));

const uploads = (page: Page) => page.getByRole('list', { name: 'Uploads' });
const files = (page: Page) => page.getByRole('list', { name: 'Files' });

async function choose(page: Page, path: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload files' }).first().click();
  await (await chooser).setFiles(path);
}

/** Records the upload requests as `METHOD offset`, and holds all requests after the first two chunks. */
async function watchChunks(page: Page) {
  const requests: string[] = [];
  let handler: ((route: Route) => Promise<void>) | null = null;
  await page.route(`${RESUMABLE}*/**`, handle);
  await page.route(RESUMABLE, handle);
  async function handle(route: Route) {
    const request = route.request();
    requests.push(`${request.method()} ${request.headers()['upload-offset'] ?? ''}`.trim());
    if (handler) await handler(route);
    else await route.continue();
  }
  return {
    requests,
    setHandler(newHandler: typeof handler) {
      handler = newHandler;
    },
  };
}

/** Lets the first chunk through and holds the others, so that the upload is in progress. */
function holdAfterFirstChunk(route: Route): Promise<void> {
  return route.request().headers()['upload-offset'] === String(CHUNK) ? new Promise(() => undefined) : route.continue();
}

async function expectStoredOnce(site: Site): Promise<void> {
  const { data } = await site.service.rpc('media_library', { _limit: 10 }).throwOnError();
  expect(data).toMatchObject([{ original_name: 'Panorama.png', size: bytes.length, width: 2400, height: 2000 }]);
}

test.describe('A large file', () => {
  test.use({ allowedProblems: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|failed request/] });

  test('pauses without a network and resumes automatically at the same offset', async ({ page, site, context }) => {
    await openAdmin(page, site, '/admin/media');
    const chunks = await watchChunks(page);
    chunks.setHandler(holdAfterFirstChunk);
    await choose(page, picturePath);
    await expect.poll(() => chunks.requests).toContain(SECOND_CHUNK);
    await expect(uploads(page).getByText('43%')).toBeVisible();
    await context.setOffline(true);
    await expect(uploads(page).getByText(STALLED)).toBeVisible();
    await expect(uploads(page).getByRole('progressbar', { name: 'Upload of Panorama.png' })).toBeVisible();
    await expectNoAxeViolations(page);
    chunks.setHandler(null);
    await context.setOffline(false);
    await expect(page.getByText('File uploaded successfully')).toBeVisible();
    await expect(files(page).getByRole('heading', { name: 'Panorama.png' })).toBeVisible();
    await expect(uploads(page)).toBeHidden();
    expect(chunks.requests[0]).toBe('POST');
    expect(chunks.requests.slice(-3)).toEqual(['HEAD', SECOND_CHUNK, THIRD_CHUNK]);
    await expectStoredOnce(site);
  });

  test('resumes after a reload when it is selected again', async ({ page, site }) => {
    await openAdmin(page, site, '/admin/media');
    const chunks = await watchChunks(page);
    chunks.setHandler(holdAfterFirstChunk);
    await choose(page, picturePath);
    await expect.poll(() => chunks.requests).toContain(SECOND_CHUNK);
    await expect(uploads(page).getByText('43%')).toBeVisible();
    await page.reload();
    chunks.setHandler(null);
    chunks.requests.length = 0;
    await choose(page, picturePath);
    await expect(files(page).getByRole('heading', { name: 'Panorama.png' })).toBeVisible();
    expect(chunks.requests).toEqual(['HEAD', SECOND_CHUNK, THIRD_CHUNK]);
    await expectStoredOnce(site);
    await expect.poll(() => resumableUploads(page)).toEqual([]);
  });

  test('becomes two files when it is selected twice', async ({ page, site }) => {
    await openAdmin(page, site, '/admin/media');
    const chunks = await watchChunks(page);
    const release = Promise.withResolvers<void>();
    chunks.setHandler(async (route) => {
      if (route.request().headers()['upload-offset'] === String(CHUNK)) await release.promise;
      await route.continue();
    });
    await choose(page, picturePath);
    await expect.poll(() => chunks.requests).toContain(SECOND_CHUNK);
    await choose(page, picturePath);
    await expect.poll(() => chunks.requests.filter((request) => request === SECOND_CHUNK)).toHaveLength(2);
    release.resolve();
    await expect(files(page).getByRole('heading', { name: 'Panorama.png' })).toHaveCount(2);
    expect(chunks.requests.filter((request) => request === 'POST')).toHaveLength(2);
    expect(chunks.requests).not.toContain('HEAD');
  });

  test('is deleted from the server when its upload is cancelled', async ({ page, site }) => {
    await openAdmin(page, site, '/admin/media');
    const chunks = await watchChunks(page);
    chunks.setHandler(holdAfterFirstChunk);
    await choose(page, picturePath);
    await expect.poll(() => chunks.requests).toContain(SECOND_CHUNK);
    await expect(uploads(page).getByText('43%')).toBeVisible();
    const removal = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await uploads(page).getByRole('button', { name: 'Cancel upload of Panorama.png' }).click();
    expect((await removal).status()).toBe(204);
    await expect(uploads(page)).toBeHidden();
    await expect.poll(() => resumableUploads(page)).toEqual([]);
  });
});

test.describe('A failed upload of a large file', () => {
  test.use({ allowedProblems: [/Failed to load resource/] });

  test('shows the message of the server if the file was rejected', async ({ page, site }) => {
    const fakePicture = join(folder, 'Lie.png');
    await writeFile(fakePicture, Buffer.concat([html, Buffer.alloc(7 * 1024 * 1024, ' ')]));
    await openAdmin(page, site, '/admin/media');
    await choose(page, fakePicture);
    await expect(
      uploads(page).getByText(/text\/html is not supported: The file content was detected as a web/),
    ).toBeVisible();
    await expect(uploads(page).getByRole('button', { name: 'Retry upload of Lie.png' })).toBeHidden();
    await uploads(page).getByRole('button', { name: 'Dismiss Lie.png' }).click();
    await expect(uploads(page)).toBeHidden();
  });

  test('can be retried after a server error and keeps the uploaded chunks', async ({ page, site }) => {
    test.slow();
    await openAdmin(page, site, '/admin/media');
    const chunks = await watchChunks(page);
    chunks.setHandler((route) =>
      route.request().headers()['upload-offset'] === String(CHUNK)
        ? route.fulfill({ status: 503, body: 'The file storage cannot be reached right now.' })
        : route.continue(),
    );
    await choose(page, picturePath);
    await expect(uploads(page).getByText('The file storage cannot be reached right now.')).toBeVisible({
      timeout: 60_000,
    });
    await expectNoAxeViolations(page);
    chunks.setHandler(null);
    chunks.requests.length = 0;
    await uploads(page).getByRole('button', { name: 'Retry upload of Panorama.png' }).click();
    await expect(files(page).getByRole('heading', { name: 'Panorama.png' })).toBeVisible();
    expect(chunks.requests).toEqual(['HEAD', SECOND_CHUNK, THIRD_CHUNK]);
    await expectStoredOnce(site);
  });
});
