import type { Page } from '@playwright/test';
import { openAdmin } from '../support/admin-session.ts';
import { saveAvailability } from '../support/booking.ts';
import { findChat, readStoredId, test } from '../support/chat.ts';
import { expect, expectNoAxeViolations, loadToaster, waitUntilHydrated } from '../support/e2e.ts';
import { breakAfter, failWith, pauseAfter, reply } from '../support/fake-upstream.ts';

test.use({ reducedMotion: 'reduce' } as object);

const CONVERSATION_ID = /^[0-9a-f-]{36}$/;

test('The chat is loaded when it is opened, and weighs at most 40 kB', async ({ page }) => {
  const sizes: Promise<number>[] = [];
  await page.goto('/');
  const chat = findChat(page);
  await waitUntilHydrated(chat.launcher);
  await loadToaster(page);
  await page.waitForLoadState('networkidle');
  page.on('response', (response) => {
    if (response.url().endsWith('.js'))
      sizes.push(
        response
          .request()
          .sizes()
          .then((size) => size.responseBodySize),
      );
  });
  await chat.open();
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(40_000);
});

test('A visitor sees the reply stream in, and it is still shown after a reload', async ({ page, site, upstream }) => {
  const finish = Promise.withResolvers<void>();
  upstream.behave(pauseAfter(['We build '], finish.promise, '**outreach**. See [Services](/services).'));
  await page.goto('/');
  const chat = findChat(page);
  await chat.open();
  await expect(chat.input).toBeFocused();
  await expect(chat.window.getByRole('button', { name: 'What services do you offer?' })).toBeVisible();
  await expect.poll(() => readStoredId(page)).toMatch(CONVERSATION_ID);

  await chat.ask('What do you build?');
  await expect(chat.window.getByText('We build')).toBeVisible();
  await expect(chat.input).toBeDisabled();
  await expect(chat.sendButton).toBeDisabled();
  await expect(chat.stopButton).toBeFocused();
  // A reply is added to the log when it is complete, so that a screen reader announces it once.
  await expect(chat.log).not.toContainText('We build');
  finish.resolve();
  await expect(chat.log).toContainText('We build outreach. See Services.');
  await expect(chat.input).toBeEnabled();
  await expect(chat.input).toBeFocused();
  await expect(chat.window.getByRole('button', { name: 'What services do you offer?' })).toBeHidden();

  const id = await readStoredId(page);
  const messages = async () =>
    (await site.service.from('chat_messages').select('role, content').eq('conversation_id', id).order('created_at'))
      .data;
  await expect.poll(messages).toEqual([
    { role: 'user', content: 'What do you build?' },
    { role: 'assistant', content: 'We build **outreach**. See [Services](/services).' },
  ]);

  await page.reload();
  await chat.open();
  await expect(chat.log).toContainText('What do you build?');
  await expect(chat.log).toContainText('We build outreach');
  const start = Promise.withResolvers<void>();
  upstream.behave(pauseAfter([], start.promise, 'Now'));
  await chat.ask('And again?');
  await expect(chat.typing).toBeAttached();
  start.resolve();
  await expect(chat.log).toContainText('Now');
  await expect(chat.typing).not.toBeAttached();
  expect(
    upstream.requests
      .at(-1)
      ?.body.messages.slice(1)
      .map(({ content }) => content),
  ).toEqual(['What do you build?', 'We build **outreach**. See [Services](/services).', 'And again?']);
});

