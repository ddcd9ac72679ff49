import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSchema } from '../../packages/backend/tests/support/films.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend();
  await changeSchema(
    api,
    `create function public.count_to(n bigint) returns bigint language sql stable as
       $$ select count(*) from (select generate_series(1, n)) numbers $$;
     grant execute on function public.count_to to anon, service_role`,
  );
});
afterAll(() => api.close());

test("A visitor's endless statement is cancelled, as on hosted projects, and queued requests still run", async () => {
  const countTo = (n: number) => api.visitor.rpc('count_to', { n });
  const [endlessResult, shortResult, readResult] = await Promise.all([
    countTo(1_000_000_000_000),
    countTo(1000),
    api.service.from('posts').select('id').limit(1),
  ]);
  expect(endlessResult).toMatchObject({
    status: 500,
    error: {
      code: '57014',
      message: 'canceling statement due to statement timeout',
      details: null,
      hint: null,
    },
  });
  expect(shortResult.data).toBe(1000);
  expect(readResult.status).toBe(200);
});
