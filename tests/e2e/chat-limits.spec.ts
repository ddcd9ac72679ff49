import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { findChat } from '../support/chat.ts';
import { expect, test } from '../support/e2e.ts';

test.use({ reducedMotion: 'reduce' } as object);
test.use({ environment: { RATE_LIMITS: 'on' } });
test.use({ allowedProblems: [/429/] });

test('A visitor who started ten conversations within an hour sees the limit, and is offered a meeting', async ({
  page,
  request,
}) => {
  for (let index = 0; index < 10; index++) {
    const response = await request.post('/rest/v1/conversations', { headers: { apikey: PUBLISHABLE_KEY }, data: {} });
    expect(response.status()).toBe(201);
  }
  await page.goto('/');
  const chat = findChat(page);
  await chat.open();
  const message = 'You have started many conversations. Try again in an hour, or book a meeting to talk to a person.';
  await expect(chat.window.getByText(message)).toBeVisible();
  await chat.ask('Hello?');
  await expect(chat.window.getByText(message)).toBeVisible();
  await expect(chat.input).toHaveValue('Hello?');
  await chat.window.getByRole('button', { name: 'Book a Meeting' }).first().click();
  await expect(page.locator('#booking')).toBeInViewport();
});
