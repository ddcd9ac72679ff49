/** The home page: from the cache beside a constant body of the same size, and rendered anew for every request. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { load, report, withSite } from './site.ts';

await withSite(async ({ url }) => {
  for (const encoding of ['identity', 'br']) {
    const headers = { 'accept-encoding': encoding };
    const page = await sizeOf(url, headers);
    const constant = await withConstantBody(page, (constantUrl) => load({ url: constantUrl, headers }));
    const cached = await load({ url, headers });
    const share = Math.round((100 * cached.perSecond) / constant.perSecond);
    report(
      `Home page from the cache, ${encoding}, ${page} bytes`,
      `${Math.round(cached.perSecond)}/s`,
      `${share}% of a constant body (${Math.round(constant.perSecond)}/s), target 60%`,
    );
  }
  const rendered = await load({
    url: `${url}/?render=[<id>]`,
    idReplacement: true,
    headers: { 'accept-encoding': 'identity' },
  });
  report('Home page rendered for each request', `${Math.round(rendered.perSecond)}/s`, 'target 500/s');
});

/** How many bytes the body has on the wire. */
async function sizeOf(url: string, headers: Record<string, string>): Promise<number> {
  // fetch decodes the body, the header still tells its size.
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return Number(response.headers.get('content-length'));
}

/** Another process with the same HTTP server that only ever sends one body. */
async function withConstantBody<T>(bytes: number, measure: (url: string) => Promise<T>): Promise<T> {
  const child = fork(new URL('./constant-body.ts', import.meta.url), [String(bytes)]);
  const [port] = await once(child, 'message');
  try {
    return await measure(`http://127.0.0.1:${port}`);
  } finally {
    child.kill();
  }
}
