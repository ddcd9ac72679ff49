/** The keys that sign access tokens. Tests rotation, revocation, and the cost of unknown key IDs. */
import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTokenVerifier } from '../../packages/backend/src/http/identity.ts';
import { listSigningKeys, loadKeys, revokeSigningKey, rotateSigningKey } from '../../packages/backend/src/http/keys.ts';
import { recordDatabase } from '../support/recorded-database.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

test('After a rotation, the new key signs, and tokens of the old key are valid until it is revoked', async () => {
  const { database, keys } = site.backend;
  const oldKid = keys.current.kid;
  const { token, client } = await site.signedIn('client');
  const readPosts = () => client.from('posts').select('slug').limit(1);
  const kid = await rotateSigningKey(database, 'ES256');
  await expect.poll(() => keys.current.kid).toBe(kid);
  expect(keys.jwks.keys.map((key) => key.kid)).toEqual([kid, oldKid]);
  expect((await readPosts()).error).toBeNull();

  expect(await revokeSigningKey(database, kid, 'ES256')).toBe(false);
  expect(await revokeSigningKey(database, oldKid, 'ES256')).toBe(true);
  expect((await listSigningKeys(database, 'ES256')).map((key) => key.kid)).toEqual([kid]);
  await expect.poll(() => [...keys.verifying.keys()]).toEqual([kid]);
  // The token was accepted before, so the verification must not be cached.
  expect((await readPosts()).status).toBe(401);
  await expect(createTokenVerifier(keys).verify(token)).rejects.toMatchObject({ fault: 'unknown key' });
});

test('An instance that missed a rotation finds the new key, and unknown key IDs cause only one query', async () => {
  const { recorded, statements } = recordDatabase(site.backend.database);
  // Load the keys without LISTEN, like an instance that lost its connection.
  const keys = await loadKeys(recorded, 'ES256');
  const verifier = createTokenVerifier(keys);
  const kid = await rotateSigningKey(site.backend.database, 'ES256');
  await expect.poll(() => site.backend.keys.current.kid).toBe(kid);
  const { token } = await site.signedIn('client');
  await expect(verifier.verify(token)).resolves.toMatchObject({ role: 'authenticated' });
  expect(keys.current.kid).toBe(kid);

  const countKeyQueries = () => statements.filter((text) => text.includes('from backend.signing_keys')).length;
  const before = countKeyQueries();
  for (let index = 0; index < 50; index++) {
    const forged = await new SignJWT({ role: 'service_role' })
      .setProtectedHeader({ alg: 'ES256', kid: crypto.randomUUID() })
      .sign(site.backend.keys.current.privateKey);
    await expect(verifier.verify(forged)).rejects.toMatchObject({ fault: 'unknown key' });
  }
  expect(countKeyQueries()).toBe(before);
});
