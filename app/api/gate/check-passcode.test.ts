import { afterEach, expect, test, vi } from 'vitest';
import { isPasscode } from './check-passcode.ts';
import { gateDigest } from './digest.ts';

const salt = btoa('sixteen bytes ok');
const iterations = 1000;

afterEach(() => vi.unstubAllGlobals());

test('The right passcode is recognised and any other is not', async () => {
  const challenge = { salt, iterations, version: 'v', digest: await gateDigest('Blåbær og fløte', salt, iterations) };
  expect(await isPasscode('Blåbær og fløte', challenge)).toBe(true);
  expect(await isPasscode('blåbær og fløte', challenge)).toBe(false);
  expect(await isPasscode('Blåbær og fløte ', challenge)).toBe(false);
});

test('A page over plain http, where the browser has no crypto.subtle, comes to the same answer', async () => {
  const challenge = { salt, iterations, version: 'v', digest: await gateDigest('Blåbær og fløte', salt, iterations) };
  vi.stubGlobal('crypto', {});
  expect(await isPasscode('Blåbær og fløte', challenge)).toBe(true);
  expect(await isPasscode('Blåbær', challenge)).toBe(false);
});
