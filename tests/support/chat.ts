/** Shared by the browser tests of the chat. They use the real server with a fake upstream. */
import type { Page } from '@playwright/test';
import { test as base, waitUntilHydrated } from './e2e.ts';
import { type FakeUpstream, reply, startFakeUpstream } from './fake-upstream.ts';

export const test = base.extend<{ upstream: FakeUpstream }, { sharedUpstream: FakeUpstream }>({
  sharedUpstream: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const upstream = await startFakeUpstream();
      await use(upstream);
      await upstream.close();
    },
    { scope: 'worker' },
  ],
  environment: [
    ({ sharedUpstream }, use) => use({ AI_BASE_URL: sharedUpstream.url, AI_MODEL: 'test-model' }),
    { scope: 'worker' },
  ],
  upstream: [
    async ({ sharedUpstream }, use) => {
      sharedUpstream.requests.length = 0;
      sharedUpstream.behave(reply('Hello', ' there'));
      await use(sharedUpstream);
    },
    { auto: true },
  ],
});

/** Finds the chat window on our own pages, and its controls. */
export function findChat(page: Page) {
  const chat = page.getByRole('dialog', { name: /^Chat with/ });
  return {
    launcher: page.getByRole('button', { name: 'Open chat' }),
    window: chat,
    input: chat.getByLabel('Write to the assistant'),
    sendButton: chat.getByRole('button', { name: 'Send' }),
    stopButton: chat.getByRole('button', { name: 'Stop' }),
    log: chat.getByRole('log'),
    typing: chat.getByText('The assistant is writing'),
    /** Opens the chat on the current page and waits until it is usable. */
    async open() {
      await (await waitUntilHydrated(page.getByRole('button', { name: 'Open chat' }))).click();
      await chat.getByRole('log').waitFor({ state: 'attached' });
    },
    async ask(text: string) {
      await chat.getByLabel('Write to the assistant').fill(text);
      await page.keyboard.press('Enter');
    },
  };
}

export function readStoredId(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('chatbot_conversation_id'));
}