test('The log scrolls to the start of a new reply once and shows suggestions below it', async ({
  page,
  site,
  upstream,
}) => {
  await saveAvailability(site.service);
  const settings = site.service.from('site_settings');
  await settings.insert({ setting_key: 'leads_from_chat', setting_value: 'on' }).throwOnError();
  try {
    const longText = `${'We build outreach.\n\n'.repeat(40)}The last words.`;
    const links = '\n\n[Book a call](/#booking) or [ask a person](/contact#person).';
    upstream.behave(reply(`The first words.\n\n${longText}${links}`));
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/');
    const chat = findChat(page);
    await chat.open();
    await expect.poll(async () => (await chat.window.boundingBox())?.height).toBeGreaterThan(800);
    const lines = chat.log.getByText(/^(Free times \(.*|May a person write to you\?.*)$/);
    for (const count of [1, 2]) {
      await chat.ask(`Question ${count}`);
      await expect(chat.log.getByText('The first words.')).toHaveCount(count);
      // The times replace the question, and are shown only below the last reply.
      await expect(lines).toHaveText(/^Free times/);
      await expect(chat.log.getByText('The first words.').last()).toBeInViewport({ ratio: 1 });
      await expect(chat.log.getByText('The last words.').last()).not.toBeInViewport();
    }
    // If the visitor asks for a call, the suggestions are also shown below a reply that does not mention it.
    upstream.behave(reply('Gladly: [book a call](/#booking).'));
    await chat.ask('A call, please');
    await expect(lines.last()).toBeInViewport({ ratio: 1 });
    await expect(lines).toHaveText(/^Free times/);
    // Turning a phone keeps the newest reply in view.
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect(lines.last()).toBeInViewport({ ratio: 1 });
    }
    // The visitor's scroll position does not change.
    await chat.log.getByText('The last words.').first().scrollIntoViewIfNeeded();
    // The page handles the scroll in the next frame. A resize before that frame is not tested here.
    await expect(chat.log.getByText('The last words.').first()).toBeInViewport();
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await page.setViewportSize({ width: 1440, height: 880 });
    await expect(chat.log.getByText('The last words.').first()).toBeInViewport();
  } finally {
    await settings.delete().eq('setting_key', 'leads_from_chat').throwOnError();
    await site.service.from('site_settings').delete().eq('setting_key', 'booking').throwOnError();
  }
});

test.describe('A failed message', () => {
  test.use({ allowedProblems: [/Failed to load resource|failed request/] });

  const INTERRUPTED = 'The reply was interrupted. Please try again.';
  const UNREACHABLE = 'The assistant cannot be reached right now. Please try again in a moment.';

  for (const [title, behaviour, message] of [
    ['the upstream is down', failWith(500, '<h1>Error</h1>'), UNREACHABLE],
    ['the reply is interrupted', breakAfter('Half a'), INTERRUPTED],
  ] as const) {
    test(`(${title}) is removed, its text returns to the input, and a toast shows the reason`, async ({
      page,
      upstream,
    }) => {
      upstream.behave(behaviour);
      await page.goto('/');
      const chat = findChat(page);
      await chat.open();
      await chat.ask('Will this work?');
      await expect(page.getByText(message)).toBeVisible();
      await expect(chat.input).toHaveValue('Will this work?');
      await expect(chat.log).toBeEmpty();
      await expect(chat.window.getByText('Half a')).toBeHidden();

      upstream.behave(reply('Yes, now'));
      await page.keyboard.press('Enter');
      await expect(chat.log).toContainText('Yes, now');
      await page.reload();
      await chat.open();
      await expect(chat.log.getByText('Will this work?')).toHaveCount(1);
    });
  }

  test('shows the error of the response in a toast, and offers a meeting if a limit was reached', async ({ page }) => {
    await page.goto('/');
    const chat = findChat(page);
    await chat.open();
    // Toasts stay for a minute, so count toasts with the same text.
    for (const [response, message, count] of [
      [{ status: 500, json: { error: 'Out of coffee' } }, 'Out of coffee', 1],
      [{ status: 500, json: {} }, 'Failed to get response', 1],
      [{ status: 500, body: '<h1>Error</h1>' }, 'Unknown error', 1],
      [{ status: 200, body: '' }, 'Failed to get response', 2],
      ['abort', 'Failed to send message', 1],
    ] as const) {
      const question = `What of ${JSON.stringify(response)}?`;
      await test.step(question, async () => {
        await page.route(
          '**/functions/v1/ai-chat',
          (route) => (response === 'abort' ? route.abort() : route.fulfill(response)),
          { times: 1 },
        );
        await chat.ask(question);
        await expect(page.getByText(message, { exact: true })).toHaveCount(count);
        await expect(chat.input).toHaveValue(question);
      });
    }
    const error = 'Too many messages.';
    await page.route('**/functions/v1/ai-chat', (route) =>
      route.fulfill({ status: 429, json: { error, booking_url: '/#booking' } }),
    );
    await chat.ask('Hello?');
    await expect(chat.window.getByText(error)).toBeVisible();
    await chat.window.getByRole('button', { name: 'Book a Meeting' }).first().click();
    await expect(page.locator('#booking')).toBeInViewport();
  });
});

