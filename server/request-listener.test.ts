import { createHash } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parseConfig } from '@signalfjord/backend';
import { afterEach, expect, test } from 'vitest';
import { PageCache } from './page-cache.ts';
import { createRequestListener, type RequestListenerDependencies } from './request-listener.ts';
import { StoredResponse } from './stored-response.ts';

const HTML = `<!DOCTYPE html><html><body><p>${'Fjord. '.repeat(400)}</p><script>start()</script></body></html>`;

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Starts a listener for `site` on a real port with the given environment. */
async function serve(
  site: RequestListenerDependencies['site'],
  {
    environment = {},
    ...dependencies
  }: Partial<RequestListenerDependencies> & { environment?: Record<string, string> } = {},
) {
  const errors: unknown[] = [];
  const server = createServer(
    createRequestListener({
      config: parseConfig({ PREVIEW_GATE: 'off', ...environment }, environment),
      pages: new PageCache({ maxAge: 60_000, servesStalePages: true }),
      assets: new Map(),
      stylesheet: 'a{color:red}',
      api: null,
      visits: null,
      domainCheck: null,
      previews: null,
      site,
      queryNames: { '/news': { page: 20, q: 100 }, '/projects': { case: 300 } },
      failedReads: () => 0,
      onError: (error) => errors.push(error),
      ...dependencies,
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  /** node:http, because fetch decompresses bodies and hides headers. */
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>((resolve, reject) => {
      httpRequest({ host: '127.0.0.1', port: address.port, path, headers, method, agent: false }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      })
        .on('error', reject)
        .end();
    });
  return { get, errors };
}

const htmlPage = (headers: Record<string, string> = {}, status = 200) =>
  new Response(HTML, { status, headers: { 'content-type': 'text/html', ...headers } });

test('A CDN may cache only existing public pages, for the configured time', async () => {
  const responses: Record<string, () => Response> = {
    '/': () => htmlPage(),
    '/none': () => htmlPage({}, 404),
    '/own': () => htmlPage({ 'cache-control': 'no-store' }),
  };
  const site = async (request: Request) => responses[new URL(request.url).pathname]?.() ?? htmlPage();
  const cdnHeader = async (environment: Record<string, string>, path: string) =>
    (await (await serve(site, { environment })).get(path)).headers['cdn-cache-control'];
  expect(await cdnHeader({ CDN_SECONDS: '30' }, '/')).toBe('public, max-age=30');
  expect(await cdnHeader({ CDN_SECONDS: '30' }, '/none')).toBeUndefined();
  expect(await cdnHeader({ CDN_SECONDS: '30' }, '/own')).toBeUndefined();
  expect(await cdnHeader({ CDN_PURGE_URL: 'https://cdn.example/purge' }, '/')).toBe('public, max-age=3600');
  expect(await cdnHeader({}, '/')).toBeUndefined();
});

test('A page is rendered once, and sent in an accepted encoding or as a 304 if it is unchanged', async () => {
  let renders = 0;
  const { get } = await serve(async () => {
    renders += 1;
    return htmlPage();
  });
  const plain = await get('/');
  expect(plain.body.toString()).toBe(HTML);
  expect(plain.headers).toMatchObject({ 'cache-control': 'public, no-cache', vary: 'accept-encoding' });

  const br = await get('/', { 'accept-encoding': 'gzip, deflate, br' });
  expect(br.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(br.body).toString()).toBe(HTML);
  const gzip = await get('/', { 'accept-encoding': 'br;q=0, gzip' });
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzip.body).toString()).toBe(HTML);

  const unchanged = await get('/', { 'if-none-match': String(plain.headers.etag) });
  expect(unchanged).toMatchObject({ status: 304, body: Buffer.alloc(0) });
  const head = await get('/', {}, 'HEAD');
  expect(head.body).toHaveLength(0);
  expect(head.headers['content-length']).toBe(String(HTML.length));
  expect(renders).toBe(1);
});

