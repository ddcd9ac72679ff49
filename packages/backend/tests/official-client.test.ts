/** All services together, used through the official client by an application with one migration. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../src/config.ts';
import { createBackend } from '../src/create-backend.ts';
import { OperatorError } from '../src/database/operator-error.ts';
import { newClient } from './support/factors.ts';
import { nextMail } from './support/received-mails.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';
import { openEmptyDatabase } from './support/test-database.ts';

const MIGRATION = `
create table public.tasks (
  id bigint generated always as identity primary key,
  owner_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  title text not null
);
grant select, insert, update, delete on table public.tasks to anon, authenticated, service_role;
alter table public.tasks enable row level security;
create policy "People read and write their own tasks" on public.tasks
  using (owner_id = auth.uid()) with check (owner_id = auth.uid());
insert into storage.buckets (id, name, public) values ('avatars', 'avatars', false);
create policy "People read and write files in their own folder" on storage.objects
  using (bucket_id = 'avatars' and (storage.foldername(name))[1] = auth.uid()::text)
  with check (bucket_id = 'avatars' and (storage.foldername(name))[1] = auth.uid()::text);
`;
const PASSWORD = 'Correct-horse-7';

let migrationsFolder: string;
let api: TestBackend;
beforeAll(async () => {
  migrationsFolder = await mkdtemp(join(tmpdir(), 'signalfjord-migrations-'));
  await writeFile(join(migrationsFolder, '20260101000000_create_tasks.sql'), MIGRATION);
  api = await startTestBackend(
    {},
    {
      migrationsFolder,
      openFunctions: () => ({
        byName: {
          greet: { requiresKey: true, handle: async (request) => Response.json(await request.json()) },
        },
      }),
    },
  );
});
afterAll(async () => {
  await api.close();
  await rm(migrationsFolder, { recursive: true });
});

async function signIn() {
  const client = newClient(api.url);
  const email = `${crypto.randomUUID()}@example.com`;
  const signUp = await client.auth.signUp({ email, password: PASSWORD });
  expect(signUp.error).toBeNull();
  const { data, error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  expect(error).toBeNull();
  return { client, email, id: data.user?.id ?? '' };
}

test('A user can read and write only their own rows', async () => {
  const [ada, bob] = [await signIn(), await signIn()];
  const { data: task } = await ada.client.from('tasks').insert({ title: 'Mow the lawn' }).select().single();
  expect(task).toMatchObject({ owner_id: ada.id, title: 'Mow the lawn' });
  expect((await ada.client.from('tasks').update({ title: 'Rest' }).eq('id', task.id).select('title')).data).toEqual([
    { title: 'Rest' },
  ]);
  expect((await bob.client.from('tasks').select()).data).toEqual([]);
  const forged = await bob.client.from('tasks').insert({ title: 'Forged', owner_id: ada.id });
  expect(forged.error).toMatchObject({ code: '42501' });
  expect((await api.visitor.from('tasks').select()).data).toEqual([]);
  expect((await api.service.from('tasks').select('title')).data).toEqual([{ title: 'Rest' }]);
});

test('A user can upload and download files only in their own folder', async () => {
  const [ada, bob] = [await signIn(), await signIn()];
  const path = `${ada.id}/notes.txt`;
  const upload = await ada.client.storage.from('avatars').upload(path, new Blob(['Hello'], { type: 'text/plain' }));
  expect(upload.error).toBeNull();
  const { data: file } = await ada.client.storage.from('avatars').download(path);
  expect(await file?.text()).toBe('Hello');
  expect((await bob.client.storage.from('avatars').download(path)).data).toBeNull();
  const forged = await bob.client.storage.from('avatars').upload(`${ada.id}/forged.txt`, new Blob(['No']));
  expect(forged.error).not.toBeNull();
});

test('A function can be called only with a valid key', async () => {
  const { data } = await api.visitor.functions.invoke('greet', { body: { name: 'Ada' } });
  expect(data).toEqual({ name: 'Ada' });
  const headers = { authorization: 'Bearer forged', apikey: 'forged' };
  expect((await fetch(`${api.url}/functions/v1/greet`, { method: 'POST', headers, body: '{}' })).status).toBe(401);
  expect((await fetch(`${api.url}/functions/v1/other`, { method: 'POST' })).status).toBe(404);
});

test('The link in a default mail signs the user in', async () => {
  const { client, email } = await signIn();
  expect((await client.auth.resetPasswordForEmail(email)).error).toBeNull();
  const { subject, text, code } = await nextMail(api.dataFolder, email);
  expect(subject).toBe('Reset your password');
  const link = /^http\S+$/m.exec(text)?.[0] ?? '';
  const { status, headers } = await fetch(link, { redirect: 'manual' });
  expect(status).toBe(303);
  expect(headers.get('location')).toContain('access_token=');
  // Opening the link has also redeemed the code.
  expect((await newClient(api.url).auth.verifyOtp({ email, token: code, type: 'recovery' })).error).not.toBeNull();
  await newClient(api.url).auth.signInWithOtp({ email });
  const second = await nextMail(api.dataFolder, email, 2);
  const verification = await newClient(api.url).auth.verifyOtp({ email, token: second.code, type: 'email' });
  expect(verification.data.user).toMatchObject({ email });
});

test('A backend without verifyCaptcha does not start if a captcha provider is set', async () => {
  const database = await openEmptyDatabase();
  const config = parseConfig({ CAPTCHA_PROVIDER: 'turnstile', CAPTCHA_SECRET: 'secret' });
  await expect(createBackend(config, { migrationsFolder }, { database })).rejects.toThrow(OperatorError);
  await database.close();
});
