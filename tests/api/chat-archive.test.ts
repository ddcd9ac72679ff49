import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { createAiChat } from '../../supabase/functions/ai-chat/ai-chat.ts';
import { readReply } from '../../supabase/functions/ai-chat/event-stream.ts';
import { type FakeUpstream, reply, startFakeUpstream } from '../support/fake-upstream.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const POSTS = 10_000;

let upstream: FakeUpstream;
let site: TestBackend;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  upstream.behave(reply('I will look that up.'));
  site = await startTestBackend({ AI_BASE_URL: upstream.url, AI_MODEL: 'test' });
  await site.backend.database.query(
    `insert into public.posts (title, slug, excerpt, content, status, published_date)
     select 'Article ' || n, 'article-' || n, 'About fjords and weather', repeat('Rain falls on fjords. ', 40) ||
       case when n % 1000 = 7 then 'Foghorn ' || n || ' is heard at ' || n || ' metres.' else '' end,
       case when n = 2007 then 'draft' else 'published' end,
       case when n = 3007 then now() + interval '1 day' else now() - n * interval '1 hour' end
     from generate_series(1, ${POSTS}) as n`,
  );
});
afterAll(async () => {
  await site.close();
  await upstream.close();
});

async function readPrompt(question: string): Promise<string> {
  const response = await fetch(`${site.url}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sb_publishable_signalfjord' },
    body: JSON.stringify({ messages: [{ role: 'user', content: question }] }),
  });
  if (response.body) for await (const _piece of readReply(response.body));
  return upstream.requests.at(-1)?.body.messages[0]?.content ?? '';
}

test('The assistant finds the matching post among 10,000, regardless of age, and the prompt stays small', async () => {
  const prompt = await readPrompt('At what distance is foghorn 9007 heard?');
  expect(prompt).toContain('Foghorn 9007 is heard at 9007 metres.');
  expect(prompt.length).toBeLessThan(24_000);
});

test('Drafts and scheduled posts are not found', async () => {
  for (const number of [2007, 3007]) {
    const prompt = await readPrompt(`foghorn ${number}`);
    expect(prompt).toContain('Foghorn');
    expect(prompt).not.toContain(`Foghorn ${number}`);
  }
  const { data } = await site.visitor.rpc('search_posts', { _words: ['foghorn', '2007', '3007'] }).throwOnError();
  const titles = (data as { title: string }[]).map(({ title }) => title);
  expect(titles).toHaveLength(8);
  expect(titles).not.toContain('Article 2007');
  expect(titles).not.toContain('Article 3007');
});

test.each([
  ['query operators', ["foghorn' | 'a", 'x & !y', ':*', '\\', "''", '(']],
  ['no words', []],
  ['a thousand words', Array<string>(1000).fill('foghorn')],
  ['empty words', [null, '', ' ', '🫐']],
])('A search for %s treats the words as plain text', async (_title, _words) => {
  const { error } = await site.visitor.rpc('search_posts', { _words });
  expect(error).toBeNull();
});

test('The content is read once for many questions, and each question looks up only its own posts', async () => {
  const requestedPaths: string[] = [];
  const chat = createAiChat({
    api: {
      apiUrl: site.url,
      publishableKey: PUBLISHABLE_KEY,
      secretKey: site.backend.keys.secretKey,
      fetch(request) {
        requestedPaths.push(new URL(request.url).pathname.replace('/rest/v1/', ''));
        return fetch(request);
      },
    },
    upstream: { baseUrl: upstream.url, apiKey: null, model: 'test' },
    siteOrigin: null,
    consumeRateLimit: () => true,
    log: () => undefined,
  });
  for (let index = 0; index < 5; index++) {
    const body = JSON.stringify({ messages: [{ role: 'user', content: `foghorn ${index}` }] });
    const headers = { apikey: PUBLISHABLE_KEY };
    await (await chat.fetch(new Request(site.url, { method: 'POST', headers, body }), '')).text();
  }
  const count = (path: string) => requestedPaths.filter((entry) => entry === path).length;
  expect(count('rpc/published_content')).toBe(1);
  expect(count('page_content')).toBe(1);
  expect(count('rpc/search_posts')).toBe(5);
});

test('Long articles do not prevent the assistant from answering', async () => {
  await site.backend.database.query(
    "update public.posts set content = repeat('All work and no play. ', 9000) where published_date > now() - interval '120 hours'",
  );
  expect(await readPrompt('foghorn 9007')).toContain('Foghorn 9007 is heard at 9007 metres.');
});

test('The search uses the index of post words even without table statistics, as in the built-in database', async () => {
  const { database } = site.backend;
  const indexScans = async () => {
    await database.query('select pg_stat_force_next_flush()');
    const { rows } = await database.query<{ n: number }>(
      `select idx_scan::integer as n from pg_stat_user_indexes where indexrelname = 'content_words_idx'`,
    );
    return rows[0]?.n ?? 0;
  };
  const before = await indexScans();
  await database.query(`select from private.posts_matching('{harbour,lighthouse}')`);
  await expect.poll(indexScans).toBe(before + 2);
});
