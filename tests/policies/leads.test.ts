/** Access to leads and subscribers, and to the webhook's log and secret. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capitalizedRoles } from '../support/role-labels.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let lead: string;
beforeAll(async () => {
  site = await startTestBackend();
  await enableSettings('keep_contact_messages', 'leads_from_chat', 'newsletter_signup');
  lead = await newLead();
});
afterAll(() => site.close());

function query(sql: string, parameters: string[] = []) {
  return site.backend.database.query(sql, parameters);
}

async function saveSetting(setting_key: string, setting_value: string): Promise<void> {
  await site.service
    .from('site_settings')
    .upsert({ setting_key, setting_value }, { onConflict: 'setting_key' })
    .throwOnError();
}

async function enableSettings(...keys: string[]): Promise<void> {
  for (const key of keys) await saveSetting(key, 'on');
}

async function newLead(values: object = {}): Promise<string> {
  const row = { source: 'contact', name: 'Kari', email: 'kari@example.com', message: 'Hello', ...values };
  const { data } = await site.service.from('leads').insert(row).select('id').single().throwOnError();
  return data.id;
}

async function readLeads(email: string): Promise<unknown[]> {
  return (await site.service.from('leads').select().eq('email', email).throwOnError()).data;
}

async function newChat(client: SupabaseClient, ...texts: string[]): Promise<string> {
  const { data } = await client.from('conversations').insert({}).select('id').single().throwOnError();
  for (const content of texts) {
    await client
      .from('chat_messages')
      .insert({ conversation_id: data.id, role: 'user', content })
      .setHeader('x-conversation-id', data.id)
      .throwOnError();
  }
  return data.id;
}

function getClient(role: Person | 'visitor'): Promise<SupabaseClient> | SupabaseClient {
  return role === 'visitor' ? site.visitor : site.signedIn(role).then(({ client }) => client);
}

describe.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client']))('%s', (_label, role) => {
  let client: SupabaseClient;
  beforeAll(async () => {
    client = await getClient(role);
  });

  test('cannot read, write or delete leads', async () => {
    expect((await client.from('leads').select()).data ?? []).toEqual([]);
    const row = { source: 'transcript', email: 'forged@example.com' };
    expect((await client.from('leads').insert(row)).error?.code).toBe('42501');
    await client.from('leads').update({ status: 'lost' }).eq('id', lead);
    await client.from('leads').delete().eq('id', lead);
    expect((await site.service.from('leads').select('status').eq('id', lead)).data).toEqual([{ status: 'new' }]);
    expect(await readLeads('forged@example.com')).toEqual([]);
  });

  test('can create a lead with the function', async () => {
    const _email = `${role}@example.com`;
    const message = { _source: 'contact', _email, _name: 'Kari', _message: 'Hello', _page: '/contact' };
    expect((await client.rpc('submit_lead', message)).error).toBeNull();
    expect(await readLeads(_email)).toMatchObject([{ source: 'contact', status: 'new', note: '', owner_id: null }]);
  });
});

describe.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team']))('%s', (_label, role) => {
  test('cannot access subscribers, their export, or the log, secret and test of the webhook', async () => {
    const client = await getClient(role);
    await site.service.from('newsletter_subscribers').upsert({ email: 'a@example.com' }).throwOnError();
    for (const table of ['newsletter_subscribers', 'lead_webhook_deliveries']) {
      expect((await client.from(table).select('id')).data ?? []).toEqual([]);
    }
    await client.from('newsletter_subscribers').delete().eq('email', 'a@example.com');
    const functions = [
      'export_newsletter',
      'lead_webhook_secret',
      'renew_lead_webhook_secret',
      'send_test_webhook',
      'count_leads_of',
    ];
    for (const name of functions) {
      const parameters = name === 'count_leads_of' ? { _user_id: crypto.randomUUID() } : {};
      expect({ name, code: (await client.rpc(name, parameters)).error?.code }).toEqual({ name, code: '42501' });
    }
    const remaining = await site.service.from('newsletter_subscribers').select('email');
    expect(remaining.data).toContainEqual({ email: 'a@example.com' });
    await site.service.from('newsletter_subscribers').delete().eq('email', 'a@example.com').throwOnError();
  });
});

describe('A team member', () => {
  test('can read leads and change only their status, note and owner', async () => {
    const { client, id } = await site.signedIn('team');
    const newId = await newLead();
    expect((await client.from('leads').select('email').eq('id', newId)).data).toEqual([{ email: 'kari@example.com' }]);
    const change = { status: 'contacted', note: 'Called', owner_id: id };
    expect((await client.from('leads').update(change).eq('id', newId)).error).toBeNull();
    expect((await site.service.from('leads').select().eq('id', newId).single()).data).toMatchObject(change);
    const changes: object[] = [{ email: 'x@example.com' }, { name: 'X' }, { message: 'X' }, { source: 'booking' }];
    for (const values of changes) {
      expect((await client.from('leads').update(values).eq('id', newId)).error?.code).toBe('42501');
    }
    await client.from('leads').delete().eq('id', newId);
    const insert = await client.from('leads').insert({ source: 'transcript', email: 'x@example.com' });
    expect(insert.error?.code).toBe('42501');
    expect((await site.service.from('leads').select('id').eq('id', newId)).data).toHaveLength(1);
  });

  test('can search leads by any text, ignoring case', async () => {
    const { client } = await site.signedIn('team');
    const id = await newLead({ name: 'Åse Ødegård', phone: '+47 99', message: 'About 50% of ÆRLIG' });
    for (const searchText of ['åse ødegård', 'kari@example', '+47 9', '50\\% of ærlig']) {
      const { data } = await client.from('leads').select('id').like('search_text', `%${searchText}%`).throwOnError();
      expect(data).toContainEqual({ id });
    }
  });

  test('can list possible owners of leads, which never include clients or users without a role', async () => {
    const { client, id } = await site.signedIn('team');
    const admin = await site.signedIn('admin');
    const { data } = await client.rpc('lead_owners').throwOnError();
    expect(data.map((owner: { id: string }) => owner.id)).toEqual(expect.arrayContaining([id, admin.id]));
    for (const role of ['client', 'stranger', 'pending'] as const) {
      const user = await site.signedIn(role);
      const response = await client.from('leads').update({ owner_id: user.id }).eq('id', lead);
      expect(response.error?.message).toBe('Only admins and team members can own a lead.');
      expect((await user.client.rpc('lead_owners')).error?.code).toBe('42501');
    }
    expect((await site.visitor.rpc('lead_owners')).error?.code).toBe('42501');
  });
});

describe('An admin', () => {
  test('can read, change and delete leads, and create them only from transcripts', async () => {
    const { client } = await site.signedIn('admin');
    const newId = await newLead();
    const chat = await newChat(site.visitor, 'I am ola@example.com');
    const transcriptLead = { source: 'transcript', email: 'ola@example.com', conversation_id: chat };
    expect((await client.from('leads').insert(transcriptLead)).error).toBeNull();
    const forged = { ...transcriptLead, source: 'assistant' };
    expect((await client.from('leads').insert(forged)).error?.code).toBe('42501');
    expect((await client.from('leads').update({ status: 'won' }).eq('id', newId).select('status')).data).toEqual([
      { status: 'won' },
    ]);
    expect((await client.from('leads').delete().eq('id', newId).select('id')).data).toEqual([{ id: newId }]);
  });

  test('can test the webhook after its URL is saved, read its log and renew its secret', async () => {
    const { client } = await site.signedIn('admin');
    expect((await client.rpc('send_test_webhook')).error?.message).toBe('Save the webhook URL first.');
    await saveSetting('lead_webhook_url', 'https://hooks.example.invalid/leads');
    expect((await client.rpc('send_test_webhook')).error).toBeNull();
    expect((await client.from('lead_webhook_deliveries').select('lead_id')).data).toEqual([{ lead_id: null }]);
    await saveSetting('lead_webhook_url', '');
    const first = await client.rpc('lead_webhook_secret').throwOnError();
    expect(first.data).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const second = await client.rpc('renew_lead_webhook_secret').throwOnError();
    expect(second.data).not.toBe(first.data);
    expect((await client.rpc('lead_webhook_secret')).data).toBe(second.data);
  });

  test.each(['http://hooks.example.com/', 'https://', 'javascript:alert(1)', 'https://a b'])(
    'cannot save %s as the webhook URL',
    async (setting_value) => {
      const { client } = await site.signedIn('admin');
      const row = { setting_key: 'lead_webhook_url', setting_value };
      const { error } = await client.from('site_settings').upsert(row, { onConflict: 'setting_key' });
      expect(error?.message).toBe('The webhook URL must start with https://');
    },
  );
});

describe('A lead from a chat', () => {
  const input = { _source: 'assistant', _email: 'kari@example.com', _phone: '+47 22 00 00 00', _call_time: 'after 14' };
  const submit = (chat: string, values: object = {}) =>
    site.visitor.rpc('submit_lead', { ...input, ...values }).setHeader('x-conversation-id', chat);
  const readLeadsOfChat = async (chat: string) =>
    (await site.service.from('leads').select().eq('conversation_id', chat).throwOnError()).data;

  test("is stored once for the visitor's conversation, even with concurrent requests", async () => {
    const chat = await newChat(site.visitor, 'Hello', 'Send a proposal');
    const hasLead = () => site.visitor.rpc('has_chat_lead').setHeader('x-conversation-id', chat);
    expect((await hasLead()).data).toBe(false);
    const responses = await Promise.all([1, 2, 3, 4].map(() => submit(chat)));
    expect(responses.map(({ error }) => error)).toEqual([null, null, null, null]);
    expect(await readLeadsOfChat(chat)).toMatchObject([
      {
        source: 'assistant',
        message: 'Send a proposal',
        email: 'kari@example.com',
        phone: '+47 22 00 00 00',
        call_time: 'after 14',
      },
    ]);
    expect((await hasLead()).data).toBe(true);
  });

  test('cannot be created or detected by a visitor without the ID of the conversation', async () => {
    const [chat, ownChat] = [await newChat(site.visitor, 'Hello'), await newChat(site.visitor, 'Hi')];
    for (const unknownId of ['', 'nonsense', crypto.randomUUID(), `${chat}'--`]) {
      expect((await submit(unknownId)).error?.message).toBe(
        'This conversation no longer exists. Please send us an email instead.',
      );
    }
    expect((await submit(ownChat)).error).toBeNull();
    expect(await readLeadsOfChat(chat)).toEqual([]);
    expect(await readLeadsOfChat(ownChat)).toHaveLength(1);
    const response = await site.visitor.rpc('submit_lead', { ...input, conversation_id: chat });
    expect(response.error?.code).toBe('PGRST202');
    expect((await site.visitor.rpc('has_chat_lead')).data).toBe(false);
  });

  test('is rejected for a conversation without messages', async () => {
    expect((await submit(await newChat(site.visitor))).error?.message).toContain('This conversation no longer exists.');
  });

  test.each([
    [{ _email: 'kari@' }, 'Invalid email address'],
    [{ _email: 'kari@example.com\r\nBcc: all@example.com' }, 'Invalid email address'],
    [{ _email: 'a@example.com,b@example.com' }, 'Invalid email address'],
    [{ _email: null }, 'Invalid email address'],
    [{ _phone: 'call me' }, 'Enter a valid phone number, such as +47 22 00 00 00.'],
    [{ _message: 'a'.repeat(1001) }, 'Message must be less than 1000 characters'],
    [{ _source: 'booking' }, 'The contact form is disabled. Please send us an email instead.'],
    [{ _source: 'contact', _name: '  ' }, 'Name and message are required'],
  ])('with %j is rejected with a message', async (values, message) => {
    const chat = await newChat(site.visitor, 'Hello');
    expect((await submit(chat, values)).error?.message).toBe(message);
    expect(await readLeadsOfChat(chat)).toEqual([]);
  });

  test('is silently discarded if the hidden field is filled in', async () => {
    const chat = await newChat(site.visitor, 'Hello');
    expect((await submit(chat, { _website: 'https://spam.example' })).error).toBeNull();
    expect(await readLeadsOfChat(chat)).toEqual([]);
    expect((await submit(chat)).error).toBeNull();
    expect(await readLeadsOfChat(chat)).toHaveLength(1);
  });

  test('has spaces instead of line breaks in the name', async () => {
    const chat = await newChat(site.visitor, 'Hello');
    expect((await submit(chat, { _name: 'Kari\r\nBcc: all@example.com' })).error).toBeNull();
    expect(await readLeadsOfChat(chat)).toMatchObject([{ name: 'Kari Bcc: all@example.com' }]);
  });
});

test('Leads and subscriptions are rejected while the features are off', async () => {
  for (const key of ['keep_contact_messages', 'leads_from_chat', 'newsletter_signup']) await saveSetting(key, 'off');
  const chat = await newChat(site.visitor, 'Hello');
  for (const _source of ['contact', 'assistant']) {
    const { error } = await site.visitor
      .rpc('submit_lead', { _source, _email: 'off@example.com', _name: 'Kari', _message: 'Hello' })
      .setHeader('x-conversation-id', chat);
    expect(error?.message).toBe('The contact form is disabled. Please send us an email instead.');
  }
  const { error } = await site.visitor.rpc('subscribe_to_newsletter', { _email: 'off@example.com' });
  expect(error?.message).toBe('The newsletter is currently disabled.');
  expect(await readLeads('off@example.com')).toEqual([]);
  await enableSettings('keep_contact_messages', 'leads_from_chat', 'newsletter_signup');
});

describe('The personal data of a lead', () => {
  /**
   * Creates a client user with a lead. A sign-in by mail verifies the address, so the user's data includes its leads and
   * chats. A sign-in by password does not.
   */
  async function addClientWithLead(method: 'magiclink' | 'password') {
    const user = await site.signedIn('client');
    await query(
      `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
       select gen_random_uuid(), id, now(), now(), $2 from auth.sessions where user_id = $1`,
      [user.id, method],
    );
    await newLead({ email: user.email.toUpperCase() });
    await site.service.from('newsletter_subscribers').insert({ email: user.email }).throwOnError();
    return user;
  }
  const readStoredRecords = async (email: string) => [
    ...(await readLeads(email.toUpperCase())),
    ...(await site.service.from('newsletter_subscribers').select('email').eq('email', email).throwOnError()).data,
  ];

  test('is exported and deleted with the account of a user with a verified address', async () => {
    const user = await addClientWithLead('magiclink');
    const { data } = await user.client.rpc('my_data').throwOnError();
    expect(data).toMatchObject({ leads: [{ message: 'Hello' }], newsletter: [{ email: user.email }] });
    expect(data).toHaveProperty('passkeys');
    await user.client.rpc('delete_my_account').throwOnError();
    expect(await readStoredRecords(user.email)).toEqual([]);
  });

  test('is neither exported nor deleted with the account of a user with an unverified address', async () => {
    const user = await addClientWithLead('password');
    expect((await user.client.rpc('my_data').throwOnError()).data).toMatchObject({ leads: null, newsletter: null });
    await user.client.rpc('delete_my_account').throwOnError();
    expect(await readStoredRecords(user.email)).toHaveLength(2);
  });

  test('can be exported and deleted by an admin, with the leads of their chats', async () => {
    const [admin, user] = [await site.signedIn('admin'), await addClientWithLead('password')];
    const chat = await newChat(site.visitor, `I am ${user.email}`);
    const chatLead = await newLead({ source: 'assistant', email: 'other@example.com', conversation_id: chat });
    expect((await admin.client.rpc('count_leads_of', { _user_id: user.id })).data).toBe(1);
    const { data } = await admin.client.rpc('export_person', { _user_id: user.id }).throwOnError();
    expect(data).toMatchObject({ leads: [{}], newsletter: [{}], chats: [{ id: chat }] });
    await admin.client.rpc('delete_person', { _user_id: user.id }).throwOnError();
    expect(await readStoredRecords(user.email)).toEqual([]);
    expect((await site.service.from('leads').select('id').eq('id', chatLead)).data).toEqual([]);
  });

  test('is deleted after the retention period, counted from the last change', async () => {
    const [oldId, changedId] = [await newLead(), await newLead()];
    await query(`alter table public.leads disable trigger touch_updated_at`);
    await query(`update public.leads set updated_at = now() - interval '366 days' where id in ($1, $2)`, [
      oldId,
      changedId,
    ]);
    await query(`alter table public.leads enable trigger touch_updated_at`);
    await site.service.from('leads').update({ status: 'won' }).eq('id', changedId).throwOnError();
    await site.service
      .from('newsletter_subscribers')
      .insert([
        { email: 'late@example.com', requested_at: '2020-01-01' },
        { email: 'in@example.com', requested_at: '2020-01-01', confirmed_at: '2020-01-02' },
      ])
      .throwOnError();
    await query('select private.delete_expired_conversations()');
    const remaining = await site.service.from('leads').select('id').in('id', [oldId, changedId]);
    expect(remaining.data).toEqual([{ id: changedId }]);
    const { data } = await site.service
      .from('newsletter_subscribers')
      .select('email')
      .in('email', ['late@example.com', 'in@example.com']);
    expect(data).toEqual([{ email: 'in@example.com' }]);
  });
});
