/**
 * Visitors who fill the disk through the chat's tables, with rate limits enabled. Each attack has an allowed
 * counterpart.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeEach(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on' });
});
afterEach(() => site.close());

interface ApiResponse {
  status: number;
  message: string | undefined;
  body: unknown;
}

/** Sends a visitor's request as if through a proxy on this machine. */
async function sendWrite(
  from: string,
  method: 'POST' | 'PATCH',
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const response = await fetch(`${site.url}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: PUBLISHABLE_KEY,
      'content-type': 'application/json',
      'x-forwarded-for': from,
      prefer: 'return=representation',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const json = (await response.json()) as { message?: string };
  return { status: response.status, message: json.message, body: json };
}

const startConversation = (from: string, headers: Record<string, string> = {}) =>
  sendWrite(from, 'POST', 'conversations', {}, headers);

async function newConversation(from: string): Promise<string> {
  const { body } = await startConversation(from);
  return (body as { id: string }[])[0]?.id ?? '';
}

function sendMessage(from: string, id: string, content: string | string[], role = 'user'): Promise<ApiResponse> {
  const row = (text: string) => ({ conversation_id: id, role, content: text });
  const body = Array.isArray(content) ? content.map(row) : row(content);
  return sendWrite(from, 'POST', 'chat_messages', body, { 'x-conversation-id': id });
}

async function repeat(count: number, request: (index: number) => Promise<ApiResponse>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push((await request(index)).status);
  return statuses;
}

const createdStatuses = (count: number) => Array<number>(count).fill(201);

describe('Conversations', () => {
  test('can be started ten times an hour per IP address', async () => {
    expect(await repeat(11, () => startConversation('192.0.2.1'))).toEqual([...createdStatuses(10), 429]);
    expect((await startConversation('192.0.2.1')).message).toBe(
      'You have started many conversations. Try again in an hour, or book a meeting to talk to a person.',
    );
    expect((await startConversation('192.0.2.2')).status).toBe(201);
  });

  test('cannot exceed the limit with headers that claim another IP address', async () => {
    const claims = (index: number) => ({
      'x-forwarded-for': `198.51.100.${index}, 192.0.2.1`,
      'cf-connecting-ip': `198.51.100.${index}`,
      'x-real-ip': `198.51.100.${index}`,
      'request.address': 'none',
    });
    expect(await repeat(11, (index) => startConversation('192.0.2.1', claims(index)))).toEqual([
      ...createdStatuses(10),
      429,
    ]);
  });

  test('are limited per IPv6 /64, the size of a customer network, and per /48', async () => {
    expect(await repeat(11, (index) => startConversation(`2001:db8:0:1::${index + 1}`))).toEqual([
      ...createdStatuses(10),
      429,
    ]);
    // 10 of the 40 conversations that this /48 can start are used.
    expect(await repeat(31, (index) => startConversation(`2001:db8:0:${index + 2}::1`))).toEqual([
      ...createdStatuses(30),
      429,
    ]);
    expect((await startConversation('2001:db8:1:1::1')).status).toBe(201);
  });

  test('can be started again an hour after the first conversation', async () => {
    await repeat(10, () => startConversation('192.0.2.1'));
    await site.backend.database.query(`update private.rate_limit_counters set expires_at = now()`);
    expect(await repeat(11, () => startConversation('192.0.2.1'))).toEqual([...createdStatuses(10), 429]);
  });

  test('are counted in the database for all processes, without storing the IP address', async () => {
    await startConversation('192.0.2.1');
    const { rows } = await site.backend.database.query<{ subject: string; count: number }>(
      'select subject, count from private.rate_limit_counters',
    );
    expect(rows).toEqual([{ subject: expect.stringMatching(/^[0-9a-f]{64}$/), count: 1 }]);
  });

  test('over the limit of the site are deleted, first the empty ones and then the oldest', async () => {
    const { database } = site.backend;
    await database.query(
      `insert into conversations (created_at, last_message_at, message_count, content_bytes)
       select now() - make_interval(mins => n), now() - make_interval(mins => n), n % 2, 100
       from generate_series(1, 10001) as n`,
    );
    const id = await newConversation('192.0.2.1');
    expect(id).not.toBe('');
    const { rows } = await database.query(
      `select count(*)::int as kept, sum(message_count)::int as said_something, bool_or(id = $1) as has_new
       from conversations`,
      [id],
    );
    expect(rows).toEqual([{ kept: 9902, said_something: 5001, has_new: true }]);
  });

  test('far over the limit are deleted in batches, so that no request waits for all of them', async () => {
    const { database } = site.backend;
    await database.query(
      `insert into conversations (last_message_at, message_count)
       select now() - make_interval(mins => n), 1 from generate_series(1, 12000) as n`,
    );
    await newConversation('192.0.2.1');
    const { rows } = await database.query('select count(*)::int as kept from conversations');
    expect(rows).toEqual([{ kept: 12_001 - 100 }]);
    // The caller's identity is looked up once, not for each of the twelve thousand rows.
    const lookups = await database.transaction(async (tx) => {
      await tx.query(`select set_config('track_functions', 'all', true)`);
      await tx.query('select private.delete_oldest_conversations()');
      const countLookups = `select calls from pg_stat_xact_user_functions where funcname = 'current_conversation_id'`;
      return (await tx.query<{ calls: string }>(countLookups)).rows;
    });
    expect(lookups.map(({ calls }) => Number(calls))).toEqual([1]);
  });

  test('beyond a total of 200 MB are deleted, oldest first', async () => {
    const { database } = site.backend;
    await database.query(
      `insert into conversations (last_message_at, message_count, content_bytes)
       select now() - make_interval(hours => n), 1, 200000 from generate_series(1, 1001) as n`,
    );
    const id = await newConversation('192.0.2.1');
    const { rows } = await database.query(
      'select sum(content_bytes)::int as bytes, bool_or(id = $1) as has_new from conversations',
      [id],
    );
    expect(rows).toEqual([{ bytes: 198_000_000, has_new: true }]);
  });
});

describe('Messages', () => {
  test('can be sent sixty times a minute per IP address, in any number of conversations', async () => {
    const ids = [await newConversation('192.0.2.1'), await newConversation('192.0.2.1')];
    const statuses = await repeat(61, (index) => sendMessage('192.0.2.1', ids[index % 2] ?? '', 'Hello'));
    expect(statuses).toEqual([...createdStatuses(60), 429]);
    expect((await sendMessage('192.0.2.1', ids[0] ?? '', 'Hello')).message).toBe(
      'Too many messages. Wait a minute, or book a meeting to talk to a person.',
    );
    expect((await sendMessage('192.0.2.2', ids[0] ?? '', 'Hello')).status).toBe(201);
  });

  test('can be inserted one at a time only', async () => {
    const id = await newConversation('192.0.2.1');
    expect(await sendMessage('192.0.2.1', id, ['One', 'Two'])).toMatchObject({
      status: 400,
      message: 'Only one message can be sent per request',
    });
    const { data } = await site.service.from('chat_messages').select().eq('conversation_id', id);
    expect(data).toEqual([]);
    expect((await sendMessage('192.0.2.1', id, ['One'])).status).toBe(201);
  });

  test('can fill a conversation up to 200 kB, in any encoding', async () => {
    const id = await newConversation('192.0.2.1');
    const long = '🫐'.repeat(16_000);
    expect(await repeat(4, () => sendMessage('192.0.2.1', id, long, 'assistant'))).toEqual([201, 201, 201, 400]);
    expect((await sendMessage('192.0.2.1', id, long, 'assistant')).message).toBe(
      'This conversation is full. Please start a new one.',
    );
    expect((await sendMessage('192.0.2.1', id, 'x'.repeat(4000))).status).toBe(201);
    expect((await sendMessage('192.0.2.1', await newConversation('192.0.2.1'), long, 'assistant')).status).toBe(201);
  });

  test('return the same error for a full and a missing conversation to visitors without its id', async () => {
    const id = await newConversation('192.0.2.1');
    await site.service.from('conversations').update({ message_count: 500 }).eq('id', id).throwOnError();
    const writeWithoutId = (target: string) =>
      sendWrite('192.0.2.2', 'POST', 'chat_messages', { conversation_id: target, role: 'user', content: 'Hi' });
    const [full, missing] = [await writeWithoutId(id), await writeWithoutId(crypto.randomUUID())];
    expect(full).toEqual(missing);
    expect(full.status).toBe(401);
  });

  test('do not count if they are rejected', async () => {
    const id = await newConversation('192.0.2.1');
    await repeat(70, () =>
      sendMessage('192.0.2.1', crypto.randomUUID(), 'Hello').then(() => sendMessage('192.0.2.1', id, '')),
    );
    expect((await sendMessage('192.0.2.1', id, 'Hello')).status).toBe(201);
  });
});

test('The time of the last message can be updated sixty times a minute', async () => {
  const id = await newConversation('192.0.2.1');
  const updateTime = () =>
    sendWrite(
      '192.0.2.1',
      'PATCH',
      `conversations?id=eq.${id}`,
      { last_message_at: 'now' },
      { 'x-conversation-id': id },
    );
  expect(await repeat(61, updateTime)).toEqual([...Array<number>(60).fill(200), 429]);
});

test('The secret key has no limits', async () => {
  const { data } = await site.service.from('conversations').insert(Array(20).fill({})).select('id').throwOnError();
  const rows = (data ?? []).map(({ id }) => ({ conversation_id: id, role: 'user', content: 'Imported' }));
  await site.service
    .from('chat_messages')
    .insert([...rows, ...rows, ...rows, ...rows])
    .throwOnError();
});
