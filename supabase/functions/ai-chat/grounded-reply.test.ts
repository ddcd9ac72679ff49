import { expect, test } from 'vitest';
import { closeReply } from './grounded-reply.ts';
import { createGuard } from './guard/guard.ts';

const CHATBOTS = {
  title: 'AI Chatbots',
  url: '/services',
  text: 'An assistant that answers from your own content and hands difficult questions to a person.',
  line: '',
};
const RETRIEVED = { basics: [], passages: [CHATBOTS], isAnythingFound: true };

async function told(reply: string): Promise<string> {
  const guard = createGuard([CHATBOTS], [{ role: 'user', content: 'Tell me about AI Chatbots' }], 'en');
  const stays = new AbortController().signal;
  const pieces: string[] = [];
  for await (const piece of closeReply(guard, { first: reply, rest: (async function* () {})() }, RETRIEVED, stays)) {
    pieces.push(piece);
  }
  return pieces.join('');
}

test.each([
  'I do not know whether AI Chatbots answers from your own content and hands questions to a person.',
  'AI Chatbots cost 900 NOK for content of your own with an assistant for difficult questions.',
])('Under a refusal stand no sources: %j', async (reply) => {
  expect(await told(reply)).not.toContain('Sources:');
});

test('Under an answer they do', async () => {
  expect(
    await told('Our assistant answers from your own content and hands difficult questions to a person.'),
  ).toContain('Sources:\n\n- [AI Chatbots](/services)');
});
