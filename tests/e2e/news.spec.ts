import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, test } from '../support/e2e.ts';

test('The news page lists published posts, newest first, and links to an article and back', async ({ page }) => {
  await page.goto('/news');
  await expect(page).toHaveTitle('News · Signalfjord');
  await expect(page.getByRole('article')).toHaveCount(6);
  const dates = await page
    .locator('article time')
    .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')));
  expect(dates).toEqual(dates.toSorted().reverse());

  await page.getByRole('link', { name: 'Read more about The forty-message rule' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The forty-message rule');
  await page.getByRole('link', { name: 'All posts' }).click();
  await expect(page).toHaveURL('/news');
});

test('The news page lists 24 posts per page, with a filter and a search, each at a URL that the server renders', async ({
  page,
  site,
}) => {
  const rows = Array.from({ length: 50 }, (_, index) => ({
    title: `Entry ${index}`,
    slug: `entry-${index}`,
    category: index < 30 ? 'Notes' : 'Letters & more',
    content: index === 7 ? 'A capercaillie in the fog' : '',
    status: 'published',
    published_date: new Date(Date.UTC(2020, 0, 1, 0, 60 - index)).toISOString(),
  }));
  await site.service.from('posts').insert(rows).throwOnError();

  await page.goto('/news');
  await expect(page.getByRole('article')).toHaveCount(24);
  await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('link')).toHaveText(['1', '2', '3', 'Next']);
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL('/news?page=2');
  await expect(page).toHaveTitle('Page 2 · News · Signalfjord');
  await expect(page.getByRole('article')).toHaveCount(24);

  await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Letters & more' }).click();
  await expect(page).toHaveURL('/news?category=Letters+%26+more');
  await expect(page.getByRole('article')).toHaveCount(20);
  await expect(page.getByRole('link', { name: 'Letters & more' })).toHaveAttribute('aria-current', 'page');
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await expect(page).toHaveURL('/news');
  await page.getByRole('searchbox', { name: 'Search posts' }).fill('fog caper');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/news?q=fog+caper');
  await expect(page.getByRole('status').filter({ hasText: '1 post for' })).toHaveText('1 post for “fog caper”');
  await expect(page.getByRole('article').getByRole('heading')).toHaveText(['Entry 7']);
  await expectNoAxeViolations(page);

  const fetchHtml = async (path: string) => {
    const response = await page.request.get(path);
    return { status: response.status(), text: await response.text() };
  };
  const secondPage = (await fetchHtml('/news?page=2&category=Notes')).text;
  expect(secondPage).toContain('>Entry 29</h2>');
  expect(secondPage).toContain(`<link rel="canonical" href="${site.url}/news?category=Notes&amp;page=2"/>`);
  expect(secondPage).toContain('<title>Notes · Page 2 · News · Signalfjord</title>');
  expect(secondPage).not.toContain('noindex');
  const resultsPage = (await fetchHtml('/news?q=capercaillie')).text;
  expect(resultsPage).toContain('>Entry 7</h2>');
  expect(resultsPage).toContain('name="robots" content="noindex"');
  expect((await fetchHtml('/news?q=nothing-like-it')).text).toContain('No posts here');
  expect((await fetchHtml('/news?q=2024')).status).toBe(200);
  for (const path of ['/news?page=99', '/news?category=Nothing', '/news?q=fog&page=9']) {
    expect((await fetchHtml(path)).status).toBe(404);
  }
  for (const path of ['/news?page=1', '/news?page=x', '/news?page=-1', '/news?page=1e30', '/news?q=%20', '/news?q=']) {
    expect((await fetchHtml(path)).text).toContain(`<link rel="canonical" href="${site.url}/news"/>`);
  }
});

test.describe('Without JavaScript', () => {
  test.use({ javaScriptEnabled: false, allowedProblems: [/\.js csp$/] });

  test('the filter and the search of the news page work', async ({ page }) => {
    await page.goto('/news');
    await page.getByRole('link', { name: 'Deliverability' }).click();
    await page.getByRole('searchbox', { name: 'Search posts' }).fill('dkim');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL('/news?category=Deliverability&q=dkim');
    await expect(page.getByRole('article')).toHaveCount(1);
    await expect(page.getByRole('heading', { name: 'SPF, DKIM and DMARC in one page' })).toBeVisible();
  });
});

test('The first HTML of an article contains title, date, category, content and structured data', async ({ page }) => {
  const response = await page.goto('/news/spf-dkim-dmarc-in-one-page');
  expect(response?.status()).toBe(200);
  expect(await response?.text()).toContain('Mistakes in every second audit');
  await expect(page).toHaveTitle('SPF, DKIM and DMARC in one page · Signalfjord');
  await expect(page.getByText(/^\d+ \w+ 20\d\d$/).first()).toBeVisible();
  await expect(page.getByRole('article').getByText('Deliverability', { exact: true })).toBeVisible();
  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.locator('meta[property="og:type"]')).toHaveAttribute('content', 'article');
  await expect(page.locator('meta[name=robots]')).toHaveCount(0);
  const jsonLd = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(jsonLd.map((text) => JSON.parse(text)['@type'])).toEqual(['Article', 'BreadcrumbList']);
  await expectNoAxeViolations(page);
});

