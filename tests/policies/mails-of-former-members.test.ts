/** Queued emails about a client are not sent to a recipient who has lost access to the client. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, type TestClient } from '../support/clients.ts';
import { keepMailsQueued, startTestBackend, type TestBackend } from '../support/test-backend.ts';

type User = Awaited<ReturnType<TestBackend['signedIn']>>;

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;
let havn: TestClient;

beforeAll(async () => {
  site = await startTestBackend();
  await keepMailsQueued(site);
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, 'Fjell AS');
  havn = await newClient(site, admin, 'Havn AS');
});
afterAll(() => site.close());

const query = async <Row extends object>(sql: string, parameters: string[] = []) =>
  (await site.backend.database.query<Row>(sql, parameters)).rows;

/** Returns the variables with which a mail would be sent to that address, or null if it would not be sent. */
async function readMail(recipient: string, variables: object): Promise<object | null> {
  const sql = 'select private.readable_mail($1, $2) as variables';
  return (await query<{ variables: object | null }>(sql, [recipient, JSON.stringify(variables)]))[0]?.variables ?? null;
}

const createMail = ({ id }: TestClient) => ({ ClientId: id, Client: 'Client' });

async function newMember(): Promise<User> {
  const user = await site.signedIn('client');
  await site.service.from('client_members').insert({ client_id: fjell.id, user_id: user.id }).throwOnError();
  return user;
}

async function newWorker(): Promise<User> {
  const user = await site.signedIn('team');
  await admin.from('client_assignments').insert({ client_id: fjell.id, user_id: user.id }).throwOnError();
  return user;
}

const ban = (id: string) => site.service.auth.admin.updateUserById(id, { ban_duration: '1h' });
const unban = (id: string) => site.service.auth.admin.updateUserById(id, { ban_duration: 'none' });

test.each([
  { role: 'A member', add: newMember, table: 'client_members' },
  { role: 'A team member', add: newWorker, table: 'client_assignments' },
])('$role gets mails about their client until they are removed from it', async ({ add, table }) => {
  const user = await add();
  const mail = createMail(fjell);
  expect(await readMail(user.email.toUpperCase(), mail)).toEqual(mail);
  expect(await readMail(user.email, createMail(havn))).toBeNull();
  await site.service.from(table).delete().eq('user_id', user.id).throwOnError();
  expect(await readMail(user.email, mail)).toBeNull();
});

test('A banned person gets no mails about their client until the ban ends', async () => {
  const user = await newMember();
  const mail = createMail(fjell);
  await ban(user.id);
  expect(await readMail(user.email, mail)).toBeNull();
  await unban(user.id);
  expect(await readMail(user.email, mail)).toEqual(mail);
});

test('A person who changed their address gets no mails about their client at the former address', async () => {
  const user = await newMember();
  await site.service.auth.admin.updateUserById(user.id, { email: `new-${user.email}` });
  expect(await readMail(user.email, createMail(fjell))).toBeNull();
  expect(await readMail(`new-${user.email}`, createMail(fjell))).toEqual(createMail(fjell));
});

test('Admins get mails about all clients, and mails without a client are sent to anyone', async () => {
  const { email } = await site.signedIn('admin');
  expect(await readMail(email, createMail(havn))).toEqual(createMail(havn));
  for (const mail of [{ Email: 'a@example.com' }, { Items: [{ text: 'Title', path: '/' }] }]) {
    expect(await readMail('stranger@example.com', mail)).toEqual(mail);
  }
});

test('A mail about several clients omits those that the recipient was removed from', async () => {
  const user = await newMember();
  await site.service.from('client_members').insert({ client_id: havn.id, user_id: user.id }).throwOnError();
  const item = ({ id }: TestClient) => ({ text: 'Title', path: '/', client_id: id });
  const moreItem = { text: 'And 3 more', path: '/client-dashboard' };
  const mail = { Email: user.email, Items: [item(fjell), item(havn), moreItem] };
  expect(await readMail(user.email, mail)).toEqual(mail);
  const remove = ({ id }: TestClient) =>
    site.service.from('client_members').delete().match({ client_id: id, user_id: user.id }).throwOnError();
  await remove(fjell);
  expect(await readMail(user.email, mail)).toEqual({ ...mail, Items: [item(havn), moreItem] });
  await remove(havn);
  expect(await readMail(user.email, mail)).toBeNull();
});

test('Every mail that the database queues about a client contains the ID of the client', async () => {
  const text = { _client_id: fjell.id, _title: 'First mail', _text: 'Hello.' };
  const { data: id } = await fjell.worker.client.rpc('ask_for_approval', text).throwOnError();
  const decision = { _client_id: fjell.id, _approval_id: id, _number: 1, _verdict: 'yes' };
  await fjell.member.client.rpc('decide_approval', decision).throwOnError();
  await fjell.worker.client.rpc('add_client_lead', { _client_id: fjell.id, _name: 'Kari Moe' }).throwOnError();
  await query('select private.mail_team_about_alarm($1, $2)', [fjell.id, 'Text']);
  const mails = await query<{ template: string; client: string | null }>(
    `select distinct template, variables ->> 'ClientId' as client from private.mail_queue order by template`,
  );
  expect(mails).toEqual(
    ['approval_asked', 'approval_decided', 'client_alarm', 'client_lead'].map((template) => ({
      template,
      client: fjell.id,
    })),
  );
  // Functions that mail members or the team, with neither a ClientId nor a client_id in their mails.
  const withoutClientId = await query<{ name: string }>(
    `select proname as name from pg_proc
     where pronamespace in ('private'::regnamespace, 'public'::regnamespace) and prosrc ~ 'insert into private.mail_queue'
       and prosrc ~ 'client_id|public.clients' and prosrc !~ $$'ClientId'|'client_id'$$
     order by 1`,
  );
  // Invitations go to people who are not members yet.
  expect(withoutClientId).toEqual([{ name: 'mail_invitation' }]);
});
