/**
 * Measures the home page from the cache, compared with a constant body of the same size, and rendered for every
 * request.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { load, report, UNCACHED_REQUESTS, withSite } from './site.ts';

await withSite(async ({ url }) => {
  for (const encoding of ['identity', 'br']) {
    const headers = { 'accept-encoding': encoding };
    const page = await bodyOf(url, headers);
    const constant = await withConstantBody(page, encoding, (constantUrl) => load({ url: constantUrl, headers }));
    const cached = await load({ url, headers });
    const share = Math.round((100 * cached.perSecond) / constant.perSecond);
    report(
      `Home page from the cache, ${encoding}, ${page.length} bytes`,
      `${Math.round(cached.perSecond)}/s`,
      `${share}% of a constant body (${Math.round(constant.perSecond)}/s), target 60%`,
    );
  }
  const rendered = await load({ url, requests: UNCACHED_REQUESTS, headers: { 'accept-encoding': 'identity' } });
  report('Home page rendered for each request', `${Math.round(rendered.perSecond)}/s`, 'target 250/s');
});

/** Fetches the body without decompressing it. */
async function bodyOf(url: string, headers: Record<string, string>): Promise<Buffer> {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  return buffer(response);
}

/**
 * Starts another process with the same HTTP server that always sends this body. Clients decompress it like the page.
 */
async function withConstantBody<T>(body: Buffer, encoding: string, measure: (url: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-bench-'));
  const file = join(folder, 'body');
  await writeFile(file, body);
  const child = fork(new URL('./constant-body.ts', import.meta.url), [file, encoding]);
  const [port] = await once(child, 'message');
  try {
    return await measure(`http://127.0.0.1:${port}`);
  } finally {
    child.kill();
    await rm(folder, { recursive: true });
  }
}
