/** Access to preview links, and the rows that can be read with a link. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

interface NewLink {
  id: string;
  token: string;
  expires_at: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

let site: TestBackend;
let admin: { id: string; client: SupabaseClient };
/** IDs of the posts by slug. */
const posts: Record<string, string> = {};

beforeAll(async () => {
  site = await startTestBackend();
  admin = await site.signedIn('admin');
  const rows = [
    { title: 'Open', slug: 'open', status: 'published', published_date: inDays(-3) },
    { title: 'Draft', slug: 'draft', status: 'draft', published_date: inDays(-2) },
    { title: 'Other', slug: 'other', status: 'draft', published_date: inDays(-1) },
    { title: 'Soon', slug: 'soon', status: 'published', published_date: inDays(2) },
    { title: 'Later', slug: 'later', status: 'published', published_date: inDays(20) },
  ];
  const { data } = await site.service.from('posts').insert(rows).select('id, slug').throwOnError();
  for (const { id, slug } of data) posts[slug] = id;
});
afterAll(() => site.close());

/** Creates a visitor's client with the token in a header, as the server does to render a preview. */
function clientWithToken(token: string): SupabaseClient {
  return createClient(site.url, PUBLISHABLE_KEY, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { headers: { 'x-preview-token': token } },
  });
}

async function newLink(options: Record<string, unknown>, client = admin.client): Promise<NewLink> {
  const { data } = await client.rpc('create_preview_link', options).throwOnError();
  return data;
}

const item = (slug: string) => ({ _kind: 'posts', _item_id: posts[slug] });

async function readSlugs(token: string): Promise<string[]> {
  const { data } = await clientWithToken(token).rpc('preview_posts').select('slug').order('slug').throwOnError();
  return (data as { slug: string }[]).map(({ slug }) => slug);
}

async function readState(token: string): Promise<unknown> {
  const { data } = await clientWithToken(token).rpc('preview_state', {}, { get: true }).throwOnError();
  return data;
}

function updateLink(assignments: string, id: string) {
  return site.backend.database.query(`update public.preview_links set ${assignments} where id = $1`, [id]);
}

function getClient(role: Person | 'visitor'): Promise<SupabaseClient> | SupabaseClient {
  return role === 'visitor' ? site.visitor : site.signedIn(role).then(({ client }) => client);
}

describe.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team']))('%s', (_label, role) => {
  test('cannot create, list, copy, change or revoke links', async () => {
    const client = await getClient(role);
    const link = await newLink(item('draft'));
    for (const [name, values] of [
      ['create_preview_link', { _shows_drafts: true }],
      ['list_preview_links', {}],
      ['revoke_preview_link', { _id: link.id }],
    ] as const) {
      expect((await client.rpc(name, values)).error?.code).toBe('42501');
    }
    expect((await client.from('preview_links').select()).data ?? []).toEqual([]);
    const row = { token_hash: '0'.repeat(64), shows_drafts: true, expires_at: inDays(1) };
    expect((await client.from('preview_links').insert(row)).error?.code).toBe('42501');
    await client.from('preview_links').update({ shows_drafts: true }).eq('id', link.id);
    await client.from('preview_links').delete().eq('id', link.id);
    expect((await site.service.from('preview_links').select('revoked_at').eq('id', link.id)).data).toEqual([
      { revoked_at: null },
    ]);
  });

  test('can read a draft only with a valid token', async () => {
    const client = await getClient(role);
    for (const token of ['', 'x', 'A'.repeat(43), '%', "' or true --", 'null']) {
      const response = await client.rpc('preview_posts').setHeader('x-preview-token', token);
      expect(response).toMatchObject({ status: 404, error: { code: 'PT404', message: 'Preview not found.' } });
    }
    expect((await client.from('posts').select('slug').eq('slug', 'draft')).data).toEqual([]);
    const { token } = await newLink(item('draft'));
    const { data } = await client.rpc('preview_posts').setHeader('x-preview-token', token).eq('slug', 'draft');
    expect(data).toMatchObject([{ title: 'Draft', status: 'published' }]);
    // The token gives no access to the table itself.
    const table = await client.from('posts').select('slug').setHeader('x-preview-token', token).eq('slug', 'draft');
    expect(table.data).toEqual([]);
  });
});

