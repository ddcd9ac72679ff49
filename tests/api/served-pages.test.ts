/** Pages as the real server sends them: fresh after every change, closed behind the gate, and in each home. */
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../backend/http/keys.ts';
import { readSecretKey, removeFolder, type SiteProcess, startSite } from '../support/site.ts';

let site: SiteProcess;
let secretKey: string;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-pages-'));
  site = await startSite(folder);
  await site.stop();
  secretKey = await readSecretKey(folder);
  site = await startSite(folder);
});
afterAll(async () => {
  await site.stop();
  await removeFolder(site.dataFolder);
});

async function text(path: string, origin = site.url): Promise<string> {
  return (await fetch(origin + path)).text();
}

async function nameSite(name: string): Promise<number> {
  const response = await fetch(`${site.url}/rest/v1/site_settings?on_conflict=setting_key`, {
    method: 'POST',
    headers: {
      apikey: secretKey,
      'content-type': 'application/json',
      prefer: 'resolution=merge-duplicates',
    },
    body: JSON.stringify({ setting_key: 'site_name', setting_value: name }),
  });
  await response.arrayBuffer();
  return response.status;
}

test('A page shows every change at once, a hundred times in a row', async () => {
  for (let n = 0; n < 100; n++) {
    const status = await nameSite(`Fjord number ${n}.`);
    expect(status).toBeLessThan(300);
    expect(await text('/contact')).toContain(`Fjord number ${n}.`);
  }
});

test('Readers that never stop asking see no older page after a change was answered', async () => {
  let isDone = false;
  let newest = 0;
  const read = async () => {
    while (!isDone) {
      const atLeast = newest;
      const shown = /Version (\d+)\./.exec(await text('/contact'))?.[1];
      if (shown !== undefined) expect(Number(shown)).toBeGreaterThanOrEqual(atLeast);
    }
  };
  const write = async () => {
    for (let n = 1; n <= 20; n++) {
      await nameSite(`Version ${n}.`);
      newest = n;
    }
    isDone = true;
  };
  await Promise.all([write(), read(), read(), read()]);
  expect(await text('/contact')).toContain('Version 20.');
});

test('Search engines and feed readers find what is published, with the site open', async () => {
  const sitemap = await text('/sitemap.xml');
  const rss = await text('/rss.xml');
  const slug = /\/news\/([\w-]+)<\/loc>/.exec(sitemap)?.[1] ?? '';
  expect(sitemap).toContain(`<loc>${site.url}/about</loc>`);
  expect(rss).toContain(`<link>${site.url}/news/${slug}</link>`);
  expect(await text('/robots.txt')).toContain(`Sitemap: ${site.url}/sitemap.xml`);

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

test('Behind the gate nothing of the content is sent, not even to search engines', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-closed-'));
  const closed = await startSite(folder, { PREVIEW_GATE: 'on', PREVIEW_PASSCODE: 'geheim' });
  const home = await fetch(closed.url);
  const html = await home.text();
  expect(home.headers.get('x-robots-tag')).toBe('noindex');
  expect(html).not.toContain('geheim');
  expect(html).not.toContain('Build something');
  expect(await text('/robots.txt', closed.url)).toBe('User-agent: *\nDisallow: /\n');
  for (const path of ['/sitemap.xml', '/rss.xml', '/og.png?path=/']) {
    expect((await fetch(closed.url + path)).status).toBe(404);
  }
  await closed.stop();
  await removeFolder(folder);
});

test('With SUPABASE_URL the site shows the content of that project and keeps no database of its own', async () => {
  const folder = join(tmpdir(), `signalfjord-nothing-${crypto.randomUUID()}`);
  const guest = await startSite(folder, { SUPABASE_URL: site.url, SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE_KEY });
  await nameSite('The name at the project');
  const page = await fetch(`${guest.url}/contact`);
  expect(await page.text()).toContain('The name at the project');
  expect(page.headers.get('content-security-policy')).toContain(`connect-src 'self' ${site.url};`);
  expect((await fetch(`${guest.url}/rest/v1/posts`)).status).toBe(404);
  await guest.stop();
  expect(existsSync(folder)).toBe(false);
});
