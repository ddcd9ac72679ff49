/** The FAQ content type. Tests its validation, its order, its use by the assistant, and the contact page setting. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
});
afterAll(() => site.close());

async function addQuestion(question: string, status: 'draft' | 'published'): Promise<string> {
  const row = { question, answer: `Answer to ${question}`, status };
  const { data } = await admin.from('faq').insert(row).select('id').single().throwOnError();
  return data?.id;
}

/** Reads the setting as a visitor. Undefined if it is not saved. */
async function readSetting(): Promise<string | undefined> {
  const { data } = await site.visitor
    .from('site_settings')
    .select('setting_value')
    .eq('setting_key', 'faq_on_contact')
    .throwOnError();
  return data[0]?.setting_value;
}

test('The first published question enables the contact page section unless an admin disabled it', async () => {
  const first = await addQuestion('First?', 'draft');
  expect(await readSetting()).toBeUndefined();
  await admin.from('faq').update({ status: 'published' }).eq('id', first).throwOnError();
  expect(await readSetting()).toBe('on');
  await admin.from('site_settings').update({ setting_value: 'off' }).eq('setting_key', 'faq_on_contact').throwOnError();
  await addQuestion('Second?', 'published');
  expect(await readSetting()).toBe('off');
});

test('Editors choose the order in which the assistant receives the published questions', async () => {
  await admin.from('faq').delete().neq('question', '').throwOnError();
  const [a, b, c] = [
    await addQuestion('A?', 'published'),
    await addQuestion('B?', 'draft'),
    await addQuestion('C?', 'published'),
  ];
  await admin.rpc('reorder_items', { _table: 'faq', _ids: [c, b, a] }).throwOnError();
  const { data: questions } = await admin.from('faq').select('question').order('display_order').throwOnError();
  expect(questions).toEqual([{ question: 'C?' }, { question: 'B?' }, { question: 'A?' }]);
  const { data: published } = await site.visitor.rpc('published_content').throwOnError();
  expect(published).toMatchObject([
    { kind: 'faq', title: 'C?', public_path: '/contact#questions', item: { answer: 'Answer to C?' } },
    { kind: 'faq', title: 'A?', public_path: '/contact#questions', item: { answer: 'Answer to A?' } },
  ]);
});

test('An FAQ entry with an empty or too long question, a too long answer or an invalid status is rejected', async () => {
  const invalidRows: Record<string, string>[] = [
    { question: '' },
    { question: 'a'.repeat(301) },
    { question: 'Long?', answer: 'a'.repeat(20_001) },
    { question: 'Odd?', status: 'hidden' },
  ];
  for (const row of invalidRows) {
    expect((await admin.from('faq').insert<Record<string, string>>(row)).error?.code).toBe('23514');
  }
  const longest = { question: 'a'.repeat(300), answer: 'a'.repeat(20_000) };
  expect((await admin.from('faq').insert(longest)).error).toBeNull();
});
