/** Images of the library as visitors load them. They are resized, described and always available. */
import type { Page, Response } from '@playwright/test';
import sharp from 'sharp';
import { expect, expectNoAxeViolations, type Site, test } from '../support/e2e.ts';

test.use({ starterContent: false });

const BUCKET = 'content-media';
const toPath = (name: string) => `/storage/v1/object/public/${BUCKET}/${name}`;

/** Creates an image of noise, which compresses as poorly as a photo. */
function photo(width: number, height: number): Promise<Buffer> {
  return sharp({
    create: { width, height, channels: 3, background: '#777', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
    .jpeg({ quality: 95 })
    .toBuffer();
}

async function store(site: Site, name: string, bytes: Buffer, metadata: Record<string, unknown> = {}) {
  const { error } = await site.service.storage
    .from(BUCKET)
    .upload(name, bytes, { contentType: 'image/jpeg', cacheControl: '31536000', metadata });
  expect(error).toBeNull();
}

/** Records the responses that contain images of the library, in order. */
function recordImageResponses(page: Page): Response[] {
  const responses: Response[] = [];
  page.on('response', (response) => {
    if (response.url().includes(`/public/${BUCKET}/`)) responses.push(response);
  });
  return responses;
}

const isLoaded = (picture: HTMLImageElement) => picture.complete && picture.naturalWidth > 0;

test.describe('An article', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('loads its photos resized, with the alt text of the library and reserved space', async ({ page, site }) => {
    const original = await photo(3000, 2000);
    await store(site, 'cover.jpg', original, { alt: 'A ferry under snow' });
    await store(site, 'inside.jpg', original, { alt: 'The engine room' });
    await site.service
      .from('posts')
      .insert({
        title: 'By ferry',
        slug: 'by-ferry',
        status: 'published',
        featured_image: toPath('cover.jpg'),
        content: `On board.\n\n![](${toPath('inside.jpg')})\n\n![The bridge](${toPath('inside.jpg')})`,
      })
      .throwOnError();
    const responses = recordImageResponses(page);
    await page.goto('/news/by-ferry');
    const cover = page.getByRole('img', { name: 'A ferry under snow' });
    await expect(cover).toHaveAttribute('fetchpriority', 'high');
    await expect(cover).toHaveJSProperty('loading', 'auto');
    await expect(cover).toHaveAttribute('width', '3000');
    await expect.poll(() => cover.evaluate(isLoaded)).toBe(true);
    const inside = page.getByRole('img', { name: 'The engine room' });
    await expect(inside).toHaveJSProperty('loading', 'lazy');
    await inside.scrollIntoViewIfNeeded();
    await expect.poll(() => inside.evaluate(isLoaded)).toBe(true);
    await expect
      .poll(() => inside.evaluate(({ width, height }: HTMLImageElement) => width / height))
      .toBeCloseTo(1.5, 1);
    await expect(page.getByRole('img', { name: 'The bridge' })).toBeVisible();
    await expectNoAxeViolations(page);

    let byteCount = 0;
    for (const response of responses) {
      expect(response.url()).toContain('/render/image/public/');
      expect(response.headers()).toMatchObject({ 'content-type': 'image/avif', 'cache-control': 'max-age=31536000' });
      byteCount += (await response.body()).byteLength;
    }
    expect(responses).toHaveLength(2);
    expect(byteCount).toBeLessThan((2 * original.byteLength) / 10);

    const webp = await page.request.get(responses[0]?.url() ?? '', { headers: { accept: 'image/webp,*/*' } });
    expect(webp.headers()['content-type']).toBe('image/webp');
  });
});

test('A legal page loads its photo resized, with the alt text of the library', async ({ page, site }) => {
  await store(site, 'office.jpg', await photo(3000, 2000), { alt: 'Our office' });
  const content = { title: 'Terms', description: '', text: `Here we are.\n\n![](${toPath('office.jpg')})` };
  await site.service
    .from('page_content')
    .insert({ page_slug: 'terms', section_name: 'header', content })
    .throwOnError();
  await page.goto('/terms');
  const picture = page.getByRole('main').getByRole('img', { name: 'Our office' });
  await expect(picture).toHaveAttribute('width', '3000');
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toContain('/render/image/');
});

test('A page of 24 photos that have not been resized yet shows all of them', async ({ page, site }) => {
  test.slow();
  const projects = Array.from({ length: 24 }, (_, index) => ({
    title: `Project ${index}`,
    slug: `project-${index}`,
    status: 'published',
    featured_image: toPath(`photo-${index}.jpg`),
  }));
  const bytes = await photo(1200, 750);
  for (const index of projects.keys()) await store(site, `photo-${index}.jpg`, bytes, { alt: `Photo ${index}` });
  await site.service.from('projects').insert(projects).throwOnError();
  const responses = recordImageResponses(page);
  await page.goto('/projects');
  for (const index of projects.keys()) {
    const picture = page.getByRole('img', { name: `Photo ${index}`, exact: true });
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate(isLoaded)).toBe(true);
  }
  expect(responses.map((response) => response.status())).toEqual(projects.map(() => 200));
});

test.describe('Images without other sizes', () => {
  test.use({ allowedProblems: [/status of 403/] });

  test('show the original, or the drawn cover if the original is missing', async ({ page, site }) => {
    await store(site, 'only.jpg', await photo(300, 200), { alt: 'The only size' });
    await site.service
      .from('posts')
      .insert({ title: 'One size', slug: 'one-size', status: 'published', featured_image: toPath('only.jpg') })
      .throwOnError();
    await page.route('**/storage/v1/render/**', (route) => route.fulfill({ status: 403, body: 'Not on this plan' }));
    await page.goto('/news/one-size');
    const picture = page.getByRole('img', { name: 'The only size' });
    await expect.poll(() => picture.evaluate(isLoaded)).toBe(true);
    await expect(picture).not.toHaveAttribute('srcset');
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.currentSrc))
      .toContain(toPath('only.jpg'));
    await page.route('**/storage/v1/object/public/**', (route) => route.fulfill({ status: 403, body: '' }));
    await page.reload();
    await expect(picture).toHaveCount(0);
    await expect(page.locator('article svg').first()).toBeVisible();
  });
});
