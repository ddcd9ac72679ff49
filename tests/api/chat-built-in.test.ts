/**
 * The built-in assistant through the real handler. Tests its settings, and its replies to questions that it cannot
 * answer.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readReply } from '../../supabase/functions/ai-chat/event-stream.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
  await site.service
    .from('services')
    .insert({ title: 'Lamps', slug: 'lamps', short_description: 'We build lamps', pricing: '900', status: 'published' })
    .throwOnError();
});
afterAll(() => site.close());

async function ask(question: string, conversationId?: string): Promise<string> {
  const response = await fetch(`${site.url}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer sb_publishable_signalfjord',
      ...(conversationId ? { 'x-conversation-id': conversationId } : {}),
    },
    body: JSON.stringify({ messages: [{ role: 'user', content: question }] }),
  });
  let text = '';
  for await (const piece of readReply(response.body as ReadableStream<Uint8Array>)) text += piece;
  return text;
}

/** Saves a setting. The content cache is refreshed shortly afterwards, so tests wait for the effect. */
async function save(setting_key: string, setting_value: string): Promise<void> {
  await site.service
    .from('site_settings')
    .upsert({ setting_key, setting_value }, { onConflict: 'setting_key' })
    .throwOnError();
}

test('The assistant replies in the language of the question if the site has it', async () => {
  await vi.waitFor(async () => expect(await ask('Hva koster det?')).toContain('**Lamps**: 900'), 120_000);
  expect(await ask('Hva koster det?')).toContain('Dette er publisert');
  expect(await ask('Was kostet das?')).toContain('so this answer is in English');
  await save('chat_languages', 'en');
  await vi.waitFor(async () => expect(await ask('Hva koster det?')).not.toContain('Dette er publisert'), 120_000);
  expect(await ask('Hva koster det?')).toContain('so this answer is in English');
});

test('The assistant offers contact with a person only if leads from the chat are enabled', async () => {
  const message = 'My address is ada@example.com';
  const reply = await ask(message);
  expect(reply).not.toContain('/contact#person');
  expect(reply).toContain('](/contact)');
  await save('leads_from_chat', 'on');
  await vi.waitFor(async () => {
    const reply = await ask(message);
    expect(reply).toContain('May a person contact you at ada@example.com?');
    expect(reply).toContain('](/contact#person)');
  }, 120_000);
});

test('Only a question without an answer in the published content is recorded for the admins', async () => {
  const { data } = await site.visitor.from('conversations').insert({}).select('id').single().throwOnError();
  const conversation = data?.id as string;
  await ask('What does it cost?', conversation);
  await ask('Is there a free trial?', conversation);
  const { data: recorded } = await site.service.from('unanswered_questions').select('reason').throwOnError();
  expect(recorded).toEqual([{ reason: 'nothing found' }]);
});

test('A post that is too old for the memory cache is still found', async () => {
  const day = (number: number) => new Date(Date.UTC(2024, 0, number)).toISOString();
  await site.service
    .from('posts')
    .insert(
      Array.from({ length: 105 }, (_, number) => ({
        title: number === 0 ? 'Walrus etiquette' : `Letter ${number}`,
        slug: `post-${number}`,
        excerpt: number === 0 ? 'How a walrus is greeted at sea.' : 'Nothing of the kind.',
        status: 'published',
        published_date: day(number + 1),
      })),
    )
    .throwOnError();
  await vi.waitFor(async () => expect(await ask('What is walrus etiquette?')).toContain('](/news/post-0)'), 120_000);
});
