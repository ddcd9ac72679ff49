import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { PUBLISHABLE_KEY } from '../../backend/http/keys.ts';
import { AS_IN_PRODUCTION, removeFolder, startSite } from '../support/site.ts';
import { must } from './asking.ts';
import { memoryOf } from './clients.ts';

/** Pages, tables, calls and wrong sign-ins by the hundred thousand: after a tenth of them memory must stay where it is. */
export async function askMuch({ requests }: { requests: number }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-faults-'));
  const site = await startSite(folder, {}, AS_IN_PRODUCTION);
  try {
    const headers = { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json' };
    const mixed: autocannon.Request[] = [
      ...['/', '/about', '/news', '/contact', '/nowhere', '/news?q=word'].map((path) => ({ path })),
      { path: '/rest/v1/posts?select=*&limit=20', headers },
      { path: '/rest/v1/posts?select=nothing', headers },
      { path: '/rest/v1/rpc/search_news?_query=fjord', headers },
      { path: '/storage/v1/object/public/media/none.png', headers },
      { path: '/auth/v1/user', headers },
      { path: '/auth/v1/token?grant_type=refresh_token', method: 'POST', headers, body: '{"refresh_token":"wrong"}' },
    ];
    const ask = (amount: number) => autocannon({ url: site.url, requests: mixed, amount, connections: 20 });
    await ask(Math.ceil(requests / 10));
    const before = await memoryOf(site);
    const result = await ask(Math.ceil(requests * 0.9));
    const after = await memoryOf(site);
    must(result.errors === 0, `every request was answered (${result.errors} were not)`);
    must((result.statusCodeStats as Record<string, unknown>)['500'] === undefined, 'nothing went wrong inside');
    must(after < before * 1.15 + 40, `memory stays: ${before} MB before, ${after} MB after`);
    return `${requests} requests: ${before} MB after a tenth of them, ${after} MB at the end`;
  } finally {
    await site.stop();
    await removeFolder(folder);
  }
}
