/** Previews from the real server. Holders of a link see the site with its drafts, and no one else does. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { newDataFolder, removeFolder, type SiteProcess, startSite } from '../support/site.ts';

const WORD = 'Quillomite';
const SLUG = 'quillomite-notes';
const CASE_SLUG = 'quillomite-case';
/** Matches a text that identifies a draft. It is a word in the draft, its slug, or the host of its image. */
const DRAFT_PATTERN = /quillomite|far\.example/i;
/** Tables with content or its metadata. */
const TABLES = [
  'posts',
  'projects',
  'services',
  'reviews',
  'team_members',
  'faq',
  'page_content',
  'site_settings',
  'slug_aliases',
  'content_versions',
  'deleted_content',
  'releases',
  'release_changes',
  'preview_links',
];
const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString();
const WITHOUT_SESSION = { auth: { persistSession: false, autoRefreshToken: false } };

let site: SiteProcess;
let service: SupabaseClient;
let admin: SupabaseClient;
let postId: string;

beforeAll(async () => {
  const { folder, secretKey } = await newDataFolder('on');
  site = await startSite(folder);
  service = createClient(site.url, secretKey, WITHOUT_SESSION);
  admin = await newAdmin();
  const { data } = await service
    .from('posts')
    .insert({
      title: `${WORD} notes`,
      slug: SLUG,
      excerpt: `What ${WORD} is`,
      content: `All about ${WORD}.\n\n[Read on](/about) and ![far](https://far.example/a.png)`,
      status: 'draft',
      published_date: inDays(-1),
    })
    .select('id')
    .single()
    .throwOnError();
  postId = data.id;
  await service
    .from('posts')
    .insert({ title: 'Nearing', slug: 'nearing', status: 'published', published_date: inDays(3) });
  await service
    .from('projects')
    .insert({ title: `${WORD} case`, slug: CASE_SLUG, full_content: WORD, status: 'draft' });
  await service
    .from('team_members')
    .insert({ name: `${WORD} Hansen`, status: 'draft' })
    .throwOnError();
});
afterAll(async () => {
  await site.stop();
  await removeFolder(site.dataFolder);
});

async function newAdmin(): Promise<SupabaseClient> {
  const email = `admin-${crypto.randomUUID()}@example.com`;
  const password = 'Password-1';
  const { data } = await service.auth.admin.createUser({ email, password, email_confirm: true });
  await service.from('user_roles').insert({ user_id: data.user?.id, role: 'admin', approved: true }).throwOnError();
  const client = createClient(site.url, PUBLISHABLE_KEY, WITHOUT_SESSION);
  await client.auth.signInWithPassword({ email, password });
  return client;
}

async function newLink(
  options: Record<string, unknown> = { _shows_drafts: true },
): Promise<{ id: string; token: string }> {
  const { data } = await admin.rpc('create_preview_link', options).throwOnError();
  return data;
}

const itemLink = () => newLink({ _kind: 'posts', _item_id: postId });

/** Opens a link by posting its token, as the page at /preview does. */
async function openLink(token: string, headers: Record<string, string> = {}, origin = site.url) {
  const response = await fetch(`${origin}/preview`, {
    method: 'POST',
    body: new URLSearchParams({ token }),
    headers,
    redirect: 'manual',
  });
  return { response, text: await response.text(), cookie: response.headers.get('set-cookie') ?? '' };
}

/** Requests pages in a preview, as the browser that opened the link does. */
async function openPreview({ id, token }: { id: string; token: string }, origin = site.url) {
  const { response, cookie } = await openLink(token, {}, origin);
  expect(response.status).toBe(303);
  const [cookiePair = ''] = cookie.split(';');
  const base = `${origin}/preview/${id}`;
  const get = (path: string, init: RequestInit = {}) =>
    fetch(base + path, { redirect: 'manual', ...init, headers: { ...init.headers, cookie: cookiePair } });
  return { base, cookie, pair: cookiePair, location: response.headers.get('location'), get };
}

const fetchText = async (path: string, origin = site.url) => (await fetch(origin + path)).text();

