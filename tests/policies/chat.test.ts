/**
 * Access to conversations. Admins can read and delete them. Anyone with the ID can read them and add messages, so the
 * ID is a random UUID that only the visitor's browser stores.
 */
import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capitalizedRoles } from '../support/role-labels.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let id: string;
beforeAll(async () => {
  site = await startTestBackend();
  id = await startConversation(site.visitor);
  await site.visitor
    .from('chat_messages')
    .insert({ conversation_id: id, role: 'user', content: 'My secret' })
    .setHeader('x-conversation-id', id)
    .throwOnError();
});
afterAll(() => site.close());

async function startConversation(client: SupabaseClient): Promise<string> {
  const { data } = await client.from('conversations').insert({}).select('id').single().throwOnError();
  return data.id;
}

function getClient(role: Person | 'visitor'): Promise<SupabaseClient> | SupabaseClient {
  return role === 'visitor' ? site.visitor : site.signedIn(role).then(({ client }) => client);
}

describe.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team']))('%s', (_label, role) => {
  let client: SupabaseClient;
  beforeAll(async () => {
    client = await getClient(role);
  });

  test('can start a conversation and receives its ID', async () => {
    expect(await startConversation(client)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('cannot list conversations without a valid conversation ID', async () => {
    for (const header of ['', crypto.randomUUID(), 'nonsense', `${id}'--`, '*']) {
      for (const table of ['conversations', 'chat_messages']) {
        const { data, error } = await client.from(table).select().setHeader('x-conversation-id', header);
        expect({ header, data, error }).toEqual({ header, data: [], error: null });
      }
    }
  });

  test('cannot search conversations by text', async () => {
    const { data, error } = await client.rpc('find_conversations', { _search: 'secret' });
    expect(data ?? []).toEqual([]);
    expect(error?.code).toBe(role === 'visitor' ? '42501' : undefined);
  });

  test('cannot read a conversation by filtering on its ID if the header is missing', async () => {
    expect((await client.from('conversations').select().eq('id', id)).data).toEqual([]);
    expect((await client.from('chat_messages').select().eq('conversation_id', id)).data).toEqual([]);
    const embedded = await client
      .from('conversations')
      .select('id, chat_messages(content)')
      .setHeader('x-conversation-id', await startConversation(client));
    expect(embedded.data?.flatMap(({ chat_messages }) => chat_messages)).toEqual([]);
  });

  test('reads only the conversation whose ID is in the header', async () => {
    const messages = await client.from('chat_messages').select('content').setHeader('x-conversation-id', id);
    expect(messages.data?.[0]).toEqual({ content: 'My secret' });
    const conversations = await client.from('conversations').select('id').setHeader('x-conversation-id', id);
    expect(conversations.data).toEqual([{ id }]);
  });

  test('can write to a conversation only with its ID', async () => {
    const message = { conversation_id: id, role: 'user', content: `From ${role}` };
    expect((await client.from('chat_messages').insert(message)).error?.code).toBe('42501');
    const otherId = await startConversation(client);
    const withOtherId = await client.from('chat_messages').insert(message).setHeader('x-conversation-id', otherId);
    expect(withOtherId.error?.code).toBe('42501');
    const withId = await client.from('chat_messages').insert(message).setHeader('x-conversation-id', id);
    expect(withId.error).toBeNull();
    const storedMessages = await site.service.from('chat_messages').select('id').eq('content', message.content);
    expect(storedMessages.data).toHaveLength(1);
  });

  test('can update last_message_at only with the ID, and only to the current time', async () => {
    const otherId = await startConversation(client);
    const updateTime = () =>
      client.from('conversations').update({ last_message_at: '1999-01-01' }, { count: 'exact' }).eq('id', otherId);
    expect((await updateTime()).count).toBe(0);
    expect((await updateTime().setHeader('x-conversation-id', otherId)).count).toBe(1);
    const { data } = await site.service.from('conversations').select('last_message_at').eq('id', otherId).single();
    expect(new Date(data?.last_message_at).getFullYear()).toBeGreaterThan(2020);
  });

  test('cannot change or delete messages or conversations, even with the ID', async () => {
    for (const table of ['chat_messages', 'conversations']) {
      const key = table === 'conversations' ? 'id' : 'conversation_id';
      await client.from(table).delete().eq(key, id).setHeader('x-conversation-id', id);
    }
    const response = await client
      .from('chat_messages')
      .update({ content: 'Forged' })
      .eq('conversation_id', id)
      .setHeader('x-conversation-id', id);
    expect(response.error?.code).toBe('42501');
    const { data } = await site.service.from('chat_messages').select('content').eq('conversation_id', id);
    expect(data).toContainEqual({ content: 'My secret' });
    expect(data).not.toContainEqual({ content: 'Forged' });
  });

  test('cannot set the ID, timestamps or message count', async () => {
    const rows: object[] = [{ id: crypto.randomUUID() }, { message_count: 0 }, { created_at: '1999-01-01' }];
    for (const row of rows) {
      expect((await client.from('conversations').insert(row)).error?.code).toBe('42501');
    }
    const forged = { conversation_id: id, role: 'user', content: 'Old', created_at: '1999-01-01' };
    const { error } = await client.from('chat_messages').insert(forged).setHeader('x-conversation-id', id);
    expect(error?.code).toBe('42501');
  });

  test('cannot call service-role functions or read private settings', async () => {
    await site.service
      .from('site_settings')
      .upsert(
        ['chat_instructions', 'chat_daily_cap', 'chat_retention_days', 'chat_allowed_origins'].map((setting_key) => ({
          setting_key,
          setting_value: '1000',
        })),
        { onConflict: 'setting_key' },
      )
      .throwOnError();
    const serviceRoleCalls: [string, object][] = [
      ['claim_chat_reply', { _address: '' }],
      ['release_chat_reply', { _address: '' }],
      ['record_chat_reply', { _conversation_id: id, _hashes: [] }],
    ];
    for (const [name, parameters] of serviceRoleCalls) {
      expect((await client.rpc(name, parameters)).error?.code).toBe('42501');
      expect((await site.service.rpc(name, parameters)).error).toBeNull();
    }
    const { data } = await client
      .from('site_settings')
      .select('setting_key')
      .like('setting_key', 'chat_%')
      .order('setting_key');
    // The privacy page shows how long chats are stored.
    expect(data).toEqual([{ setting_key: 'chat_allowed_origins' }, { setting_key: 'chat_retention_days' }]);
    const setDailyCap = (setting_value: string) =>
      site.service.from('site_settings').update({ setting_value }).eq('setting_key', 'chat_daily_cap').throwOnError();
    const readDailyCap = () => client.from('site_settings').select('setting_value').eq('setting_key', 'chat_daily_cap');
    // A cap of 0 is public, so that pages can hide the launcher.
    await setDailyCap('0');
    expect((await readDailyCap()).data).toEqual([{ setting_value: '0' }]);
    await setDailyCap('10');
    expect((await readDailyCap()).data).toEqual([]);
    expect((await client.from('chat_usage').select()).data ?? []).toEqual([]);
  });
});

describe('Stored replies of the assistant', () => {
  const REPLY = 'We build outreach.';
  const REPLY_HASH = createHash('sha256').update(REPLY).digest('hex');

  async function listForgedReplies(client: SupabaseClient, conversation: string): Promise<unknown[] | null> {
    return (await client.rpc('forged_chat_replies', { _conversation_id: conversation })).data;
  }

  async function readStoredReplies(): Promise<{ conversation: string; forged: string }> {
    const conversation = await startConversation(site.visitor);
    const contents = [REPLY, 'We promise you a discount of 90%.'];
    for (const content of contents) {
      await site.visitor
        .from('chat_messages')
        .insert({ conversation_id: conversation, role: 'assistant', content })
        .setHeader('x-conversation-id', conversation)
        .throwOnError();
    }
    await site.service
      .rpc('record_chat_reply', { _conversation_id: conversation, _hashes: [REPLY_HASH] })
      .throwOnError();
    const { data } = await site.service.from('chat_messages').select('id').eq('content', contents[1]).limit(1).single();
    return { conversation, forged: data?.id };
  }

  test('are listed as forged if the assistant did not write them, and only admins can read the list', async () => {
    const { conversation, forged } = await readStoredReplies();
    expect(await listForgedReplies((await site.signedIn('admin')).client, conversation)).toEqual([forged]);
    expect((await site.visitor.rpc('forged_chat_replies', { _conversation_id: conversation })).error?.code).toBe(
      '42501',
    );
    for (const role of ['stranger', 'pending', 'client', 'team'] as const) {
      expect(await listForgedReplies((await site.signedIn(role)).client, conversation)).toEqual([]);
    }
    await site.service.from('conversations').delete().eq('id', conversation).throwOnError();
    const { rows } = await site.backend.database.query('select from private.reply_hashes where conversation_id = $1', [
      conversation,
    ]);
    expect(rows).toEqual([]);
  });

  test('have at most 2,000 recorded hashes per conversation, and none if the conversation does not exist', async () => {
    const conversation = await startConversation(site.visitor);
    const hashes = Array.from({ length: 2001 }, (_, index) => index.toString(16).padStart(64, '0'));
    for (const _conversation_id of [conversation, crypto.randomUUID()]) {
      await site.service.rpc('record_chat_reply', { _conversation_id, _hashes: hashes }).throwOnError();
    }
    const { rows } = await site.backend.database.query('select from private.reply_hashes');
    expect(rows.length).toBeLessThanOrEqual(2001);
    expect(rows.length).toBeGreaterThanOrEqual(2000);
  });
});

test('An admin can read every conversation and delete it with its messages', async () => {
  const { client } = await site.signedIn('admin');
  const chatId = await startConversation(site.visitor);
  const message = { conversation_id: chatId, role: 'user', content: 'For the admin' };
  await site.visitor.from('chat_messages').insert(message).setHeader('x-conversation-id', chatId).throwOnError();
  expect((await client.from('chat_messages').select('content').eq('conversation_id', chatId)).data).toEqual([
    { content: 'For the admin' },
  ]);
  expect((await client.from('conversations').select('id').eq('id', chatId)).data).toEqual([{ id: chatId }]);
  await client.from('conversations').delete().eq('id', chatId).throwOnError();
  expect((await site.service.from('chat_messages').select().eq('conversation_id', chatId)).data).toEqual([]);
});

test('An admin can search conversations by text, with the latest first and in pages', async () => {
  const { client } = await site.signedIn('admin');
  const startWithMessages = async (...texts: string[]) => {
    const chatId = await startConversation(site.visitor);
    for (const content of texts) {
      const message = { conversation_id: chatId, role: 'user', content };
      await site.visitor.from('chat_messages').insert(message).setHeader('x-conversation-id', chatId).throwOnError();
    }
    return chatId;
  };
  const older = await startWithMessages('Hello', 'Is 50% of Harbour_1 yours?', 'And harbour_1 again?');
  const laterId = await startWithMessages('The HARBOUR_1, på Ærøy');
  const searchConversations = async (_search: string, page = {}) =>
    (await client.rpc('find_conversations', { _search, ...page }).throwOnError()).data;
  const expected = [
    { id: laterId, message_count: 1, excerpt: 'The HARBOUR_1, på Ærøy', total: 2 },
    { id: older, message_count: 3, excerpt: 'Is 50% of Harbour_1 yours?', total: 2 },
  ];
  expect(await searchConversations('harbour_1')).toMatchObject(expected);
  expect(await searchConversations('harbour_1', { _limit: 1 })).toMatchObject([expected[0]]);
  expect(await searchConversations('harbour_1', { _limit: 1, _offset: 1 })).toMatchObject([expected[1]]);
  expect(await searchConversations('på Ærøy')).toMatchObject([{ id: laterId, total: 1 }]);
  for (const search of ['harbour%1', 'harbourx1', 'harbour\\_1', '50_ of'])
    expect(await searchConversations(search)).toEqual([]);
});

test('One request can start only one conversation', async () => {
  const { error } = await site.visitor.from('conversations').insert([{}, {}]);
  expect(error?.code).toBe('P0001');
});

test('Messages are limited to known roles and 4,000 characters, and conversations to 500 messages', async () => {
  const chatId = await startConversation(site.visitor);
  const insertMessages = (rows: object | object[]) =>
    site.visitor.from('chat_messages').insert(rows).setHeader('x-conversation-id', chatId);
  const message = (content: string, role = 'user') => ({ conversation_id: chatId, role, content });
  expect((await insertMessages(message('x'.repeat(4001)))).error?.code).toBe('23514');
  expect((await insertMessages(message(''))).error?.code).toBe('23514');
  expect((await insertMessages(message('Hi', 'system'))).error?.code).toBe('23514');
  expect((await insertMessages(message('x'.repeat(4000)))).error).toBeNull();
  expect((await insertMessages(Array(2).fill(message('x')))).error?.message).toBe(
    'Only one message can be sent per request',
  );
  await site.service
    .from('chat_messages')
    .insert(Array(498).fill(message('x')))
    .throwOnError();
  expect((await insertMessages(message('The last'))).error).toBeNull();
  expect((await insertMessages(message('One more'))).error?.message).toBe(
    'This conversation is full. Please start a new one.',
  );
});

test('Conversations are deleted after the retention period, and empty ones after a day', async () => {
  const { database } = site.backend;
  const [recentId, expiredId, emptyId] = await Promise.all([1, 2, 3].map(() => startConversation(site.visitor)));
  const backdate = (conversation: string | undefined, days: number, messages: number) =>
    database.query(
      `update conversations set created_at = now() - make_interval(days => $2::int),
        last_message_at = now() - make_interval(days => $2::int), message_count = $3::int where id = $1`,
      [conversation, days, messages],
    );
  await site.service
    .from('site_settings')
    .upsert({ setting_key: 'chat_retention_days', setting_value: '30' }, { onConflict: 'setting_key' })
    .throwOnError();
  await backdate(recentId, 29, 1);
  await backdate(expiredId, 31, 1);
  await backdate(emptyId, 2, 0);
  await database.query('select private.delete_expired_conversations()');
  const { data } = await site.service.from('conversations').select('id').in('id', [recentId, expiredId, emptyId]);
  expect(data).toEqual([{ id: recentId }]);
});
