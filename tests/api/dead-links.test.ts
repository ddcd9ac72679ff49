/** Broken internal links in content. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const ORIGINS = ['https://site.example'];
const PAGES = ['/', '/about', '/news', '/projects', '/services', '/booking/%'];

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

async function listDeadLinks() {
  const { client } = await site.signedIn('admin');
  const { data } = await client.rpc('dead_links', { _origins: ORIGINS, _pages: PAGES }).throwOnError();
  return (data as { kind: string; title: string; address: string; fault: string; total: number }[]).map(
    ({ kind, title, address, fault }) => `${kind} ${title}: ${address} ${fault}`,
  );
}

async function insertRows(table: string, ...rows: Record<string, unknown>[]): Promise<{ id: string }[]> {
  const { data } = await site.service.from(table).insert(rows, { defaultToNull: false }).select().throwOnError();
  return data as { id: string }[];
}

test('Every broken internal link is listed with its item and the reason', async () => {
  await site.service.storage.from('content-media').upload('there.png', PNG, { contentType: 'image/png' });
  const post = { status: 'published', published_date: '2020-01-01' };
  const media = '/storage/v1/object/public/content-media';
  const content = [
    'Good: [a](/about) [b](/news/good#part) [c](https://site.example/about/?x=1) [d](/projects?case=case&x=1)',
    `![there](${media}/there.png) [file](/storage/v1/render/image/public/content-media/there.png?width=1) [t](#top)`,
    '[other](https://other.example/nowhere) [mail](mailto:a@b.example) [//x](//nowhere.example/x) [book](/booking/x)',
    '',
    'Bad: [e](/nowhere) [f](https://site.example/nowhere-else) [g](/news/never "Title") [h](</news/draft>)',
    `[i](/news/later) [j](/news/old-name) [k](/news/gone?x) [l](/projects?case=no-case) ![m](${media}/lost.png)`,
    `${media}/lost.mp4`,
    '',
    '[n]: /reference',
  ].join('\n');
  const [, renamedPost, deletedPost] = await insertRows(
    'posts',
    { ...post, title: 'Good', slug: 'good' },
    { ...post, title: 'Renamed', slug: 'old-name' },
    { ...post, title: 'Gone', slug: 'gone' },
    { ...post, title: 'Draft', slug: 'draft', status: 'draft', content: '[from a draft](/nowhere)' },
    { ...post, title: 'Later', slug: 'later', published_date: '2999-01-01' },
    { ...post, title: 'Linking', slug: 'linking', content, featured_image: `${media}/lost-cover.png` },
  );
  await site.service.from('posts').update({ slug: 'new-name' }).eq('id', renamedPost?.id).throwOnError();
  await site.service.from('posts').delete().eq('id', deletedPost?.id).throwOnError();
  await insertRows('projects', { title: 'Case', slug: 'case', status: 'published' });
  await insertRows('team_members', { name: 'Kari', avatar_url: `${media}/there.png`, bio: 'ok' });
  await insertRows('faq', { question: 'Q?', answer: '[x](/no-answer)', status: 'published' });
  await insertRows(
    'page_content',
    {
      page_slug: 'privacy',
      section_name: 'header',
      content: JSON.stringify({ text: 'One\n\n[two](/no-rule "x")', title: '/x' }),
    },
    {
      page_slug: 'home',
      section_name: 'footer',
      content: JSON.stringify(
        {
          links: [
            { label: 'A', url: '/about' },
            { label: 'B', url: '/no-page' },
          ],
          u: '#',
        },
        null,
        2,
      ),
    },
  );

  expect((await listDeadLinks()).sort()).toEqual(
    [
      'faq Q?: /no-answer page',
      'page_content home/footer: /no-page page',
      'page_content privacy/header: /no-rule page',
      'page_content privacy/header: /x page',
      'posts Draft: /nowhere page',
      'posts Linking: /nowhere page',
      'posts Linking: /nowhere-else page',
      'posts Linking: /news/never missing',
      'posts Linking: /news/draft draft',
      'posts Linking: /news/later scheduled',
      'posts Linking: /news/old-name moved',
      'posts Linking: /news/gone?x deleted',
      'posts Linking: /projects?case=no-case missing',
      `posts Linking: ${media}/lost.png file`,
      `posts Linking: ${media}/lost.mp4 file`,
      `posts Linking: ${media}/lost-cover.png file`,
      'posts Linking: /reference page',
    ].sort(),
  );
});

test('Only admins can list broken links', async () => {
  for (const { client } of [{ client: site.visitor }, await site.signedIn('client'), await site.signedIn('team')]) {
    const { error } = await client.rpc('dead_links', { _origins: ORIGINS, _pages: PAGES });
    expect(error?.code).toBe('42501');
  }
  const { client } = await site.signedIn('admin');
  expect((await client.rpc('dead_links', { _origins: ORIGINS, _pages: PAGES })).error).toBeNull();
});

test('Parameters are treated as text, and many posts are checked in one call', async () => {
  const { client } = await site.signedIn('admin');
  const evil = ["x', (select 1))); drop table posts; --", '%s%L{slug}', "'"];
  const response = await client.rpc('dead_links', { _origins: evil, _pages: evil });
  expect(response.error).toBeNull();

  const filler = 'Words that lead nowhere, [a](/about) link, and more of them. '.repeat(60);
  const rows = Array.from({ length: 1500 }, (_, n) => ({
    title: `Many ${n}`,
    slug: `many-${n}`,
    content: n % 300 === 0 ? `${filler}[x](/gone-${n})` : filler,
  }));
  for (let start = 0; start < rows.length; start += 300) {
    await site.service
      .from('posts')
      .insert(rows.slice(start, start + 300))
      .throwOnError();
  }
  const { data } = await client.rpc('dead_links', { _origins: ORIGINS, _pages: PAGES }).throwOnError();
  expect((data as { address: string }[]).filter(({ address }) => address.startsWith('/gone-'))).toHaveLength(5);
});

/** A transparent PNG of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