test('The Content-Security-Policy contains hashes of the inline scripts, and only the site itself may frame the page', async () => {
  const { get } = await serve(async () => htmlPage());
  const policy = String((await get('/')).headers['content-security-policy']);
  const hash = createHash('sha256').update('start()').digest('base64');
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`);
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
});

test('The Content-Security-Policy allows only styles with known hashes', async () => {
  const { get } = await serve(async () => htmlPage());
  const { headers } = await get('/');
  const hash = createHash('sha256').update('a{color:red}').digest('base64');
  const styles = /style-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
  expect(styles).toContain(`'self' 'sha256-${hash}'`);
  expect(styles).not.toContain('unsafe');
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
});

test('A page can add one style hash to the Content-Security-Policy, but no other style source', async () => {
  const hash = `'sha256-${createHash('sha256').update(':root{--accent:#c8102e}').digest('base64')}'`;
  const allowedStyles = async (policy: string) => {
    const { get } = await serve(async () => htmlPage({ 'content-security-policy': policy }));
    return /style-src ([^;]*)/.exec(String((await get('/')).headers['content-security-policy']))?.[1];
  };
  const allowedHash = await allowedStyles("img-src 'self'");
  expect(await allowedStyles(`img-src 'self'; style-src ${hash}; frame-ancestors *`)).toBe(`${allowedHash} ${hash}`);
  for (const open of ["'unsafe-inline'", '*', 'https://evil.example', `${hash} 'unsafe-inline'`, "'sha256-x'"]) {
    expect(await allowedStyles(`img-src 'self'; style-src ${open}`)).toBe(allowedHash);
  }
});

test('An encoded NUL byte in a URL is rejected, and an encoded percent sign is accepted', async () => {
  const { get, errors } = await serve(async () => htmlPage());
  for (const path of ['/%00', '/news/%00', '/news/a%00b', '/projects?case=%00'])
    expect((await get(path)).status).toBe(400);
  expect((await get('/news/100%25')).status).toBe(200);
  expect(errors).toEqual([]);
});

test('A page can allow other origins to frame it', async () => {
  const { get } = await serve(async () =>
    htmlPage({ 'content-security-policy': 'frame-ancestors https://a.example *' }),
  );
  const { headers } = await get('/chat-embed');
  expect(headers['content-security-policy']).toContain('frame-ancestors https://a.example *;');
  expect(headers['x-frame-options']).toBeUndefined();
  expect(headers['cross-origin-opener-policy']).toBeUndefined();
});

test('A private response, or a response with a cookie, is rendered for each request', async () => {
  for (const [name, value] of [
    ['set-cookie', 'a=b'],
    ['cache-control', 'private'],
    ['cache-control', 'no-store'],
  ] as const) {
    let renders = 0;
    const { get } = await serve(async () => {
      renders += 1;
      return htmlPage({ [name]: value });
    });
    await get('/');
    await get('/');
    expect(renders).toBe(2);
  }
});

test('Rendering gets the URL of the request and no other visitor data', async () => {
  const renderedRequests: Request[] = [];
  const { get } = await serve(async (request) => {
    renderedRequests.push(request);
    return htmlPage();
  });
  await get('/news?page=2', { cookie: 'session=secret', authorization: 'Bearer secret', accept: 'text/html' });
  expect(new URL(renderedRequests[0]?.url ?? '').pathname).toBe('/news');
  expect(Object.fromEntries(renderedRequests[0]?.headers ?? [])).toEqual({ accept: '*/*' });
});

test('Pages use the origin in SITE_URL, or the origin of the request if it is not set, and are cached for each origin', async () => {
  const site = async ({ url }: Request) => new Response(new URL(url).origin);
  const withoutSiteUrl = await serve(site);
  expect((await withoutSiteUrl.get('/', { host: 'one.example' })).body.toString()).toBe('http://one.example');
  expect((await withoutSiteUrl.get('/', { host: 'two.example' })).body.toString()).toBe('http://two.example');
  expect((await withoutSiteUrl.get('/', { host: 'not a host' })).status).toBe(400);

  const withSiteUrl = await serve(site, { environment: { SITE_URL: 'https://signalfjord.example/' } });
  const response = await withSiteUrl.get('/', { host: 'one.example' });
  expect(response.body.toString()).toBe('https://signalfjord.example');
  expect(response.headers['strict-transport-security']).toBe('max-age=31536000');
});

test('A render error returns 500 without details, is logged, and is not cached', async () => {
  let isBroken = true;
  const { get, errors } = await serve(async () => {
    if (isBroken) throw new Error('secret detail');
    return htmlPage();
  });
  const broken = await get('/');
  expect(broken.status).toBe(500);
  expect(broken.body.toString()).toBe('This page could not be shown. Please try again later.');
  expect(errors).toHaveLength(1);
  isBroken = false;
  expect((await get('/')).status).toBe(200);
});

test('Static files are sent unchanged to GET and HEAD requests, and a missing file returns 404', async () => {
  const css = new StoredResponse(200, { 'content-type': 'text/css', 'cache-control': 'immutable' }, Buffer.from('a{}'));
  const { get } = await serve(async () => htmlPage(), { assets: new Map([['/assets/a.css', css]]) });
  expect(await get('/assets/a.css?v=1')).toMatchObject({ status: 200, body: Buffer.from('a{}') });
  const missing = await get('/assets/b.css');
  expect(missing.status).toBe(404);
  expect(missing.headers['content-type']).toContain('text/plain');
  expect(await get('/', {}, 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  expect((await get('/', {}, 'GET')).status).toBe(200);
});

test('URLs are normalised: variants return the same page, and extra slashes redirect', async () => {
  const renderedUrls: string[] = [];
  const { get } = await serve(async ({ url }) => {
    renderedUrls.push(new URL(url).pathname + new URL(url).search);
    return htmlPage();
  });
  for (const path of ['/news?q=a&utm_source=x', '/%6eews?q=a', '/./news?q=%61', '/x/../news?y=1&q=a']) {
    expect((await get(path)).status).toBe(200);
  }
  expect(renderedUrls).toEqual(['/news?q=a']);
  for (const path of ['/news/?utm_source=x', '//news?utm_source=x', '///news//?utm_source=x']) {
    expect(await get(path)).toMatchObject({ status: 301, headers: { location: '/news?utm_source=x' } });
  }
  for (const path of ['/%zz', '/%E0%A4', 'http://evil.example/']) expect((await get(path)).status).toBe(400);
  expect(renderedUrls).toHaveLength(1);
});

test('Search engines are blocked by the gate and allowed without it', async () => {
  const gated = await serve(async () => htmlPage(), { environment: { PREVIEW_GATE: 'on' } });
  expect((await gated.get('/')).headers['x-robots-tag']).toBe('noindex');
  const open = await serve(async () => htmlPage());
  expect((await open.get('/')).headers['x-robots-tag']).toBeUndefined();
});

test.each([
  ['no captcha provider without a site key', {}, []],
  [
    'the scripts and frames of Turnstile',
    { CAPTCHA_PROVIDER: 'turnstile', CAPTCHA_SITE_KEY: 'key' },
    ['script-src https://challenges.cloudflare.com', 'frame-src https://challenges.cloudflare.com'],
  ],
  [
    'the scripts, frames, styles and requests of hCaptcha',
    { CAPTCHA_PROVIDER: 'hcaptcha', CAPTCHA_SITE_KEY: 'key' },
    ['script-src', 'style-src', 'connect-src', 'frame-src'].map(
      (directive) => `${directive} https://hcaptcha.com https://*.hcaptcha.com`,
    ),
  ],
])('The Content-Security-Policy allows %s', async (_title, captcha, allowed) => {
  const environment = { CAPTCHA_PROVIDER: 'turnstile', CAPTCHA_SECRET: 'x', ...captcha };
  const { get } = await serve(async () => htmlPage(), { environment });
  const policy = String((await get('/')).headers['content-security-policy']);
  const hosts = policy.split('; ').flatMap((directive) => {
    const [name, ...sources] = directive.split(' ');
    const foreign = sources.filter((source) => source.startsWith('https:'));
    return foreign.length > 0 ? [`${name} ${foreign.join(' ')}`] : [];
  });
  expect(hosts).toEqual(allowed);
});

test('With a hosted project, the policy allows its origin and the server does not serve the API', async () => {
  const environment = { SUPABASE_URL: 'https://abc.supabase.co', SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' };
  const { get } = await serve(async () => htmlPage(), { environment });
  expect((await get('/')).headers['content-security-policy']).toContain("connect-src 'self' https://abc.supabase.co;");
  expect((await get('/rest/v1/posts')).status).toBe(404);
  const { get: getOwn } = await serve(async () => htmlPage(), { api: async () => new Response('rows') });
  for (const path of [
    '/rest/v1/posts',
    '/.well-known/oauth-authorization-server/auth/v1',
    '/realtime/v1/websocket',
    '/graphql/v1',
    '/rest/v2',
    '/pg/tables',
  ]) {
    expect((await getOwn(path)).body.toString()).toBe('rows');
  }
});

test('News searches are limited per minute and network, but other pages are not', async () => {
  const { get } = await serve(async () => htmlPage());
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const statuses = await Promise.all(
    Array.from({ length: 70 }, (_, n) => get(`/news?q=word${n}`, from('192.0.2.1')).then(({ status }) => status)),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  const response = await get('/news?page=2', from('192.0.2.1'));
  expect(response).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
  // Cached pages and URLs without declared parameters are not limited.
  expect((await get(`/news?q=word${statuses.indexOf(200)}`, from('192.0.2.1'))).status).toBe(200);
  expect((await get('/news', from('192.0.2.1'))).status).toBe(200);
  expect((await get('/projects?case=x', from('192.0.2.1'))).status).toBe(200);
  expect((await get('/news?q=other', from('192.0.2.2'))).status).toBe(200);
});

test('Without rate limits, news searches are not limited', async () => {
  const { get } = await serve(async () => htmlPage(), { environment: { RATE_LIMITS: 'off' } });
  const statuses = await Promise.all(Array.from({ length: 70 }, (_, n) => get(`/news?q=${n}`)));
  expect(statuses.every(({ status }) => status === 200)).toBe(true);
});
