import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../../tests/support/test-backend.ts';

let api: TestBackend;

beforeAll(async () => {
  api = await startTestBackend();
});
afterAll(() => api.close());

const readBySlug = async (slug: string) =>
  (await api.visitor.from('posts').select('slug').eq('slug', slug).throwOnError()).data;

test('A scheduled post is announced when it is due and already public', async () => {
  const announced = Promise.withResolvers<unknown>();
  const stop = await api.backend.database.listen('content_changed', () => {
    void readBySlug('soon').then((posts) => posts.length > 0 && announced.resolve(posts));
  });
  await api.service
    .from('posts')
    .insert([
      { title: 'Soon', slug: 'soon', status: 'published', published_date: new Date(Date.now() + 2000).toISOString() },
      { title: 'Later', slug: 'later', status: 'published', published_date: '2999-01-01T00:00:00Z' },
    ])
    .throwOnError();
  expect(await announced.promise).toEqual([{ slug: 'soon' }]);
  expect(await readBySlug('later')).toEqual([]);
  await stop();
});