test('Keyboard shortcuts control the chat, and Back leaves the page in a wide window', async ({ page, upstream }) => {
  await page.goto('/robots.txt');
  await page.goto('/contact');
  const chat = findChat(page);
  await chat.open();
  await chat.ask('   ');
  await expect(chat.sendButton).toBeDisabled();
  await chat.input.fill('one');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('two');
  expect(upstream.requests).toHaveLength(0);
  await page.keyboard.press('Enter');
  await expect(chat.log).toContainText('Hello there');
  expect(upstream.requests.at(-1)?.body.messages.at(-1)?.content).toBe('one\ntwo');
  await expectNoAxeViolations(page);

  await page.keyboard.press('Escape');
  await expect(chat.window).toBeHidden();
  await expect(chat.launcher).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.input).toBeFocused();
  await chat.window.getByRole('button', { name: 'Close chat' }).click();
  await expect(chat.launcher).toBeFocused();

  await chat.open();
  await expect(chat.log).toContainText('Hello there');
  const before = await readStoredId(page);
  await chat.window.getByRole('button', { name: 'Clear conversation' }).click();
  await expect(chat.log).toBeEmpty();
  // The old conversation is deleted before a new one starts.
  await expect.poll(async () => ['', before].includes((await readStoredId(page)) ?? '')).toBe(false);
  expect(await readStoredId(page)).toMatch(CONVERSATION_ID);

  // The chat is beside the page and has no history entry.
  await page.goBack();
  await expect(page).toHaveURL('/robots.txt');
});

test('Stop ends the reply, keeps the received text and cancels the upstream request', async ({
  page,
  site,
  upstream,
}) => {
  upstream.behave(pauseAfter(['So far'], new Promise(() => undefined)));
  await page.goto('/');
  const chat = findChat(page);
  await chat.open();
  await chat.ask('Tell me everything');
  await expect(chat.window.getByText('So far')).toBeVisible();
  await chat.stopButton.click();
  await expect(chat.log).toContainText('So far');
  await expect(chat.input).toBeEnabled();
  await upstream.requests[0]?.abandoned;
  const id = await readStoredId(page);
  await expect
    .poll(async () => (await site.service.from('chat_messages').select('content').eq('conversation_id', id)).data)
    .toContainEqual({ content: 'So far' });
});

test.describe('A conversation that is deleted while it is open', () => {
  // The browser logs the 409 response to the first insert.
  test.use({ allowedProblems: [/status of 409/] });

  test('continues as a new one', async ({ page, site }) => {
    await page.goto('/');
    const chat = findChat(page);
    await chat.open();
    await expect.poll(() => readStoredId(page)).toMatch(CONVERSATION_ID);
    const before = await readStoredId(page);
    await site.service.from('conversations').delete().eq('id', before).throwOnError();
    await chat.ask('Still there?');
    await expect(chat.log).toContainText('Hello there');
    await expect.poll(() => readStoredId(page)).not.toBe(before);
  });
});

