import { expect, test } from '../support/e2e.ts';

test('The built site responds in a browser, and tests have access to the service role', async ({ page, site }) => {
  const response = await page.goto('/');
  expect(response?.status()).toBe(200);
  await expect(page.locator('main').first()).toBeVisible();

  const { data } = await site.service.from('user_roles').select('role').eq('role', 'admin').throwOnError();
  expect(data).toHaveLength(1);
});

test('Toasts stay long enough for slow tests', async ({ page }) => {
  await page.goto('/contact');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.locator('[data-sonner-toast]')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-keeps-toasts');
});

for (const ordinal of ['first', 'second']) {
  test(`The ${ordinal} test on a page starts without data of earlier tests`, async ({ page, context, site }) => {
    await page.goto('/robots.txt');
    const browserState = () =>
      page.evaluate(async () => [
        localStorage.length,
        sessionStorage.length,
        (await indexedDB.databases()).length,
        document.cookie,
        history.length,
        (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
        'isMarked' in window,
        innerWidth,
      ]);
    await expect.poll(browserState).toEqual([0, 0, 0, '', 2, 'prompt', false, 1280]);
    await page.addInitScript(() => Object.assign(window, { isMarked: true }));
    await page.route('**/robots.txt', (route) => route.fulfill({ body: 'Another' }));
    await context.grantPermissions(['clipboard-read']);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${site.url}/robots.txt?again`);
    await context.addCookies([{ name: 'left', value: 'behind', url: site.url }]);
    await page.evaluate(() => {
      localStorage.setItem('left', 'behind');
      sessionStorage.setItem('left', 'behind');
      indexedDB.open('left-behind');
    });
    await expect.poll(browserState).toEqual([1, 1, 1, 'left=behind', 3, 'granted', true, 390]);
    await context.setOffline(true);
  });
}

test('The stylesheet is inlined in the HTML and never loaded again', async ({ page, request, site }) => {
  const html = await (await request.get('/')).text();
  const [, path = '', text = ''] = /<style [^>]*data-href="([^"]+)"[^>]*>(.+?)<\/style>/s.exec(html) ?? [];
  expect(text === (await (await request.get(path)).text())).toBe(true);

  const files: string[] = [];
  page.on('request', (assetRequest) => files.push(new URL(assetRequest.url()).pathname));
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'About' }).first().click();
  await expect(page).toHaveURL(`${site.url}/about`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(files.filter((file) => file.endsWith('.css'))).toEqual([]);
  await expect(page.locator('style[data-href]')).toHaveCount(1);
  const scripts = await Promise.all(
    files.filter((file) => file.endsWith('.js')).map(async (file) => (await request.get(file)).text()),
  );
  expect(scripts.filter((script) => script.includes(text.slice(-200)))).toEqual([]);
});
