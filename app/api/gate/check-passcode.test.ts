import { afterEach, expect, test, vi } from 'vitest';
import { isCorrectPasscode } from './check-passcode.ts';
import { gateDigest } from './digest.ts';

const salt = btoa('sixteen bytes ok');
const iterations = 1000;

afterEach(() => vi.unstubAllGlobals());

test('Accepts the correct passcode and rejects all others', async () => {
  const challenge = { salt, iterations, version: 'v', digest: await gateDigest('Blåbær og fløte', salt, iterations) };
  expect(await isCorrectPasscode('Blåbær og fløte', challenge)).toBe(true);
  expect(await isCorrectPasscode('blåbær og fløte', challenge)).toBe(false);
  expect(await isCorrectPasscode('Blåbær og fløte ', challenge)).toBe(false);
});

test('Returns the same result over plain HTTP, where browsers do not provide crypto.subtle', async () => {
  const challenge = { salt, iterations, version: 'v', digest: await gateDigest('Blåbær og fløte', salt, iterations) };
  vi.stubGlobal('crypto', {});
  expect(await isCorrectPasscode('Blåbær og fløte', challenge)).toBe(true);
  expect(await isCorrectPasscode('Blåbær', challenge)).toBe(false);
});