test('Below 768 px, the chat fills the screen and traps the focus, and "Book a Meeting" closes it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 767, height: 700 });
  await page.goto('/');
  const chat = findChat(page);
  await chat.open();
  await expect.poll(() => chat.window.boundingBox()).toEqual({ x: 0, y: 0, width: 767, height: 700 });
  for (let presses = 0; presses < 12; presses++) await page.keyboard.press('Tab');
  await expect.poll(() => chat.window.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await chat.window.getByRole('button', { name: 'Book a Meeting' }).click();
  await expect(chat.window).toBeHidden();
  await expect(page.locator('#booking')).toBeInViewport();

  await page.setViewportSize({ width: 768, height: 700 });
  await chat.open();
  await expect.poll(async () => (await chat.window.boundingBox())?.width).toBe(400);
});

test('Replies cannot run scripts, load images or contain dangerous links', async ({ page, upstream }) => {
  upstream.behave(
    reply(
      '<script>document.title = "owned"</script><img src=x onerror="document.title = \'owned\'">',
      '\n\n![Tracker](https://tracker.example/p.png) [click](javascript:alert(1)) [Projects](/projects)',
    ),
  );
  await page.goto('/');
  const title = await page.title();
  const chat = findChat(page);
  await chat.open();
  await chat.ask('<img src=x onerror="document.title = \'owned\'">');
  await expect(chat.log).toContainText('<script>');
  await expect(chat.log).toContainText('Tracker');
  await expect(chat.log.locator('img, script')).toHaveCount(0);
  await expect(chat.log.getByRole('link')).toHaveText(['Projects']);
  expect(await page.title()).toBe(title);
  await chat.log.getByRole('link', { name: 'Projects' }).click();
  await expect(page).toHaveURL(/\/projects$/);
  await expect(chat.window).toBeVisible();
});

test('The end of a short reply stays in view, even after a suggestion is added below it', async ({
  page,
  site,
  upstream,
}) => {
  const setting = { setting_key: 'leads_from_chat', setting_value: 'on' };
  await site.service.from('site_settings').upsert(setting, { onConflict: 'setting_key' }).throwOnError();
  const chat = findChat(page);
  await page.goto('/');
  await chat.open();
  upstream.behave(reply('A line of it. '.repeat(8), 'A person can answer that: [write to us](/contact#person).'));
  await chat.ask('Can I talk to somebody?');
  await expect(chat.window.getByRole('button', { name: 'No, thank you' })).toBeInViewport();
  upstream.behave(reply('Shortly.'));
  await chat.ask('And when?');
  await expect(chat.log.getByText('Shortly.')).toBeInViewport();
  await site.service.from('site_settings').delete().eq('setting_key', 'leads_from_chat').throwOnError();
});

test('The history shows the time once per minute and each source once', async ({ page, site }) => {
  const { data } = await site.service.from('conversations').insert({}).select('id').single().throwOnError();
  const quote = 'This is from [Services](/services):\n\n> We build it.\n\nSources:\n\n- [Services](/services)';
  for (const [role, content, time] of [
    ['user', 'Who builds it?', '10:00:05'],
    ['assistant', quote, '10:00:50'],
    ['user', 'And who runs it?', '10:01:10'],
  ])
    await site.service
      .from('chat_messages')
      .insert({ conversation_id: data.id, role, content, created_at: `2026-01-05T${time}Z` })
      .throwOnError();
  await page.addInitScript((id) => localStorage.setItem('chatbot_conversation_id', id), data.id);
  await page.goto('/');
  const chat = findChat(page);
  await chat.open();
  await expect(chat.log.getByRole('list', { name: 'Sources' }).getByRole('link')).toHaveText(['Services']);
  await expect(chat.log.getByRole('link')).toHaveCount(1);
  const times = [/^5 Jan 2026, \d\d:00$/, /^5 Jan 2026, \d\d:01$/];
  await expect(chat.log.getByRole('time')).toHaveText(times);
  await expectNoAxeViolations(page);

  await openAdmin(page, site, `/admin/conversations/${data.id}`);
  const messages = page.getByRole('list', { name: 'Messages' });
  await expect(messages.getByRole('link')).toHaveText(['Services']);
  await expect(messages.getByRole('time')).toHaveText(times);
});