test('An admin can create, list, copy and revoke links, but cannot insert rows directly', async () => {
  const link = await newLink({ ...item('draft'), _hours: 1 });
  expect(link.token).toMatch(/^[\w-]{43}$/);
  const otherAdmin = await site.signedIn('admin');
  const { data: listedLinks } = await otherAdmin.client.rpc('list_preview_links').throwOnError();
  expect(listedLinks).toContainEqual(
    expect.objectContaining({ id: link.id, token: link.token, title: 'Draft', kind: 'posts', item_id: posts['draft'] }),
  );
  const row = { token_hash: '0'.repeat(64), shows_drafts: true, expires_at: inDays(1) };
  expect((await otherAdmin.client.from('preview_links').insert(row)).error?.code).toBe('42501');
  await otherAdmin.client.rpc('revoke_preview_link', { _id: link.id }).throwOnError();
  await otherAdmin.client.rpc('revoke_preview_link', { _id: link.id }).throwOnError();
  const { data: remaining } = await otherAdmin.client.rpc('list_preview_links').throwOnError();
  expect(remaining.map(({ id }: { id: string }) => id)).not.toContain(link.id);
});

test('The row contains the hash of the token, but never the token', async () => {
  const { id, token } = await newLink(item('draft'));
  const { data } = await site.service.from('preview_links').select().eq('id', id).single().throwOnError();
  expect(JSON.stringify(data)).not.toContain(token);
  expect(data.token_hash).toBe(Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(token))).toString('hex'));
  // The private schema is not exposed.
  expect((await admin.client.schema('private').from('secrets').select()).error?.code).toBe('PGRST106');
});

test('A link shows the published rows, and depending on its options one draft, all drafts, or the site on a date', async () => {
  expect(await readSlugs((await newLink(item('draft'))).token)).toEqual(['draft', 'open']);
  expect(await readSlugs((await newLink(item('soon'))).token)).toEqual(['open', 'soon']);
  expect(await readSlugs((await newLink({ ...item('draft'), _as_of: inDays(5) })).token)).toEqual([
    'draft',
    'open',
    'soon',
  ]);
  expect(await readSlugs((await newLink({ _shows_drafts: true })).token)).toEqual([
    'draft',
    'later',
    'open',
    'other',
    'soon',
  ]);
  expect(await readSlugs((await newLink({ _as_of: inDays(5) })).token)).toEqual(['open', 'soon']);
  expect(await readSlugs((await newLink({ _as_of: inDays(5), _shows_drafts: true })).token)).toEqual([
    'draft',
    'open',
    'other',
    'soon',
  ]);
});

test('The preview function of every kind returns drafts as published rows and requires a token', async () => {
  const { rows: kinds } = await site.backend.database.query<{ table_name: string; title_column: string }>(
    'select table_name, title_column from private.content_kinds',
  );
  const { token } = await newLink({ _shows_drafts: true });
  for (const { table_name, title_column } of kinds) {
    const draft = { [title_column]: 'Unpublished', ...(/posts|projects|services/.test(table_name) && { slug: 'u' }) };
    const requiredColumns = table_name === 'reviews' ? { quote: 'q' } : {};
    await site.service
      .from(table_name)
      .insert({ ...draft, ...requiredColumns, status: 'draft' })
      .throwOnError();
    const readPreview = (client: SupabaseClient) =>
      client.rpc(`preview_${table_name}`, {}, { get: true }).eq(title_column, 'Unpublished').eq('status', 'published');
    expect((await readPreview(site.visitor)).status).toBe(404);
    expect((await readPreview(clientWithToken(token)).throwOnError()).data).toHaveLength(1);
    const { data } = await site.service.from(table_name).delete().eq(title_column, 'Unpublished').select('status');
    expect(data).toEqual([{ status: 'draft' }]);
  }
});

