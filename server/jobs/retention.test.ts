import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/test-backend.ts';
import { deleteInSteps } from './retention.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

const query = <Row extends object>(sql: string) => site.backend.database.query<Row>(sql).then(({ rows }) => rows);

test('A year that is due at once goes in steps, and what is kept stays', async () => {
  await query(`insert into public.conversations (created_at, last_message_at, message_count)
    select now() - n * interval '1 day', now() - n * interval '1 day' + interval '1 hour', 1 from generate_series(1, 865) as n`);
  await query(`insert into public.leads (source, email, created_at, updated_at)
    select 'contact', 'p' || n || '@example.com', now(), now() - n * interval '1 day' + interval '1 hour' from generate_series(1, 415) as n`);
  const steps = vi.spyOn(site.backend.database, 'query');
  expect(await deleteInSteps(site.backend.database, 'delete_expired_conversations')).toBe(550);
  const results = await Promise.all(steps.mock.results.map(({ value }) => value));
  steps.mockRestore();
  // 200 conversations and 50 leads, then 200, 100 and none.
  expect(results.map(({ rows }) => rows[0].deleted)).toEqual([250, 200, 100, 0]);
  expect(await query('select count(*)::integer as kept from public.conversations')).toEqual([{ kept: 365 }]);
  expect(await query('select count(*)::integer as kept from public.leads')).toEqual([{ kept: 365 }]);
});

test('It stops between two steps', async () => {
  await query(`insert into public.visit_counts (day, kind, name, count)
    select '2020-01-01', 'page', '/news/' || n, 1 from generate_series(1, 900) as n`);
  const stop = new AbortController();
  stop.abort();
  expect(await deleteInSteps(site.backend.database, 'delete_old_visit_counts', stop.signal)).toBe(0);
  expect(await deleteInSteps(site.backend.database, 'delete_old_visit_counts')).toBe(900);
});
