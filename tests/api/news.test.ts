/** The categories and search of the News page, called by visitors. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PAGE_SIZE = 24;

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
beforeEach(() => site.backend.database.query('delete from public.posts'));
afterAll(() => site.close());

type PostFields = { title: string } & Record<string, unknown>;

/** Publishes posts one day apart, the newest first. */
async function publishPosts(...posts: PostFields[]): Promise<void> {
  const rows = posts.map((post, index) => ({
    slug: `${index}-${crypto.randomUUID()}`,
    published_date: new Date(Date.now() - (index + 1) * 86_400_000).toISOString(),
    status: 'published',
    excerpt: '',
    content: '',
    category: '',
    ...post,
  }));
  await site.service.from('posts').insert(rows).throwOnError();
}

async function search(_query: string, options: object = {}): Promise<{ id: string; total: number }[]> {
  return (await site.visitor.rpc('search_news', { _query, ...options }).throwOnError()).data;
}

async function findTitles(query: string, options?: object): Promise<unknown[]> {
  const results = await search(query, options);
  const ids = results.map(({ id }) => id);
  const { data } = await site.service.from('posts').select('id, title').in('id', ids).throwOnError();
  return ids.map((id) => data.find((post) => post['id'] === id)?.['title']);
}

describe('The search', () => {
  test('finds posts that contain each search term as a word or prefix in any visible column', async () => {
    await publishPosts(
      { title: 'Cold mail', content: 'No one waits for it' },
      { title: 'Warm rooms', content: 'Cold hands write mails' },
      { title: 'Weather', content: 'cold' },
      { title: 'Post', excerpt: 'mail', category: 'Coldness' },
    );
    expect(await findTitles('COLD mail')).toEqual(['Cold mail', 'Warm rooms', 'Post']);
    expect(await findTitles('cold')).toEqual(['Cold mail', 'Warm rooms', 'Weather', 'Post']);
    expect(await findTitles('weat')).toEqual(['Weather']);
    expect(await findTitles('cold thunder')).toEqual([]);
  });

  test('returns title matches first, then the newest posts', async () => {
    await publishPosts(
      { title: 'New', content: 'fjord' },
      { title: 'Old fjord' },
      { title: 'Newer fjord', published_date: '2020-01-01' },
    );
    expect(await findTitles('fjord')).toEqual(['Old fjord', 'Newer fjord', 'New']);
  });

  test('can be limited to a category', async () => {
    await publishPosts({ title: 'Fjord one', category: 'A' }, { title: 'Fjord two', category: 'B' });
    expect(await findTitles('fjord', { _category: 'B' })).toEqual(['Fjord two']);
    expect(await findTitles('fjord', { _category: 'C' })).toEqual([]);
  });

  test('is paged and counts at most 240 results', async () => {
    await publishPosts(...Array.from({ length: 300 }, (_, index) => ({ title: `Fjord number ${index}` })));
    const first = await search('fjord');
    expect(first).toHaveLength(PAGE_SIZE);
    expect(first[0]?.total).toBe(240);
    expect(await findTitles('fjord', { _offset: 24, _limit: 2 })).toEqual(['Fjord number 24', 'Fjord number 25']);
    expect(await search('fjord', { _offset: 239, _limit: 24 })).toHaveLength(1);
    expect(await search('fjord', { _offset: 240 })).toEqual([]);
    expect(await search('fjord', { _limit: 100_000 })).toHaveLength(100);
    expect(await search('fjord', { _limit: -1, _offset: -5 })).toEqual([]);
  });

  test('returns no drafts, scheduled posts or other kinds', async () => {
    await publishPosts(
      { title: 'Secret draft', status: 'draft' },
      { title: 'Secret plan', published_date: new Date(Date.now() + 86_400_000).toISOString() },
    );
    await site.service
      .from('projects')
      .insert({ title: 'Secret project', slug: crypto.randomUUID(), status: 'published' });
    expect(await search('secret')).toEqual([]);
    await publishPosts({ title: 'Secret no more' });
    expect(await findTitles('secret')).toEqual(['Secret no more']);
  });

  test.each([
    '',
    '   ',
    '&|!',
    "'; drop table posts; --",
    '\\',
    "o'clock",
    ':*',
    '<->',
    'a:*|b',
    '\ud83d\ude00',
    'é'.repeat(5000),
  ])('treats %j as words', async (query) => {
    await publishPosts({ title: 'Fjord' });
    expect(await search(query)).toEqual([]);
  });

  test('limits the search for a very common word to a part of the posts, including the newest', async () => {
    await site.backend.database.query(
      `insert into public.posts (title, slug, content, status, published_date)
       select 'Post ' || n, 'many-' || n, 'common words', 'published', now() - interval '1 hour' * (1100 - n) - interval '1 minute'
       from generate_series(1, 1100) as n`,
    );
    expect((await findTitles('common'))[0]).toBe('Post 1100');
    expect((await search('common'))[0]?.total).toBe(240);
  });
});

test('Visitors get the categories of published posts, largest first, and the total number of posts', async () => {
  await publishPosts(
    { title: 'One', category: 'B' },
    { title: 'Two', category: 'A' },
    { title: 'Three', category: 'A' },
    { title: 'Four' },
    { title: 'Five', category: 'Hidden', status: 'draft' },
    { title: 'Six', category: 'Later', published_date: new Date(Date.now() + 86_400_000).toISOString() },
  );
  const { data } = await site.visitor.rpc('news_categories', {}, { get: true }).throwOnError();
  expect(data).toEqual([
    { category: null, posts: 4 },
    { category: 'A', posts: 2 },
    { category: '', posts: 1 },
    { category: 'B', posts: 1 },
  ]);
});

test('Visitors cannot call the private functions of the search', async () => {
  const response = await site.visitor.schema('private').rpc('parse_prefix_search', { _typed: 'x' });
  expect(response.error?.code).toBe('PGRST106');
});