test('Two tabs show the same conversation in the same order', async ({ page, context, upstream }) => {
  const finish = Promise.withResolvers<void>();
  await page.goto('/');
  const first = findChat(page);
  await first.open();
  await expect.poll(() => readStoredId(page)).toMatch(CONVERSATION_ID);
  const secondPage = await context.newPage();
  await secondPage.goto('/');
  const second = findChat(secondPage);
  await second.open();
  await expect.poll(() => readStoredId(secondPage)).toBe(await readStoredId(page));

  upstream.behave(pauseAfter(['One'], finish.promise, ' done'), reply('Two done'));
  await first.ask('First question');
  await expect(first.window.getByText('One')).toBeVisible();
  await second.ask('Second question');
  await expect(second.typing).toBeAttached();
  finish.resolve();
  for (const tab of [first, second]) {
    const messages = [/^You: First question/, /^Assistant: One done/, /^You: Second question/, /^Assistant: Two done/];
    await expect(tab.log.locator(':scope > *')).toHaveText(messages);
  }
  const before = await readStoredId(page);
  await second.window.getByRole('button', { name: 'Clear conversation' }).click();
  await expect(first.log).toBeEmpty();
  // The old conversation is deleted before a new one starts, in both tabs.
  await expect.poll(async () => ['', before].includes((await readStoredId(page)) ?? '')).toBe(false);
  await expect.poll(async () => (await readStoredId(page)) === (await readStoredId(secondPage))).toBe(true);
});

test.describe('On a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  const entries = (page: Page) => page.evaluate(() => history.length);

  test('Back closes the chat and leaves the page unchanged, and Forward reopens it', async ({ page }) => {
    await page.goto('/robots.txt');
    await page.goto('/');
    const chat = findChat(page);
    // Until layout is complete, estimated heights would change the scroll position.
    await expect(page.locator('html')).toHaveAttribute('data-laid-out', '');
    const heading = page.getByRole('heading', { name: 'What clients say' });
    await heading.scrollIntoViewIfNeeded();
    const top = () => heading.evaluate((element) => element.getBoundingClientRect().top);
    await chat.open();
    // Read the position after the chat has opened. Until then, the content above is a placeholder.
    const before = await top();
    await page.goBack();
    await expect(chat.window).toBeHidden();
    await expect(chat.launcher).toBeFocused();
    await expect(page).toHaveURL('/');
    await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThanOrEqual(2);
    // Content that is not hydrated yet is still in the DOM.
    await expect(page.getByRole('heading', { name: 'Write to us' })).toBeAttached();
    await page.goForward();
    await expect(chat.window).toBeVisible();
    await page.goBack();
    await expect(chat.window).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL('/robots.txt');
  });

  test('Closing removes the history entry, a reload keeps the chat open, and a link in a reply navigates', async ({
    page,
    upstream,
  }) => {
    upstream.behave(reply('See [Services](/services).'));
    await page.goto('/robots.txt');
    await page.goto('/about');
    const chat = findChat(page);
    const before = await entries(page);
    for (const close of [
      () => page.getByRole('button', { name: 'Close chat' }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      await chat.open();
      await expect(chat.input).toBeFocused();
      await expect.poll(() => entries(page)).toBe(before + 1);
      await close();
      await expect(chat.window).toBeHidden();
      await expect.poll(() => page.evaluate(() => history.state.isChat)).toBeUndefined();
    }

    await chat.open();
    await page.reload();
    await expect(chat.window).toBeVisible();
    await page.goBack();
    await expect(chat.window).toBeHidden();
    await expect(page).toHaveURL('/about');

    await chat.open();
    await chat.ask('Where?');
    await chat.log.getByRole('link', { name: 'Services' }).click();
    await expect(page).toHaveURL('/services');
    await expect(chat.window).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL('/about');
    await expect(chat.window).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL('/robots.txt');
  });
});
