/**
 * Pages from the real server. Tests that they are current after every change, that the gate protects them, and that
 * they can show an external project.
 */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { newDataFolder, removeFolder, type SiteProcess, startSite } from '../support/site.ts';

let site: SiteProcess;
let secretKey: string;

beforeAll(async () => {
  const data = await newDataFolder('on');
  secretKey = data.secretKey;
  site = await startSite(data.folder);
});
afterAll(async () => {
  await site.stop();
  await removeFolder(site.dataFolder);
});

async function fetchText(path: string, origin = site.url): Promise<string> {
  return (await fetch(origin + path)).text();
}

async function setSiteName(name: string): Promise<number> {
  return save('site_settings?on_conflict=setting_key', { setting_key: 'site_name', setting_value: name });
}

/** Inserts or updates rows with the secret key. Returns the status of the response. */
async function save(path: string, rows: Record<string, unknown> | Record<string, unknown>[]): Promise<number> {
  const response = await fetch(`${site.url}/rest/v1/${path}`, {
    method: 'POST',
    headers: {
      apikey: secretKey,
      'content-type': 'application/json',
      prefer: 'resolution=merge-duplicates',
    },
    body: JSON.stringify(rows),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Returns the sources of a directive in a page's content security policy. */
async function readSources(directive: string, path: string, origin = site.url): Promise<string | undefined> {
  const policy = (await fetch(origin + path)).headers.get('content-security-policy') ?? '';
  return new RegExp(`(?:^|; )${directive} ([^;]+)`).exec(policy)?.[1];
}

test('A page shows every change immediately, a hundred times in a row', async () => {
  for (let n = 0; n < 100; n++) {
    const status = await setSiteName(`Fjord number ${n}.`);
    expect(status).toBeLessThan(300);
    expect(await fetchText('/contact')).toContain(`Fjord number ${n}.`);
  }
});

test('Concurrent readers never get an old page after the response to a change', async () => {
  let isFinished = false;
  let savedVersion = 0;
  const read = async () => {
    while (!isFinished) {
      const minimum = savedVersion;
      const version = /Version (\d+)\./.exec(await fetchText('/contact'))?.[1];
      if (version !== undefined) expect(Number(version)).toBeGreaterThanOrEqual(minimum);
    }
  };
  const write = async () => {
    for (let n = 1; n <= 20; n++) {
      await setSiteName(`Version ${n}.`);
      savedVersion = n;
    }
    isFinished = true;
  };
  await Promise.all([write(), read(), read(), read()]);
  expect(await fetchText('/contact')).toContain('Version 20.');
});

test('The policy allows the picture and frame hosts of content as soon as it is published', async () => {
  const ownSources = `'self' data: blob: ${site.url}`;
  const post = { title: 'Far', slug: 'far', featured_image: 'https://far.example/a.png', published_date: '2020-01-01' };
  for (const path of ['/', '/about', '/auth', '/no-such-page', '/news/far']) {
    expect(await readSources('img-src', path)).toBe(ownSources);
    expect(await readSources('frame-src', path)).toBe("'self'");
  }
  expect(await save('posts?on_conflict=slug', { ...post, status: 'draft' })).toBeLessThan(300);
  expect(await readSources('img-src', '/about')).toBe(ownSources);
  expect(await save('posts?on_conflict=slug', { ...post, status: 'published' })).toBeLessThan(300);
  for (const path of ['/', '/about', '/auth', '/no-such-page', '/news/far']) {
    expect(await readSources('img-src', path)).toBe(`${ownSources} https://far.example`);
  }

  const booking = { calendlyPlaceholder: 'https://cal.example/me' };
  const section = {
    page_slug: 'home',
    section_name: 'booking',
    content: JSON.stringify(booking),
    content_type: 'json',
  };
  expect(await save('page_content?on_conflict=page_slug,section_name', section)).toBeLessThan(300);
  expect(await readSources('frame-src', '/about')).toBe("'self' https://cal.example");
  expect(await readSources('img-src', '/about')).toBe(`${ownSources} https://far.example`);

  // Admin pages can load images from any host, because only admins open them. The embedded chat shows no images.
  expect(await readSources('img-src', '/admin/posts')).toBe(`${ownSources} https://far.example https:`);
  expect(await readSources('frame-src', '/admin/posts')).toBe("'self' https://cal.example");
  expect(await readSources('img-src', '/chat-embed')).toBe("'self'");
  expect(await readSources('frame-src', '/chat-embed')).toBe("'self'");

  expect(await save('posts?on_conflict=slug', { ...post, status: 'draft' })).toBeLessThan(300);
  expect(await readSources('img-src', '/about')).toBe(ownSources);
});

test("The embedded chat may load the logo from another project's host, and nothing else from there", async () => {
  const picture = (host: string) => ({
    address: `${host}/storage/v1/object/public/content-media/logos/a.png`,
    width: 40,
    height: 40,
  });
  const show = (light: string, dark: string) =>
    save('site_settings?on_conflict=setting_key', {
      setting_key: 'brand_logo',
      setting_value: light && JSON.stringify({ light: picture(light), dark: picture(dark), showsName: true }),
    });
  expect(await show('https://project.example', '')).toBeLessThan(300);
  expect(await readSources('img-src', '/chat-embed')).toBe("'self' https://project.example");
  expect(await readSources('frame-src', '/chat-embed')).toBe("'self'");
  expect(await show('', '')).toBeLessThan(300);
  expect(await readSources('img-src', '/chat-embed')).toBe("'self'");
});

test('Only a page with published videos may frame their players', async () => {
  const before = await readSources('frame-src', '/about');
  const youtube = `${before} https://www.youtube-nocookie.com`;
  const vimeo = `${before} https://player.vimeo.com`;
  const film = 'Look:\n\nhttps://youtu.be/dQw4w9WgXcQ?t=10';
  const post = { title: 'Film', slug: 'film', content: film, published_date: '2020-01-01', status: 'draft' };
  const project = { title: 'Film', slug: 'film', full_content: 'https://vimeo.com/76979871', status: 'published' };
  const service = { title: 'Film', slug: 'film', long_description: film, status: 'published' };
  const question = { question: 'Film?', answer: 'https://vimeo.com/76979871', status: 'published' };
  const lookAlike = {
    ...post,
    slug: 'not-a-film',
    status: 'published',
    content: film.replace('.be/', '.be.evil.example/'),
  };
  expect(await save('posts', [post, lookAlike])).toBeLessThan(300);
  expect(await save('projects', project)).toBeLessThan(300);
  for (const path of ['/', '/news', '/news/film', '/news/not-a-film', '/services', '/projects', '/contact']) {
    expect(await readSources('frame-src', path)).toBe(before);
  }
  expect(await readSources('frame-src', '/projects?case=film')).toBe(vimeo);

  expect(await save('posts?on_conflict=slug', { ...post, status: 'published' })).toBeLessThan(300);
  expect(await readSources('frame-src', '/news/film')).toBe(youtube);
  expect(await fetchText('/news/film')).not.toContain('<iframe');
  expect(await save('services', service)).toBeLessThan(300);
  for (const path of ['/', '/services']) expect(await readSources('frame-src', path)).toBe(youtube);
  const setting = { setting_key: 'faq_on_contact', setting_value: 'on' };
  expect(await save('faq', question)).toBeLessThan(300);
  expect(await save('site_settings?on_conflict=setting_key', setting)).toBeLessThan(300);
  expect(await readSources('frame-src', '/contact')).toBe(vimeo);

  for (const path of ['/about', '/news', '/news/not-a-film', '/projects', '/admin/posts', '/auth']) {
    expect(await readSources('frame-src', path)).toBe(before);
  }
  expect(await readSources('media-src', '/news/film')).toBe(`'self' ${site.url}`);
});

test('A picture URL cannot add other sources to the policy, and too many hosts are replaced with https:', async () => {
  const before = await readSources('img-src', '/about');
  const hosts = ['a;script-src', '*', '*.example', "'unsafe-inline'", 'b,c', 'good.example'];
  const post = (host: string, index: number) => ({
    title: host,
    slug: `host-${index}`,
    status: 'published',
    published_date: '2020-01-01',
    featured_image: `https://${host}/x.png`,
  });
  expect(await save('posts', hosts.map(post))).toBeLessThan(300);
  expect(await readSources('img-src', '/about')).toBe(`${before} https://good.example`);
  expect(await readSources('script-src', '/about')).toMatch(/^'self'( 'sha256-\S+')+$/);

  const posts = Array.from({ length: 50 }, (_, index) => post(`h${index}.example`, 100 + index));
  expect(await save('posts', posts)).toBeLessThan(300);
  expect(await readSources('img-src', '/about')).toBe(`${before} https:`);
});

test('A page loads no script before its first paint, and loads all of its scripts afterwards', async () => {
  const page = await fetchText('/services');
  expect(page).not.toMatch(/modulepreload" href|<script[^>]* src=/);
  const [, preloads = '', entry] = /const href of (\[[^\]]+\])[\s\S]*src: "([^"]+)"/.exec(page) ?? [];
  expect(JSON.parse(preloads)).toContain(entry);
  for (const path of JSON.parse(preloads)) expect((await fetch(site.url + path)).status).toBe(200);
});

test('Search engines and feed readers find published content on an open site', async () => {
  const sitemap = await fetchText('/sitemap.xml');
  const rss = await fetchText('/rss.xml');
  const slug = /\/news\/([\w-]+)<\/loc>/.exec(sitemap)?.[1] ?? '';
  expect(sitemap).toContain(`<loc>${site.url}/about</loc>`);
  expect(rss).toContain(`<link>${site.url}/news/${slug}</link>`);
  expect(rss).toContain('<content:encoded>&#60;');
  expect(await fetchText('/robots.txt')).toContain(`Sitemap: ${site.url}/sitemap.xml`);

  const picture = await fetch(`${site.url}/og.png?path=/news/${slug}`);
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(
    Buffer.from(await picture.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  expect((await fetch(`${site.url}/og.png?path=/news/nothing-of-that-name`)).status).toBe(404);
  expect((await fetch(`${site.url}/nowhere`)).status).toBe(404);
});

test('A sitemap of more than 1,000 posts is an index whose parts list each post once', async () => {
  const posts = Array.from({ length: 1100 }, (_, n) => ({
    title: `Post ${n}`,
    slug: `mapped-${n}`,
    status: 'published',
    published_date: '2020-01-01',
  }));
  expect(await save('posts?on_conflict=slug', posts)).toBeLessThan(300);
  const readPaths = async (path: string) =>
    [...(await fetchText(path)).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url.replace(site.url, ''));
  const parts = await readPaths('/sitemap.xml');
  expect(parts.filter((path) => path.includes('posts'))).toEqual(['/sitemap/posts-1.xml', '/sitemap/posts-2.xml']);
  expect(await readPaths('/sitemap/pages.xml')).toContain('/about');
  const allPaths = (await Promise.all(parts.map(readPaths))).flat();
  expect(new Set(allPaths).size).toBe(allPaths.length);
  for (const { slug } of posts) expect(allPaths).toContain(`/news/${slug}`);
  for (const path of ['/sitemap/posts-3.xml', '/sitemap/posts-0.xml', '/sitemap/nothing-1.xml', '/sitemap/x']) {
    expect((await fetch(site.url + path)).status).toBe(404);
  }
  const deletion = { method: 'DELETE', headers: { apikey: secretKey } };
  expect((await fetch(`${site.url}/rest/v1/posts?slug=like.mapped-*`, deletion)).ok).toBe(true);
});

test('While the gate is on, no content is sent, not even to search engines', async () => {
  const { folder } = await newDataFolder('on');
  const gatedSite = await startSite(folder, { PREVIEW_GATE: 'on', PREVIEW_PASSCODE: 'geheim' });
  const home = await fetch(gatedSite.url);
  const html = await home.text();
  expect(home.headers.get('x-robots-tag')).toBe('noindex');
  expect(html).not.toContain('geheim');
  expect(html).not.toContain('Build something');
  expect(await fetchText('/robots.txt', gatedSite.url)).toBe('User-agent: *\nDisallow: /\n');
  for (const path of ['/sitemap.xml', '/rss.xml', '/og.png?path=/']) {
    expect((await fetch(gatedSite.url + path)).status).toBe(404);
  }
  await gatedSite.stop();
  await removeFolder(folder);
});

test('With SUPABASE_URL, the site shows the content of that project and creates no database', async () => {
  const folder = join(tmpdir(), `signalfjord-nothing-${crypto.randomUUID()}`);
  const projectSite = await startSite(folder, { SUPABASE_URL: site.url, SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE_KEY });
  await setSiteName('The name at the project');
  const page = await fetch(`${projectSite.url}/contact`);
  expect(await page.text()).toContain('The name at the project');
  expect(page.headers.get('content-security-policy')).toContain(`connect-src 'self' ${site.url};`);
  // The files of the project are served from its own URL.
  expect(await readSources('img-src', '/contact', projectSite.url)).toContain(` ${projectSite.url} ${site.url}`);
  expect((await fetch(`${projectSite.url}/rest/v1/posts`)).status).toBe(404);
  await projectSite.stop();
  expect(existsSync(folder)).toBe(false);
});

test('An external project gets visit counts only if its secret key is configured', async () => {
  await save('site_settings?on_conflict=setting_key', { setting_key: 'count_visits', setting_value: 'on' });
  const folder = join(tmpdir(), `signalfjord-nothing-${crypto.randomUUID()}`);
  const project = { SUPABASE_URL: site.url, SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE_KEY };
  const reportsVisits = async (origin: string) =>
    /countsVisits:!(\d)/.exec(await fetchText('/about', origin))?.[1] === '0';
  const sendVisit = (origin: string) =>
    fetch(`${origin}/visits`, {
      method: 'POST',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0' },
      body: JSON.stringify({ page: '/about', from: '', device: 'tablet', seconds: 3 }),
    });

  const withoutKey = await startSite(folder, project);
  expect(await reportsVisits(withoutKey.url)).toBe(false);
  expect((await sendVisit(withoutKey.url)).status).toBe(405);
  await withoutKey.stop();

  const withKey = await startSite(folder, { ...project, SUPABASE_SECRET_KEY: secretKey });
  expect(await reportsVisits(withKey.url)).toBe(true);
  expect((await sendVisit(withKey.url)).status).toBe(204);
  await withKey.stop();
  const counts = await fetch(`${site.url}/rest/v1/visit_counts?select=kind,name,count&order=kind`, {
    headers: { apikey: secretKey },
  });
  expect(await counts.json()).toEqual([
    { kind: 'device', name: 'tablet', count: 1 },
    { kind: 'page', name: '/about', count: 1 },
    { kind: 'referrer', name: '', count: 1 },
  ]);
});