test('A link stops working when it is revoked, when it expires or when its creator is no longer an admin', async () => {
  const formerAdmin = await site.signedIn('admin');
  const links = {
    revoked: await newLink({ _shows_drafts: true }),
    expired: await newLink({ _shows_drafts: true }),
    demoted: await newLink({ _shows_drafts: true }, formerAdmin.client),
    deleted: await newLink({ _shows_drafts: true }, (await site.signedIn('admin')).client),
  };
  for (const { token } of Object.values(links)) {
    expect(await readState(token)).toMatchObject({ state: 'open' });
    expect(await readSlugs(token)).toContain('draft');
  }
  await admin.client.rpc('revoke_preview_link', { _id: links.revoked.id }).throwOnError();
  await updateLink(
    `created_at = now() - interval '2 days', expires_at = now() - interval '1 second'`,
    links.expired.id,
  );
  await site.service.from('user_roles').update({ role: 'client' }).eq('user_id', formerAdmin.id).throwOnError();
  await updateLink('created_by = null', links.deleted.id);
  for (const { token } of Object.values(links)) {
    expect(await readState(token)).toEqual({ state: 'ended' });
    expect(await clientWithToken(token).rpc('preview_posts')).toMatchObject({ status: 410, error: { code: 'PT410' } });
    expect((await site.visitor.rpc('open_preview', { _token: token })).data).toEqual({ state: 'ended' });
  }
  const { data: listedLinks } = await admin.client.rpc('list_preview_links').throwOnError();
  const endedIds = Object.values(links).map(({ id }) => id);
  expect(listedLinks.filter(({ id }: { id: string }) => endedIds.includes(id))).toEqual([]);
});

test('A truncated, extended or changed token is rejected as unknown', async () => {
  const { id, token } = await newLink(item('draft'));
  const flipped = token.startsWith('A') ? `B${token.slice(1)}` : `A${token.slice(1)}`;
  const { data: row } = await site.service.from('preview_links').select('token_hash').eq('id', id).single();
  for (const invalidToken of [token.slice(0, -1), `${token}A`, flipped, token.toLowerCase(), row?.token_hash, id]) {
    expect(await readState(invalidToken)).toEqual({ state: 'unknown' });
    expect((await clientWithToken(invalidToken).rpc('preview_posts')).status).toBe(404);
  }
  expect((await site.visitor.rpc('open_preview', { _token: token })).data).toMatchObject({ state: 'open', id });
});

test('Invalid preview options and durations are rejected with an error message', async () => {
  const createAndReadError = async (options: Record<string, unknown>) =>
    (await admin.client.rpc('create_preview_link', options)).error?.message;
  for (const _hours of [0, 337, -1, null]) {
    expect(await createAndReadError({ ...item('draft'), _hours })).toBe(
      'A preview link must be valid for between 1 hour and 14 days.',
    );
  }
  for (const _as_of of [inDays(-3), inDays(3000), 'infinity']) {
    expect(await createAndReadError({ _as_of })).toBe('Please choose a date between today and five years from now.');
  }
  for (const values of [
    { _kind: 'posts', _item_id: crypto.randomUUID() },
    { _kind: 'posts', _item_id: 'x' },
    { _kind: 'posts' },
    { _kind: 'user_roles', _item_id: admin.id },
    { _kind: 'posts; drop table public.posts', _item_id: posts['draft'] },
  ]) {
    expect(await createAndReadError(values)).toBe('Item not found.');
  }
  expect(await createAndReadError({})).toBe('Please choose what the preview shows.');
  const longestLink = await newLink({ ...item('draft'), _hours: 336 });
  expect(Math.abs(Date.parse(longestLink.expires_at) - Date.now() - 14 * DAY_MS)).toBeLessThan(60_000);
});

