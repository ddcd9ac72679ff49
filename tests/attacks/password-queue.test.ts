/**
 * Hashing a password takes a hundred times longer than the rest of a sign-in. A flood from one network must not delay a
 * user in another network. Hashing and the database queries before it are both scheduled by network. This test fails
 * only if both mechanisms are missing (docs/decisions/tests.md).
 */
import { verify } from '@node-rs/bcrypt';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

// Resets modules that other test files in this worker have loaded. Hashes have the cost of production.
vi.hoisted(() => vi.resetModules());
vi.mock('@node-rs/bcrypt', async () => {
  const real = await import('@node-rs/bcrypt/index.js');
  return { ...real, verify: vi.fn(real.verify) };
});

const PASSWORD = 'Fjord-2026-signal';
const FLOOD_SIZE = 80;

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on' });
});
afterAll(() => site.close());

async function signIn(email: string, password: string, address: string): Promise<Response> {
  const headers = { apikey: site.backend.keys.secretKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password });
  const request = new Request(`${site.url}/auth/v1/token?grant_type=password`, { method: 'POST', headers, body });
  return site.backend.fetch(request, address);
}

test('A user in another network signs in before most sign-ins of a flood from one network', async () => {
  const email = 'customer@example.com';
  await site.service.auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
  const compare = vi.mocked(verify).getMockImplementation();
  let hashCount = 0;
  let hashesBefore = FLOOD_SIZE;
  vi.mocked(verify).mockImplementation(async (...args) => {
    const isCorrect = (await compare?.(...args)) ?? false;
    // Only the user's password is correct.
    if (isCorrect) hashesBefore = hashCount;
    hashCount++;
    return isCorrect;
  });
  const flood = Array.from({ length: FLOOD_SIZE }, async (_, index) => {
    const { status } = await signIn(`unknown-${index}@example.com`, PASSWORD, `203.0.113.${index + 1}`);
    return status;
  });
  const { status } = await signIn(email, PASSWORD, '198.51.100.1');
  expect(status).toBe(200);
  // Includes hashes that ran before the user's hash or in parallel with it.
  expect(hashesBefore).toBeLessThan(FLOOD_SIZE / 3);
  // On a slow machine the last requests of the flood get Retry-After.
  for (const outcome of await Promise.all(flood)) expect([400, 503]).toContain(outcome);
});
