import { SignJWT } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTokenVerifier, type TokenVerifier } from './identity.ts';

const SECRET = 'a secret of the tests that is long enough';

let verifier: TokenVerifier;
beforeEach(() => {
  verifier = createTokenVerifier({ find: async () => undefined }, SECRET);
});
afterEach(() => vi.useRealTimers());

function token(subject: string): Promise<string> {
  const claims = new SignJWT({ role: 'authenticated' }).setProtectedHeader({ alg: 'HS256' }).setSubject(subject);
  return claims.setExpirationTime('1 minute').sign(new TextEncoder().encode(SECRET));
}

test('A token in use is verified once, even among many others', async () => {
  const used = await token('used');
  const claims = await verifier.verify(used);
  for (let index = 0; index < 1500; index += 1) {
    await verifier.verify(await token(`other ${index}`));
    if (index % 100 === 0) expect(await verifier.verify(used)).toBe(claims);
  }
  expect(await verifier.verify(used)).toBe(claims);
});

test('A cached token still expires', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const accepted = await token('user');
  expect(await verifier.verify(accepted)).toMatchObject({ sub: 'user' });
  vi.setSystemTime(Date.now() + 61_000);
  await expect(verifier.verify(accepted)).rejects.toMatchObject({ fault: 'expired' });
});
