import { afterAll, beforeAll, expect, test } from 'vitest';
import { addIdentity, insertUser } from '../src/auth/users.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

async function readUser(id: string) {
  const { data, error } = await site.service.auth.admin.getUserById(id);
  if (error) throw error;
  return data.user;
}

test('An account can have a phone number instead of an email address', async () => {
  const { database } = site.backend;
  const { id } = await insertUser(database, {
    phone: '4790000001',
    isPhoneConfirmed: true,
    encryptedPassword: null,
    userMetadata: {},
  });
  const user = await readUser(id);
  expect(user).toMatchObject({ email: '', phone: '4790000001', phone_confirmed_at: expect.any(String) });
  expect(user).not.toHaveProperty('email_confirmed_at');
  expect(user.app_metadata).toEqual({ provider: 'phone', providers: ['phone'] });
  const claims = { sub: id, phone: '4790000001', email_verified: false, phone_verified: true };
  expect(user.user_metadata).toEqual({});
  expect(user.identities).toMatchObject([{ id, user_id: id, provider: 'phone', identity_data: claims }]);
  const duplicate = insertUser(database, { phone: '4790000001', encryptedPassword: null, userMetadata: {} });
  await expect(duplicate).rejects.toMatchObject({ code: '23505' });
});

test('An account can have an email address and a phone number, each with its own identity', async () => {
  const { id } = await insertUser(site.backend.database, {
    email: 'both@example.com',
    phone: '4790000002',
    isEmailConfirmed: true,
    encryptedPassword: null,
    userMetadata: { name: 'Ada' },
  });
  const user = await readUser(id);
  expect(user.app_metadata).toEqual({ provider: 'email', providers: ['email', 'phone'] });
  expect(user.identities?.map(({ provider }) => provider).sort()).toEqual(['email', 'phone']);
  expect(user.user_metadata).toEqual({ name: 'Ada' });
});

test('An anonymous account becomes permanent with its first identity, and more identities can be added', async () => {
  const { database } = site.backend;
  const { id } = await insertUser(database, {
    isAnonymous: true,
    encryptedPassword: null,
    identities: [],
    userMetadata: {},
  });
  expect(await readUser(id)).toMatchObject({ is_anonymous: true, email: '', app_metadata: {}, identities: [] });
  const data = { sub: 'g-1', email: 'ada@gmail.example' };
  await addIdentity(database, id, { provider: 'google', providerId: 'g-1', data });
  await addIdentity(database, id, { provider: 'github', providerId: '7', data: { sub: '7' } });
  const user = await readUser(id);
  expect(user).toMatchObject({
    is_anonymous: false,
    app_metadata: { provider: 'google', providers: ['google', 'github'] },
    identities: [
      { id: 'g-1', provider: 'google', identity_data: data },
      { id: '7', provider: 'github' },
    ],
  });
});

test('An identity cannot be moved to another account', async () => {
  const { database } = site.backend;
  const google = { provider: 'google', providerId: 'g-2', data: { sub: 'g-2' } };
  const account = { encryptedPassword: null, userMetadata: {}, identities: [google] };
  const first = await insertUser(database, { ...account, email: 'first@example.com' });
  const second = await insertUser(database, { ...account, email: 'second@example.com', identities: [] });
  await expect(addIdentity(database, second.id, google)).rejects.toMatchObject({ code: '23505' });
  await expect(insertUser(database, { ...account, email: 'third@example.com' })).rejects.toMatchObject({
    code: '23505',
  });
  expect((await readUser(first.id)).identities).toHaveLength(1);
  expect((await readUser(second.id)).identities).toEqual([]);
});
