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

test('A token in use stays cached while many other tokens are verified', async () => {
  const usedToken = await token('used');
  const claims = await verifier.verify(usedToken);
  for (let index = 0; index < 1500; index += 1) {
    await verifier.verify(await token(`other ${index}`));
    if (index % 100 === 0) expect(await verifier.verify(usedToken)).toBe(claims);
  }
  expect(await verifier.verify(usedToken)).toBe(claims);
});

test('A cached token still expires', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const userToken = await token('user');
  expect(await verifier.verify(userToken)).toMatchObject({ sub: 'user' });
  vi.setSystemTime(Date.now() + 61_000);
  await expect(verifier.verify(userToken)).rejects.toMatchObject({ fault: 'expired' });
});
