/** A site with its own name, colour and logo on the real server. Its texts must not contain “Signalfjord”. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLIC_PAGES } from '../../app/api/places/public-pages.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { newDataFolder, removeFolder, type SiteProcess, startSite } from '../support/site.ts';

const NAME = 'Nordlys & Sønn';
const ESCAPED_NAME = 'Nordlys &amp; Sønn';
const RED = '#c8102e';
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40" width="60" height="40"><path fill="#00ff00" d="M0 0h60v40H0z"/></svg>';

let site: SiteProcess;
let service: SupabaseClient;

beforeAll(async () => {
  const { folder, secretKey } = await newDataFolder('on');
  site = await startSite(folder);
  service = createClient(site.url, secretKey, { auth: { persistSession: false } });
});
afterAll(async () => {
  await site.stop();
  await removeFolder(site.dataFolder);
});

const fetchText = async (path: string) => (await fetch(site.url + path)).text();
const fetchBytes = async (path: string) => Buffer.from(await (await fetch(site.url + path)).arrayBuffer());

async function save(settings: Record<string, string>): Promise<void> {
  const rows = Object.entries(settings).map(([setting_key, setting_value]) => ({ setting_key, setting_value }));
  await service.from('site_settings').upsert(rows, { onConflict: 'setting_key' }).throwOnError();
}

async function uploadLogo(name: string, svg: string, size: { width: number; height: number }): Promise<string> {
  const { error } = await service.storage
    .from('content-media')
    .upload(name, new Blob([svg], { type: 'image/svg+xml' }), { upsert: true, contentType: 'image/svg+xml' });
  if (error) throw error;
  const light = { address: `/storage/v1/object/public/content-media/${name}`, ...size };
  return JSON.stringify({ light, dark: null, showsName: true });
}

/** Returns the colour of the centre pixel, and of a pixel at the left edge at half height. */
async function readColours(png: Buffer): Promise<string[]> {
  const { data, info } = await sharp(png).flatten({ background: '#fff' }).raw().toBuffer({ resolveWithObject: true });
  const pixelColour = (x: number, y: number) =>
    `#${data.subarray((y * info.width + x) * info.channels, (y * info.width + x) * info.channels + 3).toString('hex')}`;
  return [pixelColour(info.width >> 1, info.height >> 1), pixelColour(2, info.height >> 1)];
}

/** Removes names of the software itself and internal keys that users never see. */
function removeKeys(html: string): string {
  return html.replaceAll(
    /sb_publishable_signalfjord|signalfjord:[a-z-]+|signalfjord-chat(?:-[a-z]+)?|signalfjordChat/g,
    '',
  );
}

test('Without brand settings, pages have one style element, and the icons have the built-in colour', async () => {
  const page = await fetch(`${site.url}/`);
  const html = await page.text();
  expect(html.match(/<style/g)).toHaveLength(1);
  expect(html).toContain('href="/favicon.svg"');
  expect(html).toContain('© 2025 Signalfjord. All rights reserved.');
  expect(await fetchText('/favicon.svg')).toContain('#0a6247');
  expect((await readColours(await fetchBytes('/apple-touch-icon.png')))[1]).toBe('#0a6247');
  expect(JSON.parse(await fetchText('/site.webmanifest'))).toMatchObject({
    name: 'Signalfjord',
    theme_color: '#0a6247',
  });
});

test('The accent colour is in every page and generated file immediately, and the policy allows it', async () => {
  const picture = await fetchBytes('/og.png');
  await save({ brand_accent: RED });
  for (const path of ['/', '/about', '/chat-embed', '/auth', '/no-such-page']) {
    const page = await fetch(site.url + path);
    const css = /<style[^>]*data-href="accent"[^>]*>([^<]*)<\/style>/.exec(await page.text())?.[1] ?? '';
    expect(css, path).toContain(`:root{--accent:${RED};`);
    const hash = createHash('sha256').update(css).digest('base64');
    expect(/style-src [^;]*/.exec(page.headers.get('content-security-policy') ?? '')?.[0]).toContain(
      `'sha256-${hash}'`,
    );
  }
  expect(JSON.parse(await fetchText('/site.webmanifest'))).toMatchObject({ theme_color: RED });
  expect(await fetchText('/chat-embed/status')).toContain(`color: '${RED}'`);
  expect(await fetchText('/favicon.svg')).toContain(RED);
  for (const icon of ['/apple-touch-icon.png', '/icon/192.png', '/icon/512.png', '/icon/maskable.png']) {
    expect((await readColours(await fetchBytes(icon)))[1], icon).toBe(RED);
  }
  expect((await fetchBytes('/favicon.ico')).subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
  expect((await fetch(`${site.url}/icon/__proto__`)).status).toBe(404);
  expect((await fetchBytes('/og.png')).equals(picture)).toBe(false);
});

test('Icon URLs change with the brand and are cached forever', async () => {
  const readIconUrl = async () => /href="(\/favicon\.svg[^"]*)"/.exec(await fetchText('/'))?.[1] ?? '';
  const first = await readIconUrl();
  expect(first).toMatch(/^\/favicon\.svg\?v=\w+$/);
  expect((await fetch(site.url + first)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await fetch(`${site.url}/favicon.svg`)).headers.get('cache-control')).toBe('public, max-age=3600');
  await save({ brand_accent: '#1d4ed8' });
  expect(await readIconUrl()).not.toBe(first);
  await save({ brand_accent: RED });
  expect(await readIconUrl()).toBe(first);
});

