/** The server records questions that the assistant cannot answer, with and without a language model. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeUpstream, reply, startFakeUpstream } from '../support/fake-upstream.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let upstream: FakeUpstream;
const sites: TestBackend[] = [];
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
afterAll(async () => {
  await Promise.all(sites.map((site) => site.close()));
  await upstream.close();
});

interface ChatSite {
  /** Asks in a new conversation, and stores the question unless `isStored` is false. @returns the recorded questions */
  ask(question: string, isStored?: boolean): Promise<unknown[]>;
}

async function startSite(environment: Record<string, string>): Promise<ChatSite> {
  const site = await startTestBackend(environment);
  sites.push(site);
  await site.service
    .from('services')
    .insert({ title: 'AI Chatbots', slug: 'chatbots', pricing: 'Fixed price per assistant', status: 'published' })
    .throwOnError();
  const { client: admin } = await site.signedIn('admin');
  return {
    async ask(question, isStored = true) {
      const { data } = await site.visitor.from('conversations').insert({}).select('id').single().throwOnError();
      const conversation: string = data?.id;
      const response = await fetch(`${site.url}/functions/v1/ai-chat`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: 'Bearer sb_publishable_signalfjord',
          'x-conversation-id': conversation,
        },
        body: JSON.stringify({ messages: [{ role: 'user', content: question }] }),
      });
      await response.text();
      if (isStored) {
        await site.visitor
          .from('chat_messages')
          .insert({ conversation_id: conversation, role: 'user', content: question })
          .setHeader('x-conversation-id', conversation)
          .throwOnError();
      }
      return listQuestions(admin, conversation);
    },
  };
}

async function listQuestions(admin: SupabaseClient, conversation: string): Promise<unknown[]> {
  const { data } = await admin.rpc('list_unanswered_questions').throwOnError();
  return data
    .filter((row: { conversation_id: string }) => row.conversation_id === conversation)
    .map(({ question, reason }: { question: string; reason: string }) => [question, reason]);
}

describe('The built-in assistant', () => {
  let site: ChatSite;
  beforeAll(async () => {
    site = await startSite({});
  });

  test('records a question without an answer in the published content', async () => {
    expect(await site.ask('Do you breed zebras?')).toEqual([['Do you breed zebras?', 'nothing found']]);
    expect(await site.ask('Can we cancel at any time?')).toEqual([['Can we cancel at any time?', 'nothing found']]);
  });

  test.each(['What does an AI chatbot cost?', 'Hello', 'Thank you!', 'Are you a human?'])(
    'does not record %j, which it can answer',
    async (question) => {
      expect(await site.ask(question)).toEqual([]);
    },
  );

  test('does not list a question that was never stored', async () => {
    expect(await site.ask('Do you breed giraffes?', false)).toEqual([]);
  });
});

describe('Questions to a language model', () => {
  let site: ChatSite;
  beforeAll(async () => {
    site = await startSite({ AI_BASE_URL: upstream.url, AI_MODEL: 'test-model' });
  });

  test('are recorded if no published content matches them, regardless of the reply', async () => {
    upstream.behave(reply('I do not know that.'));
    expect(await site.ask('Do you breed zebras?')).toEqual([['Do you breed zebras?', 'nothing found']]);
  });

  test('are recorded if the guard withholds the reply', async () => {
    upstream.behave(reply('An AI chatbot costs exactly 12,345 NOK.'));
    const question = 'What does an AI chatbot cost?';
    expect(await site.ask(question)).toEqual([[question, 'kept back']]);
  });

  test('are not recorded if the model answers them', async () => {
    upstream.behave(reply('We build AI Chatbots.'));
    expect(await site.ask('What AI chatbots do you build?')).toEqual([]);
  });
});