const PUBLIC_PATHS = [
  '/',
  '/news',
  `/news/${SLUG}`,
  '/projects',
  `/projects?case=${CASE_SLUG}`,
  '/about',
  '/sitemap.xml',
  '/rss.xml',
];

/** Returns true if a page mentions the drafts. A page that repeats its URL contains the slug in lower case. */
const mentionsDrafts = (page: string) => page.includes(WORD) || page.includes(`<loc>${site.url}/news/${SLUG}</loc>`);

async function findLeaks(): Promise<boolean[]> {
  return Promise.all(PUBLIC_PATHS.map(async (path) => mentionsDrafts(await fetchText(path))));
}

const ALL_MENTIONED = PUBLIC_PATHS.map(() => true);
const NONE_MENTIONED = PUBLIC_PATHS.map(() => false);

describe('Drafts', () => {
  test('are on every page, feed and picture in a preview, and never outside it', async () => {
    expect(await findLeaks()).toEqual(NONE_MENTIONED);
    const { get } = await openPreview(await newLink());
    for (const path of PUBLIC_PATHS) {
      expect(mentionsDrafts(await (await get(path)).text()), path).toBe(true);
      expect(mentionsDrafts(await fetchText(path)), path).toBe(false);
    }
    const picture = `/og.png?path=/news/${SLUG}`;
    expect((await get(picture)).headers.get('content-type')).toBe('image/png');
    expect((await fetch(site.url + picture)).status).toBe(404);
    expect(await findLeaks()).toEqual(NONE_MENTIONED);
  });

  test('do not leak if both versions are rendered concurrently, or after content changes', async () => {
    const { get } = await openPreview(await newLink());
    const { data } = await service.from('site_settings').select('setting_value').eq('setting_key', 'site_name');
    for (let round = 0; round < 5; round++) {
      // Invalidates the cache, so that all pages are rendered again.
      await service
        .from('site_settings')
        .upsert({ setting_key: 'site_name', setting_value: `Fjord ${round}` }, { onConflict: 'setting_key' })
        .throwOnError();
      const inside = Promise.all(PUBLIC_PATHS.map(async (path) => mentionsDrafts(await (await get(path)).text())));
      const leaks = findLeaks();
      expect(await inside).toEqual(ALL_MENTIONED);
      expect(await leaks).toEqual(NONE_MENTIONED);
    }
    const setting_value = data?.[0]?.setting_value ?? '';
    await service
      .from('site_settings')
      .upsert({ setting_key: 'site_name', setting_value }, { onConflict: 'setting_key' });
  });

  test('are not available in the table API or to the assistant until they are published', async () => {
    const visitor = createClient(site.url, PUBLISHABLE_KEY, WITHOUT_SESSION);
    const { token } = await newLink();
    const readAsVisitor = async () => {
      const { data } = await visitor.from('posts').select('title').eq('slug', SLUG).setHeader('x-preview-token', token);
      const reply = await fetch(`${site.url}/functions/v1/ai-chat`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${PUBLISHABLE_KEY}`,
          'content-type': 'application/json',
          'x-preview-token': token,
        },
        body: JSON.stringify({ messages: [{ role: 'user', content: `${WORD} notes` }] }),
      });
      const files = await visitor.storage.from('content-media').list('', {});
      return {
        rows: data?.length,
        isMentioned: (await reply.text()).includes(`/news/${SLUG}`),
        files: files.data ?? [],
      };
    };
    expect(await readAsVisitor()).toEqual({ rows: 0, isMentioned: false, files: [] });
    await service.from('posts').update({ status: 'published' }).eq('id', postId).throwOnError();
    expect(await readAsVisitor()).toEqual({ rows: 1, isMentioned: true, files: [] });
    await service.from('posts').update({ status: 'draft' }).eq('id', postId).throwOnError();
    await service.from('slug_aliases').delete().eq('slug', SLUG).throwOnError();
    expect(await findLeaks()).toEqual(NONE_MENTIONED);
  });

  test('are in no other table and in no response of a function, even for the holder of a link', async () => {
    const visitor = createClient(site.url, PUBLISHABLE_KEY, WITHOUT_SESSION);
    const { token } = await newLink();
    const requestEverything = async (client: SupabaseClient) =>
      Promise.all([
        ...TABLES.map((table) => client.from(table).select('*').setHeader('x-preview-token', token)),
        client.rpc('published_content').setHeader('x-preview-token', token),
        client.rpc('content_origins').setHeader('x-preview-token', token),
        client.rpc('search_posts', { _words: [WORD.toLowerCase()] }).setHeader('x-preview-token', token),
        client.rpc('search_everywhere', { _query: WORD }).setHeader('x-preview-token', token),
      ]);
    for (const response of await requestEverything(visitor))
      expect(JSON.stringify(response.data)).not.toMatch(DRAFT_PATTERN);
    // An admin finds the drafts with the same requests.
    const adminResponses = await requestEverything(admin);
    expect(adminResponses.map(({ error }) => error)).toEqual(adminResponses.map(() => null));
    expect(adminResponses.filter(({ data }) => DRAFT_PATTERN.test(JSON.stringify(data))).length).toBeGreaterThan(4);
  });

  test("can be read by scripts in the preview, and all other requests have a visitor's rights", async () => {
    const { get, base } = await openPreview(await itemLink());
    const query = `/rest/v1/posts?select=title,status&slug=eq.${SLUG}&status=eq.published`;
    const preview = await get(query, { headers: { apikey: PUBLISHABLE_KEY } });
    expect(await preview.json()).toEqual([{ title: `${WORD} notes`, status: 'published' }]);
    expect(preview.headers.get('cache-control')).toBe('private, no-store');
    // The same query finds no draft without the cookie or outside the preview.
    expect((await fetch(base + query, { headers: { apikey: PUBLISHABLE_KEY } })).status).toBe(404);
    expect(await (await fetch(site.url + query, { headers: { apikey: PUBLISHABLE_KEY } })).json()).toEqual([]);
    const page = await get('/news');
    expect(await page.text()).toContain(`<meta name="supabase-url" content="${new URL(base).pathname}"`);
    const creation = await get('/rest/v1/conversations', {
      method: 'POST',
      headers: { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json', prefer: 'return=representation' },
      body: '{}',
    });
    expect(creation.status).toBe(201);
    const deletion = await get(`/rest/v1/posts?id=eq.${postId}`, {
      method: 'DELETE',
      headers: { apikey: PUBLISHABLE_KEY },
    });
    expect(deletion.status).toBe(401);
  });
});

test('A preview page is the real page with a bar, private to one browser and not cached', async () => {
  const { get, location, cookie, base } = await openPreview(await itemLink());
  expect(location).toBe(`${new URL(base).pathname}/news/${SLUG}`);
  expect(cookie).toMatch(/^preview=[\w-]{43}; Path=\/preview\/[\da-f-]{36}; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
  const page = await get(`/news/${SLUG}`, { headers: { 'accept-encoding': 'identity' } });
  expect(page.status).toBe(200);
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'SAMEORIGIN',
  });
  const html = await page.text();
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).toContain('aria-label="Preview"');
  expect(html).toContain(`“${WORD} notes”`);
  const { pathname } = new URL(base);
  expect(html).toContain(`href="${pathname}/about"`);
  expect(html).toContain(`action="${pathname}/leave"`);
  // Every internal link stays in the preview.
  const links = [...html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, href = '']) => href);
  expect(links.length).toBeGreaterThan(8);
  expect(links.filter((href) => !href.startsWith(`${pathname}/`))).toEqual([]);
  expect(page.headers.get('content-security-policy')).toMatch(/img-src [^;]*https:/);

  const response = await get('/leave', { method: 'POST' });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe('/');
  expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
});

test('A link to one item shows no other draft, and a link with a date shows items due by that date', async () => {
  const itemPreview = await openPreview(await itemLink());
  expect(await (await itemPreview.get('/news')).text()).toContain(`What ${WORD} is`);
  expect(await (await itemPreview.get('/projects')).text()).not.toContain(`${WORD} case`);
  const datedPreview = await openPreview(await newLink({ _as_of: inDays(5) }));
  const news = await (await datedPreview.get('/news')).text();
  expect(news).toContain('Nearing');
  expect(news).not.toContain(WORD);
  expect(await (await datedPreview.get('/')).text()).toContain('The site as of ');
  expect(await fetchText('/news')).not.toContain('Nearing');
});

test('Truncated, forged, revoked and expired links show an error immediately, including on open pages', async () => {
  const { id, token } = await newLink();
  const { get, pair } = await openPreview({ id, token });
  for (const invalidToken of [
    token.slice(0, -1),
    `${token}x`,
    'A'.repeat(43),
    '',
    id,
    "' or true --",
    'x'.repeat(5000),
  ]) {
    const { response, text: page, cookie } = await openLink(invalidToken);
    expect(response.status).toBe(404);
    expect(page).toContain('Preview not found');
    expect(cookie).toBe('');
  }
  for (const [path, headers] of [
    [`/preview/${id}/news`, {}],
    [`/preview/${id}/news`, { cookie: 'preview=' }],
    [`/preview/${id}/news`, { cookie: `preview=${'A'.repeat(43)}` }],
    [`/preview/${crypto.randomUUID()}/news`, { cookie: pair }],
    ['/preview/x/news', { cookie: pair }],
  ] as const) {
    const response = await fetch(site.url + path, { headers });
    expect(response.status, path).toBe(404);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(await response.text()).not.toContain(WORD);
  }
  expect((await get('/news')).status).toBe(200);
  await admin.rpc('revoke_preview_link', { _id: id }).throwOnError();
  const revoked = await get('/news');
  expect(revoked.status).toBe(410);
  const page = await revoked.text();
  expect(page).toContain('This preview has expired');
  expect(page).not.toContain(WORD);
  expect((await get('/rest/v1/posts', { headers: { apikey: PUBLISHABLE_KEY } })).status).toBe(410);
  expect((await openLink(token)).response.status).toBe(410);
});

test('A cross-site request cannot open a preview, and the token is accepted only from the form', async () => {
  const { token, id } = await newLink();
  expect((await openLink(token, { 'sec-fetch-site': 'cross-site' })).response.status).toBe(404);
  expect((await openLink(token, { 'sec-fetch-site': 'same-origin' })).response.status).toBe(303);
  expect((await fetch(`${site.url}/preview?token=${token}`)).headers.get('set-cookie')).toBeNull();
  expect((await fetch(`${site.url}/preview/${id}/news`, { method: 'PUT' })).status).toBe(405);
  const entryPage = await fetch(`${site.url}/preview`);
  expect(entryPage.status).toBe(200);
  expect(entryPage.headers.get('x-robots-tag')).toBe('noindex, nofollow');
  expect(await fetchText('/robots.txt')).toContain('Disallow: /preview');
});

test('A preview is available while the gate is on, and pages outside it are not', async () => {
  const { id, token } = await newLink();
  const { dataFolder } = site;
  await site.stop();
  site = await startSite(dataFolder, { PREVIEW_GATE: 'on' });
  const { get } = await openPreview({ id, token });
  const page = await (await get(`/news/${SLUG}`)).text();
  expect(page).toContain(`All about ${WORD}`);
  expect(page).not.toContain('gate-challenge');
  expect(await fetchText(`/news/${SLUG}`)).toContain('gate-challenge');
  expect(await fetchText('/news')).not.toContain(WORD);
  expect((await fetch(`${site.url}/rss.xml`)).status).toBe(404);
  // The server's HTML for account pages contains no data.
  expect(await (await get('/admin/posts')).text()).not.toContain(WORD);
});

test('The server log contains no tokens', async () => {
  const { token } = await newLink({ _shows_drafts: true }).catch(() => ({ token: 'none' }));
  await openLink(token);
  await openLink('B'.repeat(43));
  expect(site.output()).not.toContain(token);
  expect(site.output()).not.toContain('B'.repeat(43));
});
