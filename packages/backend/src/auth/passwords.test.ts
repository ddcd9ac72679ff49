import { stat } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

// Another file of this worker may have loaded the module with the fast hash (vitest.config.ts).
vi.hoisted(() => vi.resetModules());
vi.mock('@node-rs/bcrypt', () => import('@node-rs/bcrypt/index.js'));

const PASSWORD = 'Fjord-2026-signal';

test('Files can be read while many hashes are queued', async () => {
  let completed = 0;
  const hashes = Array.from({ length: 8 }, async () => {
    const hash = await hashPassword(PASSWORD);
    completed++;
    return hash;
  });
  await stat(import.meta.dirname);
  expect(completed).toBeLessThan(4);
  expect(new Set(await Promise.all(hashes)).size).toBe(8);
});

test('A password matches only its own hash, and a malformed hash matches no password', async () => {
  const results = await Promise.all(Array.from({ length: 8 }, () => verifyPassword(PASSWORD, 'no hash')));
  expect(results).not.toContain(true);
  const hash = await hashPassword(PASSWORD);
  // The cost of Supabase Auth, which no setting can lower.
  expect(hash).toMatch(/^\$2\w\$10\$/);
  expect(await verifyPassword(PASSWORD, hash)).toBe(true);
  expect(await verifyPassword('Another-2026', hash)).toBe(false);
  expect(await verifyPassword(PASSWORD, null)).toBe(false);
});
