/** Checks are questions that are sent to the visitors' assistant, on demand and after each content change. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const CANCELLATION_CHECK = {
  question: 'Can we cancel at any time?',
  must_name: ['Thirty  days', '/contact'],
  must_not_name: ['ninety'],
};

let site: TestBackend;
let upstream: FakeUpstream;
let admin: SupabaseClient;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  // A language model is configured for visitors, but the checks must not call it.
  site = await startTestBackend({ AI_BASE_URL: upstream.url, AI_MODEL: 'test-model' });
  admin = (await site.signedIn('admin')).client;
});
afterAll(async () => {
  await site.close();
  await upstream.close();
});
beforeEach(async () => {
  await site.service.from('assistant_checks').delete().neq('question', '').throwOnError();
  await site.service.from('faq').delete().neq('question', '').throwOnError();
});

function runChecks(client: SupabaseClient) {
  return client.functions.invoke('ai-chat?checks=run', { method: 'POST' });
}

async function publishAnswer(answer: string): Promise<void> {
  await site.service
    .from('faq')
    .insert({ question: CANCELLATION_CHECK.question, answer, status: 'published' })
    .throwOnError();
}

async function readStoredResults(): Promise<unknown> {
  return (await admin.from('assistant_checks').select('passed, answer, ran_at').order('created_at')).data;
}

test('An admin runs the checks against the published content, without the language model', async () => {
  await admin
    .from('assistant_checks')
    .insert([
      CANCELLATION_CHECK,
      { question: CANCELLATION_CHECK.question, must_name: [], must_not_name: ['**thirty** days'] },
    ])
    .throwOnError();
  expect((await runChecks(admin)).data).toEqual({ checked: 2, failed: 1 });
  await publishAnswer('Yes, with **thirty\ndays** of notice.');
  expect((await runChecks(admin)).data).toEqual({ checked: 2, failed: 1 });
  const answer = expect.stringContaining('Yes, with **thirty\ndays** of notice.');
  expect(await readStoredResults()).toEqual([
    { passed: true, answer, ran_at: expect.any(String) },
    { passed: false, answer, ran_at: expect.any(String) },
  ]);
  expect(upstream.requests).toEqual([]);
});

test('The service role can run the checks, for projects without our server', async () => {
  await admin.from('assistant_checks').insert(CANCELLATION_CHECK).throwOnError();
  expect((await runChecks(site.service)).data).toEqual({ checked: 1, failed: 1 });
});

test('Only admins and the service role can run the checks', async () => {
  await admin.from('assistant_checks').insert(CANCELLATION_CHECK).throwOnError();
  const response = await runChecks(site.visitor);
  expect([response.response?.status, await response.response?.json()]).toEqual([
    403,
    { error: 'Only admins can run the test box.' },
  ]);
  for (const role of ['stranger', 'pending', 'client', 'team'] as const) {
    expect((await runChecks((await site.signedIn(role)).client)).data).toEqual({ checked: 0, failed: 0 });
  }
  expect(await readStoredResults()).toEqual([{ passed: null, answer: '', ran_at: null }]);
});

test('The checks run automatically when published content changes', async () => {
  await admin.from('assistant_checks').insert(CANCELLATION_CHECK).throwOnError();
  await publishAnswer('Yes, with thirty days of notice.');
  await vi.waitFor(async () => expect(await readStoredResults()).toMatchObject([{ passed: true }]), 120_000);
  await site.service.from('faq').update({ answer: 'Yes, with ninety days.' }).neq('question', '').throwOnError();
  await vi.waitFor(async () => expect(await readStoredResults()).toMatchObject([{ passed: false }]), 120_000);
});
