/** Finding items, users and categories in the admin area, despite typing errors. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
});
beforeEach(() => query('delete from public.posts'));
afterAll(() => site.close());

function query(sql: string, parameters: string[] = []) {
  return site.backend.database.query(sql, parameters);
}

async function insertPosts(...posts: { title: string; [column: string]: string }[]): Promise<void> {
  const rows = posts.map((post, index) => ({
    slug: `${index}-${crypto.randomUUID()}`,
    published_date: new Date(Date.UTC(2026, 0, 28 - index)).toISOString(),
    status: 'draft',
    excerpt: '',
    content: '',
    category: '',
    ...post,
  }));
  await admin.from('posts').insert(rows).throwOnError();
}

interface SearchResult {
  item: Record<string, unknown>;
  excerpt: string | null;
  words: string[];
  total: number;
}

async function search(_query: string, options: object = {}): Promise<SearchResult[]> {
  const request = { _kind: 'posts', _query, _columns: ['id', 'title'], ...options };
  return (await admin.rpc('search_content', request).throwOnError()).data;
}

async function findTitles(_query: string, options?: object): Promise<unknown[]> {
  return (await search(_query, options)).map(({ item }) => item['title']);
}

describe('Access to the search', () => {
  test.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team']))(
    '%s cannot search',
    async (_label, role) => {
      await insertPosts({ title: 'Hidden' });
      const client = role === 'visitor' ? site.visitor : (await site.signedIn(role)).client;
      const calls = [
        client.rpc('search_content', { _kind: 'posts', _query: 'hidden', _columns: ['title'] }),
        client.rpc('search_everywhere', { _query: 'hidden' }),
        client.rpc('list_categories', { _kind: 'posts' }),
      ];
      for (const call of calls) expect(await call).toMatchObject({ data: null, error: { code: '42501' } });
      for (const table of ['content_words', 'known_words']) {
        expect((await client.from(table).select()).error?.code).toBe('PGRST205');
      }
    },
  );

  test('an admin can search', async () => {
    await insertPosts({ title: 'Hidden' });
    expect(await search('hidden')).toMatchObject([{ item: { title: 'Hidden' }, total: 1 }]);
    expect((await admin.rpc('search_everywhere', { _query: 'hidden' })).data).toMatchObject([{ title: 'Hidden' }]);
  });
});

describe('Matches', () => {
  test('a query matches prefixes and substrings in every text column, and all its words must match', async () => {
    await insertPosts(
      { title: 'Outbound for beginners', content: 'How a pipeline starts.' },
      { title: 'Letters', excerpt: 'About signalfjord', category: 'Craft' },
    );
    expect(await findTitles('outb')).toEqual(['Outbound for beginners']);
    expect(await findTitles('PIPELINE')).toEqual(['Outbound for beginners']);
    expect(await findTitles('fjord')).toEqual(['Letters']);
    expect(await findTitles('craft letters')).toEqual(['Letters']);
    expect(await findTitles('craft outbound')).toEqual([]);
    expect(await findTitles('nothing like this')).toEqual([]);
  });

  test('words with a missing, extra, replaced or swapped letter match', async () => {
    await insertPosts({ title: 'Outreach that answers', content: 'The conversation begins with a question.' });
    for (const input of ['outrech', 'outreeach', 'outraech', 'conversatoin', 'qestion', 'anwsers']) {
      expect(await findTitles(input), input).toEqual(['Outreach that answers']);
    }
  });

  test('changed and deleted items match by their current state', async () => {
    await insertPosts({ title: 'Before', content: 'sunflower' });
    await admin.from('posts').update({ title: 'After', content: 'marigold' }).eq('title', 'Before').throwOnError();
    expect(await findTitles('sunflower')).toEqual([]);
    expect(await findTitles('marigold')).toEqual(['After']);
    await admin.from('posts').delete().eq('title', 'After').throwOnError();
    expect(await findTitles('marigold')).toEqual([]);
    expect((await query(`select from private.content_words where kind = 'posts'`)).rows).toEqual([]);
  });

  test('input is treated as plain text', async () => {
    await insertPosts({ title: `It's 100% "sure" \\ & | ! ( ) :* <-> done` }, { title: '%%%' });
    for (const input of [`it's`, '"sure"', '100%', 'done \\', `' or 1=1 --`, 'done:*', 'done & | !', '(', '\\']) {
      await search(input);
    }
    expect(await findTitles(`it's 100%`)).toHaveLength(1);
    expect(await findTitles('%')).toEqual([`It's 100% "sure" \\ & | ! ( ) :* <-> done`, '%%%']);
    expect(await findTitles('%%%')).toEqual(['%%%']);
    expect(await search('a'.repeat(5000))).toEqual([]);
  });
});

test('Results with an exact title are first, then matches in the title, then matches by frequency in the text', async () => {
  await insertPosts(
    { title: 'Once', content: 'A word about letters. The rest is about rain.' },
    { title: 'Often', content: 'Letters, letters and letters.' },
    { title: 'On letters' },
    { title: 'Letters' },
  );
  expect(await findTitles('letters')).toEqual(['Letters', 'On letters', 'Often', 'Once']);
});

test('Results can be sorted, filtered and paged, with the total', async () => {
  await insertPosts(
    { title: 'Letter b', status: 'published', category: 'Craft' },
    { title: 'Letter c', status: 'published' },
    { title: 'Letter a' },
  );
  expect(await findTitles('letter')).toEqual(['Letter b', 'Letter c', 'Letter a']);
  expect(await findTitles('letter', { _sort: 'title' })).toEqual(['Letter a', 'Letter b', 'Letter c']);
  expect(await findTitles('letter', { _status: 'published' })).toEqual(['Letter b', 'Letter c']);
  expect(await findTitles('letter', { _category: 'Craft' })).toEqual(['Letter b']);
  expect(await search('letter', { _limit: 1, _offset: 1 })).toMatchObject([{ item: { title: 'Letter c' }, total: 3 }]);
  await admin.from('posts').update({ excerpt: 'Changed' }).eq('title', 'Letter c').throwOnError();
  expect(await findTitles('letter', { _sort: 'changed', _limit: 1 })).toEqual(['Letter c']);
});

test('Only requested columns are returned, with an excerpt around the match and words to highlight', async () => {
  await insertPosts({
    title: 'Long',
    content: `${'Before. '.repeat(100)}The outreach begins.${' After.'.repeat(100)}`,
  });
  const [result] = await search('outrech');
  expect(Object.keys(result?.item ?? {}).sort()).toEqual(['id', 'title']);
  expect(result?.excerpt).toContain('The outreach begins.');
  expect(result?.excerpt?.length).toBeLessThanOrEqual(240);
  expect(result?.words).toContain('outreach');
  expect((await search('long'))[0]?.excerpt).toBeNull();
});

test('Every kind of content can be searched, and other tables are rejected', async () => {
  const { rows } = await query('select table_name::text as kind from private.content_kinds');
  for (const { kind } of rows) expect(await search('something', { _kind: kind })).toEqual([]);
  for (const _kind of ['user_roles', 'posts; drop table posts', '']) {
    const { error } = await admin.rpc('search_content', { _kind, _query: 'x', _columns: [] });
    expect(error?.code).toBe('22023');
  }
});

test('The command palette finds the best matches of every kind, and users by name and email address', async () => {
  await insertPosts(...['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => ({ title: `Aurora ${letter}` })));
  await admin.from('faq').insert({ question: 'What is aurora?' }).throwOnError();
  const { email, id } = await site.signedIn('client');
  await query(`update auth.users set raw_user_meta_data = '{"name": "Aurora Lindqvist"}' where id = $1`, [id]);
  const { data } = await admin.rpc('search_everywhere', { _query: 'aurora' }).throwOnError();
  const kinds = data.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual([...Array(5).fill('posts'), 'faq', 'people']);
  expect(data.at(-1)).toEqual({ kind: 'people', id, title: `Aurora Lindqvist ${email}` });
  for (const input of ['Lindkvist', email.slice(0, 12)]) {
    const { data: people } = await admin.rpc('search_everywhere', { _query: input }).throwOnError();
    expect(people).toMatchObject([{ kind: 'people', id }]);
  }
  await admin.from('faq').delete().neq('question', '').throwOnError();
});

test('Only categories in use are listed, for kinds that have categories', async () => {
  await insertPosts(
    { title: 'A', category: 'Craft' },
    { title: 'B', category: 'Craft' },
    { title: 'C', category: 'Ads' },
  );
  expect((await admin.rpc('list_categories', { _kind: 'posts' })).data).toEqual(['Ads', 'Craft']);
  expect((await admin.rpc('list_categories', { _kind: 'reviews' })).data).toEqual([]);
  expect((await admin.rpc('list_categories', { _kind: 'user_roles' })).data).toEqual([]);
});

test('Among 10,000 posts, a rare word is found, and a common word returns the newest and a capped total', async () => {
  // Recording versions would slow down the insert.
  await query('alter table public.posts disable trigger keep_versions');
  await query(`insert into public.posts (title, slug, content, published_date)
    select 'Post ' || n, 'post-' || n, 'Number w' || n || ' of many letters', now() - n * interval '1 hour'
    from generate_series(1, 10000) as n`);
  expect((await search('w7777')).map(({ item }) => item['title'])).toEqual(['Post 7777']);
  expect(await search('letters', { _limit: 3 })).toMatchObject([{ item: { title: 'Post 1' }, total: 1000 }, {}, {}]);
});

// This test is last because it drops an extension.
test('Without pg_trgm, the search still works, except for words with typos', async () => {
  await query('drop extension pg_trgm cascade');
  await insertPosts({ title: 'Outreach', content: 'About signalfjord' });
  expect(await findTitles('outreach')).toEqual(['Outreach']);
  expect(await findTitles('fjord')).toEqual(['Outreach']);
  expect(await findTitles('outrech')).toEqual([]);
  const { data } = await admin.rpc('search_everywhere', { _query: 'outreach' }).throwOnError();
  expect(data).toMatchObject([{ kind: 'posts', title: 'Outreach' }]);
});
