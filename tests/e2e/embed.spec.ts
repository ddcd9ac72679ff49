/** The chat on other sites. The host page has another origin, a strict policy, and only the script tag. */
import { createServer, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { test as chatTest } from '../support/chat.ts';
import { expect } from '../support/e2e.ts';

/** `localhost` is a different origin from the site's 127.0.0.1. */
const test = chatTest.extend<{ host: { url: string; show(attributes?: string, body?: string): void } }>({
  host: async ({ site }, use) => {
    let attributes = '';
    let body = '<p>Its own text.</p>';
    const server: Server = createServer((request, response) => {
      if (request.url !== '/') return response.writeHead(204).end();
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; script-src ${site.url}; frame-src ${site.url}; base-uri 'none'`,
      });
      return response.end(`<!doctype html><html lang="en"><head><title>Host</title>
        <script async src="${site.url}/embed.js" ${attributes}></script></head>
        <body><h1>A host page</h1>${body}</body></html>`);
    });
    await new Promise<void>((listening) => server.listen(0, 'localhost', listening));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The host page has no port');
    await use({
      url: `http://localhost:${address.port}/`,
      show(newAttributes = '', newBody = body) {
        attributes = newAttributes;
        body = newBody;
      },
    });
    server.closeAllConnections();
    server.close();
  },
});
const TEXT_FONT = expect.stringContaining('Schibsted Grotesk');
const listLoadedFonts = () =>
  [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family);

test.use({ allowedProblems: [/request to another host: http:\/\/localhost:/] });

test('The script tag adds the launcher and only a small frame before the chat is opened', async ({
  page,
  host,
  site,
}) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(host.url);
  await expect(page.getByRole('button', { name: 'Open chat' })).toBeVisible();
  expect(requests.filter((url) => url.startsWith(site.url))).toEqual([
    `${site.url}/embed.js`,
    `${site.url}/chat-embed/status`,
  ]);
  await expect(page.locator('iframe')).toHaveCount(0);
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) =>
          resolve(list.getEntries().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0)),
        ).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
      }),
  );
  expect(shift).toBe(0);
  const script = await (await page.request.get(`${site.url}/embed.js`)).body();
  expect(gzipSync(script).byteLength).toBeLessThan(5000);
});

test('The script executes fewer than 100 blocks of code', async ({ page, host }) => {
  const client = await page.context().newCDPSession(page);
  await client.send('Profiler.enable');
  await client.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await page.goto(host.url);
  await expect(page.getByRole('button', { name: 'Open chat' })).toBeVisible();
  const { result } = await client.send('Profiler.takePreciseCoverage');
  const calls = result
    .filter(({ url }) => url.endsWith('/embed.js'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)));
  const executions = calls.reduce((sum, count) => sum + count, 0);
  expect(executions).toBeGreaterThan(0);
  expect(executions).toBeLessThan(100);
});

test('A visitor of another site still sees the conversation after closing the chat', async ({ page, host }) => {
  await page.goto(host.url);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const frame = page.frameLocator('iframe');
  const input = frame.getByLabel('Write to the assistant');
  await expect(input).toBeFocused();
  await input.fill('Hello');
  await page.keyboard.press('Enter');
  await expect(frame.getByRole('log')).toContainText('Hello there');
  await expect.poll(() => frame.locator('html').evaluate(listLoadedFonts)).toContainEqual(TEXT_FONT);
  await expect(frame.locator('nav, footer')).toHaveCount(0);

  await page.keyboard.press('Escape');
  await expect(page.locator('iframe')).toBeHidden();
  const launcher = page.getByRole('button', { name: 'Open chat' });
  await expect(launcher).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(frame.getByRole('log')).toContainText('Hello there');
});