test('An article links to other articles, its own category first, and to booking', async ({ page, site }) => {
  const path = '/news/spf-dkim-dmarc-in-one-page';
  const related = page.getByRole('region', { name: 'More posts' });
  expect(await (await page.request.get(path)).text()).toContain('href="/news/the-forty-message-rule"');
  await page.goto(path);
  await expect(related.getByRole('heading', { level: 3 })).toHaveText([
    'The forty-message rule',
    'Write the first line last',
    'What a chatbot should refuse',
  ]);
  await expect(related.getByRole('link', { name: 'More posts' })).toHaveAttribute('href', '/news');
  await expect(related.getByRole('link', { name: 'Book a call' })).toHaveAttribute('href', '/#booking');

  // A new post also appears on the cached page.
  const { data } = await site.service
    .from('posts')
    .insert({ title: 'Fresh', slug: 'fresh', status: 'published', category: 'Deliverability' })
    .select('id')
    .single()
    .throwOnError();
  await page.goto(path);
  await expect(related.getByRole('heading', { level: 3 }).first()).toHaveText('Fresh');
  await related.getByRole('link', { name: 'Fresh' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fresh');
  await expect(related.getByRole('heading', { level: 3 }).last()).toHaveText('Write the first line last');
  await expect(related.getByRole('link', { name: 'Fresh' })).toHaveCount(0);
  await site.service.from('posts').delete().eq('id', data.id).throwOnError();
});

test.describe('Unpublished articles', () => {
  test.use({ allowedProblems: [/status of 404/] });

  test('A URL without a published post shows the placeholder with the slug, and has noindex', async ({
    page,
    site,
  }) => {
    await site.service.from('posts').insert({ title: 'Not yet', slug: 'not-yet', status: 'draft' }).throwOnError();
    for (const slug of ['nothing-here', 'not-yet']) {
      const response = await page.goto(`/news/${slug}`);
      expect(response?.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('An article in the making');
      await expect(page.getByText('15 January 2025')).toBeVisible();
      await expect(page.getByRole('article')).toContainText(slug);
      await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    }
  });

  test('A scheduled article is not shown before its time', async ({ page, site }) => {
    await site.service
      .from('posts')
      .insert({
        title: 'The year 2999',
        slug: 'the-year-2999',
        status: 'published',
        published_date: '2999-01-01T00:00:00Z',
      })
      .throwOnError();
    await page.goto('/news/the-year-2999');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('An article in the making');
    for (const path of ['/news', '/', '/rss.xml', '/sitemap.xml']) {
      const text = await (await page.request.get(path)).text();
      expect(text).not.toContain('the-year-2999');
    }
    await site.service.from('posts').delete().eq('slug', 'the-year-2999').throwOnError();
  });
});

test('A published change appears at the next request', async ({ page, site }) => {
  await site.service
    .from('posts')
    .insert({ title: 'Hot off the press', slug: 'hot', status: 'published', content: '**Bold** <b>raw</b>' })
    .throwOnError();
  await page.goto('/news/hot');
  await expect(page.locator('strong')).toHaveText('Bold');
  await expect(page.getByText('<b>raw</b>')).toBeVisible();
  await site.service.from('posts').delete().eq('slug', 'hot').throwOnError();
});

test('Control characters of pasted text are omitted from the feed and the sitemap', async ({ page, site }) => {
  const pasted = {
    title: 'Pasted\u000b from slides',
    excerpt: 'a\u0007b',
    content: 'c\uffffd',
    category: 'Sl\u0001ides',
  };
  const { data } = await site.service
    .from('posts')
    .insert({ ...pasted, slug: 'pa\u0008sted', status: 'published' })
    .select('id')
    .single()
    .throwOnError();
  const fetchTexts = (path: string, tag: string) =>
    page.evaluate(
      async ([url, name]) => {
        const document = new DOMParser().parseFromString(await (await fetch(url)).text(), 'application/xml');
        const error = document.querySelector('parsererror');
        return error ? error.textContent : [...document.getElementsByTagName(name)].map((node) => node.textContent);
      },
      [path, tag] as const,
    );
  await page.goto('/about');
  expect(await fetchTexts('/rss.xml', 'title')).toContain('Pasted from slides');
  expect(await fetchTexts('/rss.xml', 'description')).toContain('ab');
  expect(await fetchTexts('/rss.xml', 'content:encoded')).toContainEqual(expect.stringContaining('<p>cd</p>'));
  expect(await fetchTexts('/sitemap.xml', 'loc')).not.toEqual([]);
  expect(await fetchTexts('/sitemap.xml', 'loc')).toBeInstanceOf(Array);
  await site.service.from('posts').delete().eq('id', data.id).throwOnError();
});

test('A renamed article redirects permanently, and a deleted one returns 404', async ({ page, site }) => {
  const { data } = await site.service
    .from('posts')
    .insert({ title: 'Renamed', slug: 'old-name', status: 'published' })
    .select('id')
    .single()
    .throwOnError();
  await site.service.from('posts').update({ slug: 'new-name' }).eq('id', data.id).throwOnError();
  const response = await page.request.get('/news/old-name', { maxRedirects: 0 });
  expect([response.status(), response.headers()['location']]).toEqual([301, '/news/new-name']);
  await page.goto('/news/old-name');
  await expect(page).toHaveURL('/news/new-name');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Renamed');
  await site.service.from('posts').delete().eq('id', data.id).throwOnError();
  for (const slug of ['old-name', 'new-name']) {
    const deletedPage = await page.request.get(`/news/${slug}`);
    expect(deletedPage.status()).toBe(404);
    expect(await deletedPage.text()).toContain('Oops! Page not found');
  }
});

const UNUSUAL_SLUGS = [
  'a^b',
  'a|b',
  'a"b',
  'blåbær',
  'two words',
  '100%',
  '[a]{b}`c',
  "it's(1)!*",
  'a\\b',
  'a/b?c#d',
  '50%25',
  '%5E',
];

for (const slug of UNUSUAL_SLUGS) {
  test(`An article with the slug ${slug} opens from its URL, a link and its former URL`, async ({ page, site }) => {
    const title = `Called ${slug}`;
    const { data } = await site.service
      .from('posts')
      .insert({ title, slug: `former-${slug}`, status: 'published' })
      .select('id')
      .single()
      .throwOnError();
    await site.service.from('posts').update({ slug }).eq('id', data.id).throwOnError();
    const path = `/news/${encodeURIComponent(slug)}`;
    const isArticle = (url: URL) => decodeURIComponent(url.pathname) === `/news/${slug}`;
    const response = await page.request.get(path, { maxRedirects: 0 });
    expect(response.status()).toBe(200);
    expect(await response.text()).toContain(`rel="canonical" href="${site.url}${path.replaceAll("'", '&#x27;')}"`);
    const heading = page.getByRole('heading', { level: 1 });

    // The URL as typed or pasted by a person, if its characters are allowed in a URL.
    if (!/[%/?#\\]/.test(slug)) {
      await page.goto(`/news/${slug}`);
      await expect(heading).toHaveText(title);
    }
    await page.goto(`/news/${encodeURIComponent(`former-${slug}`)}`);
    await expect(page).toHaveURL(isArticle);
    await expect(heading).toHaveText(title);
    await page.getByRole('link', { name: 'All posts' }).click();
    await expect(page).toHaveURL('/news');
    await page.getByRole('link', { name: `Read more about ${title}` }).click();
    await expect(page).toHaveURL(isArticle);
    await expect(heading).toHaveText(title);
    await page.reload();
    await expect(heading).toHaveText(title);
    await site.service.from('posts').delete().eq('id', data.id).throwOnError();
  });
}

test.describe('With an editor in New York,', () => {
  test.use({ timezoneId: 'America/New_York' });

  test('the selected date is shown on the page in the time zone of the site', async ({ page, site }) => {
    await openAdmin(page, site, '/admin/posts/new');
    await page.getByLabel('Title').fill('Dated');
    await page.getByLabel('Published date').fill('2025-11-20T00:00');
    await page.getByLabel('Status').selectOption('published');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByText('Post created successfully')).toBeVisible();
    const row = page.getByRole('listitem').filter({ hasText: 'Dated' });
    await expect(row).toContainText('20 November 2025');
    await page.goto('/news/dated');
    await expect(page.getByText('20 November 2025')).toBeVisible();

    await site.service.from('booking_rules').upsert({ id: true, time_zone: 'America/New_York' }).throwOnError();
    try {
      await page.reload();
      await expect(page.getByText('19 November 2025')).toBeVisible();
    } finally {
      await site.service.from('booking_rules').upsert({ id: true, time_zone: 'Europe/Oslo' }).throwOnError();
      await site.service.from('posts').delete().eq('slug', 'dated').throwOnError();
    }
  });
});