test('An admin can create at most 60 links an hour, and the site can have at most 100 active links', async () => {
  const busyAdmin = await site.signedIn('admin');
  const insertLinks = (count: number, creator: string, created: string) =>
    site.backend.database.query(
      `insert into public.preview_links (token_hash, shows_drafts, created_by, created_at, expires_at)
       select encode(sha256(uuid_send(gen_random_uuid())), 'hex'), true, $2, ${created}, now() + interval '2 hours'
       from generate_series(1, $1::integer)`,
      [count, creator],
    );
  await insertLinks(60, busyAdmin.id, 'now()');
  const response = await busyAdmin.client.rpc('create_preview_link', { _shows_drafts: true });
  expect(response).toMatchObject({ status: 429, error: { message: expect.stringContaining('Try again in an hour') } });
  await newLink({ _shows_drafts: true });
  await insertLinks(100, busyAdmin.id, `now() - interval '2 days'`);
  const limit = await admin.client.rpc('create_preview_link', { _shows_drafts: true });
  expect(limit).toMatchObject({ status: 429, error: { message: expect.stringContaining('100 preview links') } });
  await site.backend.database.query('delete from public.preview_links where created_by = $1', [busyAdmin.id]);
  await newLink({ _shows_drafts: true });
});

test('Guesses are rejected after 30 unknown tokens, but a valid token still works', async () => {
  const rateLimited = await startTestBackend({ RATE_LIMITS: 'on' });
  const guess = (_token: string) => rateLimited.visitor.rpc('open_preview', { _token });
  for (let index = 0; index < 30; index++) expect((await guess(`wrong ${index}`)).data).toEqual({ state: 'unknown' });
  expect(await guess('wrong again')).toMatchObject({ status: 429, error: { code: 'PT429' } });
  const { client } = await rateLimited.signedIn('admin');
  const { data } = await client.rpc('create_preview_link', { _shows_drafts: true }).throwOnError();
  expect((await guess(data.token)).data).toMatchObject({ state: 'open' });
  await rateLimited.close();
});

