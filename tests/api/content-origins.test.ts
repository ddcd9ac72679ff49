/** Hosts of pictures and of the scheduling page in published content. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

async function readOrigins(): Promise<string[]> {
  const { data } = await site.visitor.rpc('content_origins', undefined, { get: true }).throwOnError();
  return (data as { used_for: string; origin: string }[]).map(({ used_for, origin }) => `${used_for} ${origin}`).sort();
}

async function publish(table: string, row: Record<string, unknown>): Promise<void> {
  await site.service
    .from(table)
    .insert({ status: 'published', ...row })
    .throwOnError();
}

test('Every picture host in published content is found, and hosts of links are not', async () => {
  expect(await readOrigins()).toEqual([]);
  const content = [
    '[Home](https://link.example/) and ![A fjord](https://inline.example:8443/a.png "Title")',
    '[![In a link](<HTTPS://Angle.example/b.png>)](https://link.example/b)',
    '![By name][fjord] ![Plain](http://plain.example/c.png) ![Own](/d.png)',
    '',
    '[fjord]: https://reference.example/e.png',
  ].join('\n');
  await publish('posts', { title: 'P', slug: 'p', content, featured_image: ' https://post.example/?size=2' });
  await publish('projects', { title: 'P', slug: 'p', full_content: '![](https://project.example)' });
  await publish('services', { title: 'S', slug: 's', long_description: '![S](https://service.example/s.png)' });
  await publish('reviews', { author_name: 'R', quote: 'Q', avatar_url: 'https://review.example/r.png' });
  await publish('team_members', { name: 'T', avatar_url: 'https://team.example/t.png' });
  const sections = {
    booking: { calendlyPlaceholder: ' https://cal.example/me?month=5' },
    'logo-banner': { logos: [{ name: 'L', imageUrl: 'https://logo.example/l.svg' }] },
    testimonials: { testimonials: [{ by: 'https://no.example', imgSrc: 'https://voice.example/v.png' }] },
  };
  for (const [section_name, content] of Object.entries(sections)) {
    await site.service
      .from('page_content')
      .insert({ page_slug: 'home', section_name, content: JSON.stringify(content, null, 2) })
      .throwOnError();
  }
  await site.service
    .from('page_content')
    .insert({ page_slug: 'about', section_name: 'team', content: '{"src": "https://half.example/x.png", and no JSON' })
    .throwOnError();

  expect(await readOrigins()).toEqual([
    'frame https://cal.example',
    'picture https://angle.example',
    'picture https://half.example',
    'picture https://inline.example:8443',
    'picture https://logo.example',
    'picture https://post.example',
    'picture https://project.example',
    'picture https://reference.example',
    'picture https://review.example',
    'picture https://service.example',
    'picture https://team.example',
    'picture https://voice.example',
  ]);
});

test('Hosts of drafts and scheduled posts are not revealed before publication', async () => {
  const before = await readOrigins();
  const rows = [
    {
      title: 'D',
      slug: 'd',
      status: 'draft',
      published_date: '2020-01-01',
      content: '![D](https://draft.example/d.png)',
    },
    {
      title: 'L',
      slug: 'l',
      status: 'published',
      published_date: '2999-01-01',
      content: '![L](https://later.example/l)',
    },
  ];
  await site.service.from('posts').insert(rows).throwOnError();
  expect(await readOrigins()).toEqual(before);

  await site.service
    .from('posts')
    .update({ status: 'published', published_date: '2020-01-01' })
    .in('slug', ['d', 'l'])
    .throwOnError();
  const addedOrigins = (await readOrigins()).filter((origin) => !before.includes(origin));
  expect(addedOrigins).toEqual(['picture https://draft.example', 'picture https://later.example']);
});
