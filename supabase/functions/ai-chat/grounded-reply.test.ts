import { expect, test } from 'vitest';
import { closeReply } from './grounded-reply.ts';
import { createGuard } from './guard/guard.ts';

const CHATBOTS = {
  title: 'AI Chatbots',
  url: '/services',
  text: 'An assistant that answers from your own content and hands difficult questions to a person.',
  line: '',
};
const SPREAD_WORDS = {
  ...CHATBOTS,
  text: 'It is an assistant. Some tasks are difficult. A person gets every question of yours.',
};

async function replyFor(reply: string, source = CHATBOTS): Promise<string> {
  const guard = createGuard([source], [{ role: 'user', content: 'Tell me about AI Chatbots' }], 'en');
  const retrieved = { basics: [], passages: [source], hasMatch: true };
  const signal = new AbortController().signal;
  const pieces: string[] = [];
  for await (const piece of closeReply(guard, { first: reply, rest: (async function* () {})() }, retrieved, signal)) {
    pieces.push(piece);
  }
  return pieces.join('');
}

test.each([
  'I do not know whether AI Chatbots answers from your own content and hands questions to a person.',
  'AI Chatbots cost 900 NOK for content of your own with an assistant for difficult questions.',
])('A refusal has no sources: %j', async (reply) => {
  expect(await replyFor(reply)).not.toContain('Sources:');
});

test('An answer is followed by its sources', async () => {
  expect(
    await replyFor('Our assistant answers from your own content and hands difficult questions to a person.'),
  ).toContain('Sources:\n\n- [AI Chatbots](/services)');
});

test.each([
  'Thank you for asking about AI Chatbots, your own content and difficult questions.',
  'Thank you for asking about AI Chatbots! Which content should the assistant answer from?',
])('Thanks and questions have no sources: %j', async (reply) => {
  expect(await replyFor(reply)).not.toContain('Sources:');
});

test('An answer that begins with thanks keeps its sources', async () => {
  expect(await replyFor('Thank you for asking. AI Chatbots answer from your own content.')).toContain('Sources:');
});

test('A text is not a source if the words of the reply are spread over several of its sentences', async () => {
  const reply = 'Our assistant hands difficult questions to a person.';
  expect(await replyFor(reply)).toContain('Sources:');
  expect(await replyFor(reply, SPREAD_WORDS)).not.toContain('Sources:');
});