test('The opened frame loads at most 90 kB in five requests, without router or query cache', async ({
  page,
  host,
  site,
}) => {
  await page.goto(host.url);
  const launcher = page.getByRole('button', { name: 'Open chat' });
  await expect(launcher).toBeVisible();
  const requestLog: string[] = [];
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (!response.url().startsWith(site.url)) return;
    requestLog.push(`${response.request().method()} ${new URL(response.url()).pathname}`);
    sizes.push(
      response
        .request()
        .sizes()
        .then((size) => size.responseBodySize),
    );
  });
  await launcher.click();
  await expect(page.frameLocator('iframe').getByLabel('Write to the assistant')).toBeFocused();
  await expect
    .poll(() => requestLog.toSorted())
    .toEqual([
      'GET /chat-embed',
      'GET /chat-frame.css',
      'GET /chat-frame.js',
      'GET /rest/v1/chat_messages',
      'POST /rest/v1/conversations',
    ]);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(90_000);
  // No further responses arrived while their sizes were read.
  expect(requestLog).toHaveLength(5);
});

test('The chat controls are disabled until the script has loaded', async ({ page, site }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/chat-frame.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${site.url}/chat-embed`, { waitUntil: 'commit' });
  const input = page.getByLabel('Write to the assistant');
  await expect(input).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Book a Meeting' })).toBeDisabled();
  release();
  await expect(input).toBeFocused();
  await expect(input).toBeEnabled();
});

test("'Book a Meeting' sends one message to the host page, from the frame's own window", async ({ page, host }) => {
  await page.goto(host.url);
  await page.evaluate(() => {
    const origins: string[] = [];
    Object.assign(window, { origins });
    window.addEventListener('message', (event) => {
      if (event.data?.type !== 'scroll-to-booking') return;
      origins.push(event.origin);
      event.preventDefault();
    });
  });
  await page.getByRole('button', { name: 'Open chat' }).click();
  await page.frameLocator('iframe').getByRole('button', { name: 'Book a Meeting' }).click();
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { origins: string[] }).origins))
    .toEqual([host.url.slice(0, -1)]);
});

test("'Book a Meeting' scrolls to the host's #booking, or opens the booking section of the site", async ({
  page,
  host,
  site,
}) => {
  host.show('', `${'<p>Text.</p>'.repeat(100)}<h2 id="booking">Our calendar</h2>`);
  await page.goto(host.url);
  await page.getByRole('button', { name: 'Open chat' }).click();
  await page.frameLocator('iframe').getByRole('button', { name: 'Book a Meeting' }).click();
  await expect(page.getByText('Our calendar')).toBeInViewport();
  expect(page.context().pages()).toHaveLength(1);

  host.show('', '<p>No calendar.</p>');
  await page.goto(host.url);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const popup = page.waitForEvent('popup');
  await page.frameLocator('iframe').getByRole('button', { name: 'Book a Meeting' }).click();
  await expect(await popup).toHaveURL(`${site.url}/#booking`);
});

test('If frames cannot use storage, the host page stores the conversation', async ({ page, host }) => {
  await page.addInitScript(() => {
    if (window.parent === window) return;
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('Denied', 'SecurityError');
      },
    });
  });
  const frame = page.frameLocator('iframe');
  await page.goto(host.url);
  await page.getByRole('button', { name: 'Open chat' }).click();
  await frame.getByLabel('Write to the assistant').fill('Are you there?');
  await page.keyboard.press('Enter');
  await expect(frame.getByRole('log')).toContainText('Hello there');
  await page.reload();
  await page.getByRole('button', { name: 'Open chat' }).click();
  await expect(frame.getByRole('log')).toContainText('Are you there?');
  await frame.getByRole('button', { name: 'Clear conversation' }).click();
  await expect(frame.getByRole('log')).not.toContainText('Are you there?');
});

test('A dismissed greeting stays hidden, and a new one is shown', async ({ page, host }) => {
  host.show('data-greeting="Questions?"');
  await page.goto(host.url);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Open chat' })).toBeVisible();
  await expect(page.getByText('Questions?')).toBeHidden();
  host.show('data-greeting="News!"');
  await page.reload();
  await expect(page.getByText('News!')).toBeVisible();
});

