/** Access to the assistant's unanswered questions and checks. */
import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capitalizedRoles } from '../support/role-labels.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
const FORBIDDEN = { error: { code: '42501' } };
const NO_QUESTIONS = { asked: 0, answered: 0, unanswered: 0 };
const CHECK = { question: 'Can we cancel?', must_name: ['thirty days'], must_not_name: [] };

let site: TestBackend;
let admin: SupabaseClient;
beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
});
afterAll(() => site.close());

async function getClient(role: Person | 'visitor'): Promise<SupabaseClient> {
  return role === 'visitor' ? site.visitor : (await site.signedIn(role)).client;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Creates a conversation with the questions as messages from the visitor. */
async function newConversation(...questions: string[]): Promise<string> {
  const { data } = await site.visitor.from('conversations').insert({}).select('id').single().throwOnError();
  for (const content of questions) {
    await site.visitor
      .from('chat_messages')
      .insert({ conversation_id: data.id, role: 'user', content })
      .setHeader('x-conversation-id', data.id)
      .throwOnError();
  }
  return data.id;
}

function recordQuestion(conversation: string, question: string, client = site.service) {
  return client.rpc('record_unanswered_question', {
    _conversation_id: conversation,
    _hash: hash(question),
    _reason: 'nothing found',
  });
}

async function listQuestions(): Promise<string[]> {
  const { data } = await admin.rpc('list_unanswered_questions').throwOnError();
  return data.map(({ question }: { question: string }) => question);
}

async function readStoredQuestions(conversation: string) {
  return (await site.service.from('unanswered_questions').select().eq('conversation_id', conversation)).data;
}

describe('Unanswered questions', () => {
  let conversation: string;
  let id: string;
  beforeAll(async () => {
    conversation = await newConversation('Do you know Bergen?');
    await recordQuestion(conversation, 'Do you know Bergen?').throwOnError();
    id = (await readStoredQuestions(conversation))?.[0].id;
  });

  describe.each(capitalizedRoles(OUTSIDERS))('%s', (_label, role) => {
    let client: SupabaseClient;
    beforeAll(async () => {
      client = await getClient(role);
    });

    test('cannot read questions, even with the ID of the conversation', async () => {
      const query = client.from('unanswered_questions').select().setHeader('x-conversation-id', conversation);
      expect((await query).data ?? []).toEqual([]);
      const list = await client.rpc('list_unanswered_questions');
      expect(list.data ?? []).toEqual([]);
      expect(list.error === null).toBe(role !== 'visitor');
    });

    test('cannot read asked questions or their counts', async () => {
      const list = await client.rpc('list_asked_questions');
      expect(list.data ?? []).toEqual([]);
      const counts = await client.rpc('count_asked_questions').maybeSingle();
      expect(counts.data ?? NO_QUESTIONS).toEqual(NO_QUESTIONS);
      for (const { error } of [list, counts]) expect(error === null).toBe(role !== 'visitor');
    });

    test('cannot record, change, dismiss or delete questions', async () => {
      expect(await recordQuestion(conversation, 'Forged?', client)).toMatchObject(FORBIDDEN);
      const row = { conversation_id: conversation, question_hash: hash('Forged?'), reason: 'kept back' };
      expect(await client.from('unanswered_questions').insert(row)).toMatchObject(FORBIDDEN);
      const change = client.from('unanswered_questions').update({ dismissed_at: '2026-01-01' }).eq('id', id);
      expect(await change).toMatchObject(FORBIDDEN);
      expect(await client.from('unanswered_questions').delete().eq('id', id)).toMatchObject(FORBIDDEN);
      const dismissal = { _ids: [id], _dismissed: true };
      expect(await client.rpc('dismiss_unanswered_questions', dismissal)).toMatchObject(FORBIDDEN);
      expect(await readStoredQuestions(conversation)).toMatchObject([{ id, dismissed_at: null }]);
    });
  });

  test('can be read, dismissed and reopened by admins, but not written', async () => {
    expect(await listQuestions()).toContain('Do you know Bergen?');
    expect((await admin.from('unanswered_questions').select('id').eq('id', id)).data).toEqual([{ id }]);
    await admin.rpc('dismiss_unanswered_questions', { _ids: [id], _dismissed: true }).throwOnError();
    expect(await listQuestions()).not.toContain('Do you know Bergen?');
    await admin.rpc('dismiss_unanswered_questions', { _ids: [id], _dismissed: false }).throwOnError();
    expect(await listQuestions()).toContain('Do you know Bergen?');
    expect(await recordQuestion(conversation, 'Forged?', admin)).toMatchObject(FORBIDDEN);
    expect(await admin.from('unanswered_questions').delete().eq('id', id)).toMatchObject(FORBIDDEN);
  });

  test('are listed with all asked questions and the sources of the answers', async () => {
    const question = 'What do the chatbots cost?';
    const conversationId = await newConversation(question);
    const reply =
      'From 900 NOK, or [ask a person](/contact#person).\n\nSources:\n\n- [A \\[quieter\\] inbox](/projects?case=inbox)\n- [Prices](/services)';
    const message = { conversation_id: conversationId, role: 'assistant', content: reply };
    await site.service.from('chat_messages').insert(message).throwOnError();
    const { data } = await admin.rpc('list_asked_questions', { _limit: 2 }).throwOnError();
    expect(data).toMatchObject([
      {
        question,
        reason: null,
        source_titles: ['A [quieter] inbox', 'Prices'],
        source_urls: ['/projects?case=inbox', '/services'],
      },
      { question: 'Do you know Bergen?', reason: 'nothing found', source_titles: [], source_urls: [] },
    ]);
    const options = { _before: data[0].asked_at, _limit: 1 };
    expect((await admin.rpc('list_asked_questions', options)).data).toEqual([data[1]]);
    expect((await admin.rpc('list_asked_questions', { _search: 'CHATBOTS' })).data).toEqual([data[0]]);
    const readCounts = async () => (await admin.rpc('count_asked_questions').single().throwOnError()).data;
    expect(await readCounts()).toEqual({ asked: 2, answered: 1, unanswered: 1 });
    // A reply without an answer can link to related pages, and a reply to thanks has no sources.
    const secondId = await newConversation('Do you know the tides?');
    const noAnswerReply = 'I do not know that. You may also find this useful: [Services](/services).';
    const addMessage = async (role: string, content: string) => {
      await site.service.from('chat_messages').insert({ conversation_id: secondId, role, content }).throwOnError();
    };
    await addMessage('assistant', noAnswerReply);
    await addMessage('user', 'Thank you');
    await addMessage('assistant', 'You are welcome.');
    await recordQuestion(secondId, 'Do you know the tides?').throwOnError();
    expect(await readCounts()).toEqual({ asked: 4, answered: 1, unanswered: 2 });
    await admin.from('conversations').delete().eq('id', secondId).throwOnError();
  });

  test('must match a message from the visitor in the conversation', async () => {
    const chatId = await newConversation('Asked');
    await site.visitor
      .from('chat_messages')
      .insert({ conversation_id: chatId, role: 'assistant', content: 'Said by the assistant' })
      .setHeader('x-conversation-id', chatId)
      .throwOnError();
    for (const text of ['Asked', 'Said by the assistant', 'Never stored'])
      await recordQuestion(chatId, text).throwOnError();
    const questions = await listQuestions();
    expect(questions).toContain('Asked');
    expect(questions).not.toContain('Said by the assistant');
    expect(questions).not.toContain('Never stored');
  });

  test('are stored once each, at most 20 for each conversation, and only if the conversation exists', async () => {
    const chatId = await newConversation();
    for (let index = 0; index < 25; index++) await recordQuestion(chatId, `Question ${index % 23}`).throwOnError();
    expect(await readStoredQuestions(chatId)).toHaveLength(20);
    const unknownConversation = crypto.randomUUID();
    await recordQuestion(unknownConversation, 'Into the void').throwOnError();
    expect(await readStoredQuestions(unknownConversation)).toEqual([]);
  });

  test('are deleted with their conversation', async () => {
    const chatId = await newConversation('Will this stay?');
    await recordQuestion(chatId, 'Will this stay?').throwOnError();
    await admin.from('conversations').delete().eq('id', chatId).throwOnError();
    expect(await readStoredQuestions(chatId)).toEqual([]);
    expect(await listQuestions()).not.toContain('Will this stay?');
  });
});

describe('Checks of the assistant', () => {
  let id: string;
  beforeAll(async () => {
    const { data } = await admin.from('assistant_checks').insert(CHECK).select('id').single().throwOnError();
    id = data.id;
  });

  const readStoredChecks = async () => (await site.service.from('assistant_checks').select().order('created_at')).data;

  describe.each(capitalizedRoles(OUTSIDERS))('%s', (_label, role) => {
    let client: SupabaseClient;
    beforeAll(async () => {
      client = await getClient(role);
    });

    test('cannot read checks', async () => {
      const { data, error } = await client.from('assistant_checks').select();
      expect(data ?? []).toEqual([]);
      expect(error === null).toBe(role !== 'visitor');
    });

    test('cannot write checks or results', async () => {
      const before = await readStoredChecks();
      expect(await client.from('assistant_checks').insert(CHECK)).toMatchObject(FORBIDDEN);
      await client.from('assistant_checks').update({ question: 'Changed' }).eq('id', id);
      expect(await client.from('assistant_checks').update({ passed: true }).eq('id', id)).toMatchObject(FORBIDDEN);
      await client.from('assistant_checks').delete().eq('id', id);
      const _results = [{ id, updated_at: before?.[0].updated_at, passed: true, answer: 'Forged' }];
      expect(await client.rpc('record_check_results', { _results })).toMatchObject(FORBIDDEN);
      expect(await readStoredChecks()).toEqual(before);
    });
  });

  test('can be written by admins, except for their results', async () => {
    const { data } = await admin.from('assistant_checks').insert(CHECK).select('id').single().throwOnError();
    const checkId = data?.id;
    const update = admin
      .from('assistant_checks')
      .update({ must_name: ['30 days'] })
      .eq('id', checkId);
    expect((await update.select('must_name')).data).toEqual([{ must_name: ['30 days'] }]);
    expect(await admin.from('assistant_checks').update({ passed: true }).eq('id', checkId)).toMatchObject(FORBIDDEN);
    expect(await admin.from('assistant_checks').insert({ ...CHECK, passed: true })).toMatchObject(FORBIDDEN);
    expect(await admin.rpc('record_check_results', { _results: [] })).toMatchObject(FORBIDDEN);
    expect((await admin.from('assistant_checks').delete().eq('id', checkId).select('id')).data).toEqual([
      { id: checkId },
    ]);
  });

  test('require a question and expected words within the length limits', async () => {
    for (const invalid of [
      { ...CHECK, question: '' },
      { ...CHECK, question: 'a'.repeat(1001) },
      { ...CHECK, must_name: [] },
      { ...CHECK, must_name: Array.from({ length: 21 }, () => 'a') },
      { ...CHECK, must_name: ['a'.repeat(10_001)] },
    ]) {
      expect((await admin.from('assistant_checks').insert(invalid)).error?.code).toBe('23514');
    }
  });

  test('lose their result when the question changes, and reject results for an earlier question', async () => {
    const { data: before } = await site.service.from('assistant_checks').select().eq('id', id).single();
    const results = (updated_at: string) => ({ _results: [{ id, updated_at, passed: true, answer: 'Thirty days' }] });
    await site.service.rpc('record_check_results', results(before.updated_at)).throwOnError();
    const { data: checkWithResult } = await admin.from('assistant_checks').select().eq('id', id).single();
    expect(checkWithResult).toMatchObject({ passed: true, answer: 'Thirty days', ran_at: expect.any(String) });
    await admin.from('assistant_checks').update({ question: 'May we cancel?' }).eq('id', id).throwOnError();
    await site.service.rpc('record_check_results', results(before.updated_at)).throwOnError();
    const { data: changedCheck } = await admin.from('assistant_checks').select().eq('id', id).single();
    expect(changedCheck).toMatchObject({ question: 'May we cancel?', passed: null, answer: '', ran_at: null });
  });
});
