import { afterEach, expect, test, vi } from 'vitest';
import { isPasscode } from './check-passcode.ts';
import { gateDigest } from './digest.ts';

const salt = btoa('sixteen bytes ok');
const iterations = 1000;

afterEach(() => vi.unstubAllGlobals());

test('Accepts the correct passcode and rejects all others', async () => {
  const challenge = { salt, iterations, version: 'v', digest: await gateDigest('Blåbær og fløte', salt, iterations) };
  expect(await isPasscode('Blåbær og fløte', challenge)).toBe(true);
  expect(await isPasscode('blåbær og fløte', challenge)).toBe(false);
  expect(await isPasscode('Blåbær og fløte ', challenge)).toBe(false);
});

test('Returns the same result over plain HTTP, where browsers do not provide crypto.subtle', async () => {
  const challenge = { salt, iterations, version: 'v', digest: await gateDigest('Blåbær og fløte', salt, iterations) };
  vi.stubGlobal('crypto', {});
  expect(await isPasscode('Blåbær og fløte', challenge)).toBe(true);
  expect(await isPasscode('Blåbær', challenge)).toBe(false);
});