test.describe('A disabled chat', () => {
  // Use a single pattern, because Playwright would read an array of two elements as a value with options.
  test.use({
    allowedProblems: [/request to another host: http:\/\/localhost:|frame-ancestors|ERR_BLOCKED_BY_RESPONSE/],
  });

  for (const [setting_key, setting_value] of [
    ['chat_allowed_origins', 'https://partner.example'],
    ['chat_daily_cap', '0'],
  ] as const) {
    test(`shows no launcher (${setting_key}: ${setting_value})`, async ({ page, host, site }) => {
      await site.service.from('site_settings').insert({ setting_key, setting_value }).throwOnError();
      const launcher = page.getByRole('button', { name: 'Open chat' });
      // The load event waits for the frame.
      await page.goto(host.url);
      await expect(page.locator('signalfjord-chat')).toHaveCount(setting_key === 'chat_daily_cap' ? 0 : 1);
      await expect(launcher).toHaveCount(0);
      const newValue = setting_key === 'chat_daily_cap' ? '1' : new URL(host.url).origin;
      await site.service
        .from('site_settings')
        .update({ setting_value: newValue })
        .eq('setting_key', setting_key)
        .throwOnError();
      await page.reload();
      await expect(launcher).toBeVisible();
      await site.service.from('site_settings').delete().eq('setting_key', setting_key).throwOnError();
    });
  }
});

test('The attributes of the script tag set position, colour and greeting', async ({ page, host }) => {
  host.show('data-position="left" data-color="rgb(250, 220, 60)" data-greeting="Questions? <b>Ask</b>"');
  await page.goto(host.url);
  const launcher = page.getByRole('button', { name: 'Open chat' });
  await expect(launcher).toHaveCSS('background-color', 'rgb(250, 220, 60)');
  await expect(launcher).toHaveCSS('color', 'rgb(19, 34, 29)');
  await expect.poll(async () => (await launcher.boundingBox())?.x).toBe(20);
  await expect(page.getByText('Questions? <b>Ask</b>')).toBeVisible();
  await launcher.click();
  await expect(page.getByText('Questions? <b>Ask</b>')).toBeHidden();
  await expect(page.frameLocator('iframe').getByText('Questions? <b>Ask</b>')).toBeVisible();
});

for (const side of ['left', 'right']) {
  test(`On a phone, the frame fills the screen (position: ${side})`, async ({ page, host }) => {
    host.show(`data-position="${side}"`);
    await page.setViewportSize({ width: 390, height: 700 });
    await page.goto(host.url);
    await page.getByRole('button', { name: 'Open chat' }).click();
    await expect.poll(() => page.locator('iframe').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 700 });
    await page.frameLocator('iframe').getByRole('button', { name: 'Close chat' }).click();
    await expect(page.locator('iframe')).toBeHidden();
  });
}

test('Only allowed sites can frame /chat-embed, and only the site itself can frame other pages', async ({
  page,
  site,
}) => {
  const readPolicy = async (path: string) =>
    (await page.request.get(site.url + path)).headers()['content-security-policy']?.match(/frame-ancestors [^;]+/)?.[0];
  expect(await readPolicy('/chat-embed')).toBe('frame-ancestors *');
  expect(await readPolicy('/')).toBe("frame-ancestors 'self'");
  await site.service
    .from('site_settings')
    .insert({ setting_key: 'chat_allowed_origins', setting_value: 'https://partner.example' })
    .throwOnError();
  expect(await readPolicy('/chat-embed')).toBe("frame-ancestors 'self' https://partner.example");
  await site.service.from('site_settings').delete().eq('setting_key', 'chat_allowed_origins').throwOnError();
  expect(await readPolicy('/chat-embed')).toBe('frame-ancestors *');
});

test('A chat that is opened directly is a centred column in the font of the site, and links bookings to the home page', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/chat-embed');
  await expect.poll(() => page.getByRole('main').boundingBox()).toEqual({ x: 360, y: 0, width: 720, height: 900 });
  await expect.poll(() => page.evaluate(listLoadedFonts)).toContainEqual(TEXT_FONT);
  await expect(page.getByRole('button', { name: 'Close chat' })).toBeHidden();
  await page.getByRole('button', { name: 'Book a Meeting' }).click();
  await expect(page).toHaveURL(/\/#booking$/);
});
