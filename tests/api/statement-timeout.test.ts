import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSchema } from '../support/films.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend();
  await changeSchema(
    api,
    `create function public.wait(seconds float) returns text language sql volatile as $$ select 'waited' from pg_sleep(seconds) $$;
     grant execute on function public.wait to anon, service_role`,
    'posts',
  );
});
afterAll(() => api.close());

test("A visitor's statement is cancelled after three seconds; a shorter one, and the service's, are not", async () => {
  const wait = (seconds: number) => api.visitor.rpc('wait', { seconds });
  const [long, short, service] = await Promise.all([wait(3.5), wait(0.1), api.service.rpc('wait', { seconds: 3.5 })]);
  expect(long).toMatchObject({
    status: 500,
    error: { code: '57014', message: 'canceling statement due to statement timeout' },
  });
  expect([short.data, service.data]).toEqual(['waited', 'waited']);
});