describe('Previews of releases', () => {
  let release: string;
  let section: string;
  const [liveId, removedId] = [crypto.randomUUID(), crypto.randomUUID()];

  beforeAll(async () => {
    const rows = [
      { id: liveId, title: 'Live', slug: 'live', excerpt: 'Old', status: 'published', published_date: inDays(-1) },
      {
        id: removedId,
        title: 'Removed',
        slug: 'removed',
        excerpt: 'Old',
        status: 'published',
        published_date: inDays(-1),
      },
    ];
    const { data: storedPosts } = await site.service.from('posts').insert(rows).select().throwOnError();
    const findRow = (id: string) => storedPosts.find((row) => row.id === id);
    section = JSON.stringify({ title: 'Soon', description: 'Soon' });
    const { data } = await admin.client
      .from('releases')
      .insert({ name: 'March', publish_at: inDays(4) })
      .select('id')
      .single()
      .throwOnError();
    release = data.id;
    const change = (kind: string, item_id: string, action: string, data: object | null, base: object | null) =>
      admin.client
        .from('release_changes')
        .insert({ release_id: release, kind, item_id, action, data, base })
        .throwOnError();
    const addedId = crypto.randomUUID();
    const addedPost = { title: 'Added', slug: 'added', status: 'published', published_date: inDays(-1) };
    await change('posts', liveId, 'update', { ...findRow(liveId), excerpt: 'New' }, findRow(liveId));
    await change('posts', removedId, 'delete', null, findRow(removedId));
    await change('posts', addedId, 'create', { ...findRow(liveId), ...addedPost, id: addedId }, null);
    for (const [page_slug, key] of [['news', 'news/header']] as const) {
      const row = {
        id: crypto.randomUUID(),
        page_slug,
        section_name: 'header',
        content: section,
        content_type: 'json',
      };
      await change('page_content', key, 'create', row, null);
    }
    for (const setting_key of ['site_name', 'lead_webhook_url']) {
      const { data: rows } = await site.service.from('site_settings').select().eq('setting_key', setting_key);
      const [base = null] = rows ?? [];
      const row = { ...base, id: base?.id ?? crypto.randomUUID(), setting_key, setting_value: 'https://next.example' };
      await change('site_settings', setting_key, base ? 'update' : 'create', row, base);
    }
  });

  const readExcerpts = async (token: string) => {
    const { data } = await clientWithToken(token)
      .rpc('preview_posts')
      .select('slug, excerpt')
      .order('slug')
      .throwOnError();
    return data as { slug: string; excerpt: string }[];
  };

  test('A link to a release or a date shows the scheduled changes merged with changes that others published later', async () => {
    await site.service.from('posts').update({ title: 'Renamed' }).eq('id', liveId).throwOnError();
    for (const options of [{ _release_id: release }, { _as_of: inDays(5) }, { _as_of: inDays(5), ...item('draft') }]) {
      const { token } = await newLink(options);
      const { data } = await clientWithToken(token)
        .rpc('preview_posts')
        .select('slug, title, excerpt')
        .eq('slug', 'live');
      expect(data).toEqual([{ slug: 'live', title: 'Renamed', excerpt: 'New' }]);
      const slugs = (await readExcerpts(token)).map(({ slug }) => slug);
      expect(slugs).toContain('added');
      expect(slugs).not.toContain('removed');
      const sections = await clientWithToken(token)
        .rpc('preview_page_content')
        .select('content')
        .eq('page_slug', 'news');
      expect(sections.data).toEqual([{ content: section }]);
    }
  });

  test('A link to drafts, an item or an earlier date does not show the release', async () => {
    for (const options of [{ _shows_drafts: true }, item('draft'), { _as_of: inDays(3) }]) {
      const { token } = await newLink(options);
      expect(await readExcerpts(token)).toContainEqual({ slug: 'live', excerpt: 'Old' });
      const slugs = (await readExcerpts(token)).map(({ slug }) => slug);
      expect(slugs).toContain('removed');
      expect(slugs).not.toContain('added');
    }
    // The release is also hidden without a link.
    expect(
      (await site.visitor.from('posts').select('slug').in('slug', ['live', 'removed', 'added'])).data,
    ).toHaveLength(2);
    for (const name of ['preview_page_content', 'preview_site_settings']) {
      expect((await site.visitor.rpc(name)).status).toBe(404);
    }
  });

  test('A link does not show settings that visitors cannot read', async () => {
    const { token } = await newLink({ _release_id: release });
    const { data } = await clientWithToken(token)
      .rpc('preview_site_settings')
      .select('setting_key, setting_value')
      .throwOnError();
    expect(data).toContainEqual({ setting_key: 'site_name', setting_value: 'https://next.example' });
    const keys = (data as { setting_key: string }[]).map(({ setting_key }) => setting_key);
    expect(keys).not.toContain('lead_webhook_url');
    const { data: publicSettings } = await site.visitor.from('site_settings').select('setting_key').throwOnError();
    expect(new Set(keys)).toEqual(new Set([...publicSettings.map(({ setting_key }) => setting_key), 'site_name']));
  });

  test('Deleting a release deletes its links, and no link can be created for a missing release', async () => {
    const { data } = await admin.client.from('releases').insert({ name: 'Never' }).select('id').single().throwOnError();
    const { token } = await newLink({ _release_id: data.id });
    expect(await readState(token)).toMatchObject({ state: 'open', release: 'Never' });
    await admin.client.from('releases').delete().eq('id', data.id).throwOnError();
    expect(await readState(token)).toEqual({ state: 'unknown' });
    const response = await admin.client.rpc('create_preview_link', { _release_id: data.id });
    expect(response.error?.message).toBe('This release was not found or has already been published.');
  });

  test("A user's data export lists their preview links without tokens or content", async () => {
    const { data } = await admin.client.rpc('my_data').throwOnError();
    expect(data.preview_links.length).toBeGreaterThan(0);
    expect(Object.keys(data.preview_links[0]).sort()).toEqual(['at', 'revoked_at', 'until']);
  });
});