test('The logo replaces the built-in mark, and icons show a letter instead of a wide logo', async () => {
  await save({ site_name: NAME, brand_logo: await uploadLogo('brand/logo.svg', LOGO, { width: 60, height: 40 }) });
  const html = await fetchText('/');
  expect(
    html.match(/<img [^>]*alt="" src="\/storage\/v1\/object\/public\/content-media\/brand\/logo\.svg"/g)?.length,
  ).toBeGreaterThan(1);
  expect(await readColours(await fetchBytes('/icon/512.png'))).toEqual(['#00ff00', '#fefdfa']);
  expect(await readColours(await fetchBytes('/og.png'))).toHaveLength(2);
  const wide = LOGO.replace('0 0 60 40" width="60"', '0 0 240 40" width="240"');
  await save({ brand_logo: await uploadLogo('brand/wide.svg', wide, { width: 240, height: 40 }) });
  expect((await readColours(await fetchBytes('/icon/512.png')))[1]).toBe(RED);
  expect(await fetchText('/favicon.svg')).toContain('<path');
});

test('If the logo file is missing, the icon has the accent colour', async () => {
  await save({ brand_logo: await uploadLogo('brand/gone.svg', LOGO, { width: 60, height: 40 }) });
  await service.storage.from('content-media').remove(['brand/gone.svg']);
  await save({ site_tagline: '{site}, quietly' });
  expect((await readColours(await fetchBytes('/icon/512.png')))[1]).toBe(RED);
});

test('Pages, feeds and generated files use the name of this site', async () => {
  const { data: posts } = await service.from('posts').select('slug').limit(1).throwOnError();
  const paths = [
    ...PUBLIC_PAGES.map(({ to }) => to),
    ...posts.map(({ slug }) => `/news/${slug}`),
    ...['/auth', '/auth/reset-password', '/no-such-page', '/chat-embed', '/chat-embed/status', '/client-dashboard'],
    ...['/rss.xml', '/sitemap.xml', '/robots.txt', '/site.webmanifest', '/favicon.svg'],
    ...['/privacy', '/terms', '/cookies'],
  ];
  for (const path of paths) {
    expect(removeKeys(await fetchText(path)), path).not.toMatch(/signalfjord|\{site\}/i);
  }
  expect(await fetchText('/about')).toContain(`${ESCAPED_NAME} is a small Oslo studio`);
  expect(await fetchText('/')).toContain(`© 2025 ${ESCAPED_NAME}. All rights reserved.`);
  expect(await fetchText('/rss.xml')).toContain('Nordlys &#38; Sønn builds outreach systems');
  expect(removeKeys(await fetchText('/embed.js'))).not.toMatch(/signalfjord/i);
});

test('The assistant and the emails use the name of this site', async () => {
  for (const question of ['Hi!', 'Who are you?', 'Where is your office?', 'How can I reach you?']) {
    const response = await fetch(`${site.url}/functions/v1/ai-chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${PUBLISHABLE_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: question }] }),
    });
    expect(await response.text(), question).not.toMatch(/signalfjord|\{site\}/i);
  }
  await save({ brand_logo: await uploadLogo('brand/mail.svg', LOGO, { width: 60, height: 40 }) });
  await createClient(site.url, PUBLISHABLE_KEY).auth.resetPasswordForEmail('nobody@example.com');
  await service.auth.admin.inviteUserByEmail('ada@example.com');
  const outbox = join(site.dataFolder, 'outbox');
  const listMails = async () => (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'));
  await expect.poll(listMails).toHaveLength(1);
  const [file = ''] = await listMails();
  const mail = (await readFile(join(outbox, file), 'utf8')).replaceAll('=\r\n', '');
  expect(mail).toContain(RED);
  expect(mail).toContain('cid:logo@mail');
  expect(mail).not.toMatch(/signalfjord|\{site\}|#0a6247/i);
});
