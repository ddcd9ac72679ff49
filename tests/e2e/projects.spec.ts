import { expect, expectNoAxeViolations, test, waitUntilHydrated } from '../support/e2e.ts';

test('The projects page lists every published project and no drafts', async ({ page, site }) => {
  await site.service
    .from('projects')
    .insert({ title: 'A secret project', slug: 'secret-project', status: 'draft' })
    .throwOnError();
  await page.goto('/projects');
  await expect(page).toHaveTitle('Projects · Signalfjord');
  await expect(page.getByRole('article')).toHaveCount(5);
  await expect(page.getByText('A secret project')).toHaveCount(0);
  const figure = page.getByRole('article').first().getByText('+40%', { exact: true });
  const size = () => figure.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  await expect.poll(async () => Math.abs((await size()) - 48)).toBeLessThanOrEqual(8);
  await expect(page.getByRole('main').getByRole('link', { name: 'Book a call' })).toHaveAttribute('href', '/#booking');
});

const CASE = { name: 'A pipeline that starts before eight' };

test('A project opens in a dialog, Back and Escape close it, and the focus returns', async ({ page }) => {
  await page.goto('/projects');
  const opener = await waitUntilHydrated(page.getByRole('link', CASE));
  const dialog = page.getByRole('dialog', CASE);
  for (const close of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
    await opener.click();
    await expect(page).toHaveURL(/\/projects\?case=[\w-]+$/);
    await expect(dialog.getByRole('heading', { name: 'What we found' })).toBeVisible();
    await close();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL('/projects');
    await expect(opener).toBeFocused();
  }
});

test('A case study has its own URL, with its title and picture in the first HTML', async ({ page, site }) => {
  const { data } = await site.service.from('projects').select('slug').eq('title', CASE.name).single().throwOnError();
  const path = `/projects?case=${data.slug}`;
  const response = await page.goto(path);
  expect(response?.status()).toBe(200);
  expect(await response?.text()).toContain('What we found');
  await expect(page).toHaveTitle(`${CASE.name} · Signalfjord`);
  await expect(page.getByRole('dialog', CASE).getByRole('table')).toBeVisible();
  await expectNoAxeViolations(page);
  const picture = await page.locator('meta[property="og:image"]').getAttribute('content');
  expect((await page.request.get(picture ?? '')).headers()['content-type']).toBe('image/png');
  expect(await (await page.request.get('/sitemap.xml')).text()).toContain(path);
  await page.getByRole('link', { name: 'Close' }).click();
  await expect(page).toHaveURL('/projects');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test.describe('Without JavaScript,', () => {
  // Chromium logs an error for each script that it does not load.
  test.use({ javaScriptEnabled: false, allowedProblems: [/\.js csp$/] });

  test('a case study can be read and closed', async ({ page, site }) => {
    const { data } = await site.service.from('projects').select('slug').eq('title', CASE.name).single().throwOnError();
    await page.goto(`/projects?case=${data.slug}`);
    await expect(page.getByRole('heading', { name: 'What we found' })).toBeVisible();
    await page.getByRole('link', { name: 'Close' }).click();
    await expect(page).toHaveURL('/projects');
  });
});

test('A renamed case study redirects permanently, and deleted and unknown ones are not found', async ({
  page,
  site,
}) => {
  const { data } = await site.service
    .from('projects')
    .insert({ title: 'Renamed', slug: 'old-case', status: 'published' })
    .select('id')
    .single()
    .throwOnError();
  await site.service.from('projects').update({ slug: 'new-case' }).eq('id', data.id).throwOnError();
  const response = await page.request.get('/projects?case=old-case', { maxRedirects: 0 });
  expect([response.status(), response.headers()['location']]).toEqual([301, '/projects?case=new-case']);
  await site.service.from('projects').delete().eq('id', data.id).throwOnError();
  for (const slug of ['old-case', 'new-case', 'never-was']) {
    expect((await page.request.get(`/projects?case=${slug}`)).status()).toBe(404);
  }
});

test.describe('A project list that fails to load', () => {
  test.use({ allowedProblems: [/status of 400/] });

  test('shows a loading state after navigation, and then offers a retry', async ({ page }) => {
    await page.goto('/contact');
    let requestCount = 0;
    const release = Promise.withResolvers<void>();
    await page.route('**/rest/v1/projects?*', async (route) => {
      requestCount += 1;
      if (requestCount > 1) return route.continue();
      await release.promise;
      // A rejected request is not retried automatically.
      await route.fulfill({ status: 400, json: { code: '42703', message: 'no', details: null, hint: null } });
    });
    await (
      await waitUntilHydrated(page.getByRole('navigation').first().getByRole('link', { name: 'Projects' }))
    ).click();
    await expect(page.getByText('Loading projects...')).toBeVisible();
    release.resolve();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('article')).toHaveCount(5);
  });
});
