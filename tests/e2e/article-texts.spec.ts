/** Content of articles. Tests videos, footnotes, tasks, callouts and tables with the real Content-Security-Policy. */
import { expect, expectNoAxeViolations, expectNoHorizontalScroll, test, waitUntilHydrated } from '../support/e2e.ts';

// The video host is requested after the click.
test.use({ allowedProblems: [/request to another host: https:\/\/www\.youtube-nocookie\.com\/embed\//] });

const CONTENT = `Intro with a note[^why] and a second[^2].

https://youtu.be/dQw4w9WgXcQ?t=1m30s

> [!WARNING]
> Mind **this**, and [that](/about).

> [!NOTE]
> And this.

> [!TIP]
> A tip.

> [!IMPORTANT]
> Not to miss.

> [!CAUTION]
> Hot.

- [x] done
- [ ] open, with a [link](/news)

| What | How much | And a longer heading of a column |
|---|--:|---|
| Mails sent in the whole of the last year | 1 200 000 | Donaudampfschifffahrtsgesellschaft |
| Answers | +4.5 % | some words that may wrap |

/storage/v1/object/public/content-media/film.mp4

[^why]: Because of *this*.
[^2]: And that.`;

test.beforeEach(async ({ site, page }) => {
  await site.service.storage
    .from('content-media')
    .upload('film.mp4', FILM, { contentType: 'video/mp4', upsert: true })
    .then(({ error }) => expect(error).toBeNull());
  await site.service
    .from('posts')
    .upsert(
      { title: 'Rich', slug: 'rich', status: 'published', published_date: '2025-01-01', content: CONTENT },
      { onConflict: 'slug' },
    )
    .throwOnError();
  await page.route('https://www.youtube-nocookie.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Player</title><p>Playing</p>' }),
  );
});

const PLAY = { name: 'Play the video from YouTube' };

test('A video plays in place after a click, and its host is not requested before', async ({ page }) => {
  await page.goto('/news/rich');
  const card = page.getByRole('link', PLAY);
  await expect(card).toHaveAttribute('href', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90s');
  await expect(page.locator('iframe')).toHaveCount(0);
  await waitUntilHydrated(card);
  const height = async () => (await page.getByRole('figure').boundingBox())?.height;
  const before = await height();
  await card.click();
  await expect(page.frameLocator('iframe[title="YouTube video"]').getByText('Playing')).toBeVisible();
  await expect(page.locator('iframe')).toHaveAttribute(
    'src',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0&start=90',
  );
  await expect.poll(height).toBe(before);
});

test('A video plays after navigation from another page of the site', async ({ page }) => {
  await page.goto('/news');
  const policy = (await page.request.get('/news')).headers()['content-security-policy'];
  expect(policy).not.toContain('youtube');
  await (await waitUntilHydrated(page.getByRole('link', { name: 'Rich' }).first())).click();
  await page.getByRole('link', PLAY).click();
  await expect(page.frameLocator('iframe[title="YouTube video"]').getByText('Playing')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', PLAY)).toBeVisible();
  await expect(page.locator('iframe')).toHaveCount(0);
});

test('All content is readable with the keyboard, at 320 px and in both themes', async ({ page }) => {
  await page.goto('/news/rich');
  await expect(page.getByRole('note')).toHaveCount(5);
  await expect(page.getByRole('checkbox', { name: 'done' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'open, with a link' })).toBeDisabled();
  await expect(page.locator('video')).toHaveAttribute('preload', 'metadata');
  await page.locator('[role=doc-noteref]', { hasText: '1' }).click();
  const note = page.getByRole('list', { name: 'Footnotes' }).getByRole('listitem').first();
  await expect(note).toBeInViewport();
  await page.getByLabel('Back to reference 1').click();
  await expect(page.locator('[role=doc-noteref]', { hasText: '1' })).toBeInViewport();
  await expectNoAxeViolations(page);

  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  await expect(page.getByRole('cell', { name: '1 200 000' })).toHaveCSS('white-space', 'nowrap');
});

test('A video is a plain link without JavaScript', async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.url}/news/rich`);
  await expect(page.getByRole('link', PLAY)).toHaveAttribute('href', /youtube\.com\/watch/);
  await expect(page.locator('video')).toBeVisible();
  await context.close();
});

/** A file with the signature of a video but without video data. */
const FILM = Buffer.from('000000206674797069736f6d0000020069736f6d69736f32617663316d7034310000000866726565', 'hex');
