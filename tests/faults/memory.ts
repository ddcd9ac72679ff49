import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { readMemoryMb } from '../support/process-memory.ts';
import { removeFolder, startSite } from '../support/site.ts';
import { assertTrue } from './checks.ts';

const ADMIN = { email: 'admin@example.com', password: 'Faults-need-1-password' };

/** Number of equal parts of the run. */
const PARTS = 10;
/** Parts that are not compared, because caches, pools and compiled code grow during them. */
const WARM_UP_PARTS = 3;

/**
 * Sends pages, tables, files, chats, successful and failed sign-ins, calls and invalid requests on 20 connections for
 * `minutes`. The peak memory of the last parts must be within 10% of the peak in the parts right after the warm-up.
 */
export async function sendTraffic({ minutes }: { minutes: number }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-faults-'));
  const account = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
  const site = await startSite(folder, account);
  try {
    const headers = { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json' };
    const post = (path: string, body: object) => ({
      path,
      method: 'POST' as const,
      headers,
      body: JSON.stringify(body),
    });
    const requests: autocannon.Request[] = [
      ...['/', '/about', '/news', '/contact', '/nowhere', '/news?q=word', '/services', '/projects'].map((path) => ({
        path,
      })),
      { path: '/rest/v1/posts?select=*&limit=20', headers },
      { path: '/rest/v1/posts?select=nothing', headers },
      { path: '/rest/v1/rpc/search_news?_query=fjord', headers },
      { path: '/storage/v1/object/public/media/none.png', headers },
      { path: '/auth/v1/user', headers },
      post('/rest/v1/conversations', {}),
      post('/functions/v1/ai-chat', { messages: [{ role: 'user', content: 'What does it cost?' }] }),
      post('/auth/v1/token?grant_type=password', ADMIN),
      post('/auth/v1/token?grant_type=refresh_token', { refresh_token: 'wrong' }),
    ];
    const memory: number[] = [];
    let requestCount = 0;
    for (let part = 0; part < PARTS; part += 1) {
      const duration = Math.ceil((minutes * 60) / PARTS);
      const result = await autocannon({ url: site.url, requests, duration, connections: 20, timeout: 60 });
      assertTrue(result.errors === 0, `every request succeeded (${result.errors} did not)`);
      assertTrue(
        (result.statusCodeStats as Record<string, unknown>)['500'] === undefined,
        'no internal error was logged',
      );
      requestCount += result.requests.total;
      memory.push((await readMemoryMb(site.process)) ?? 0);
    }
    const middle = (PARTS + WARM_UP_PARTS) / 2;
    const [earlyPeak, latePeak] = [memory.slice(WARM_UP_PARTS, middle), memory.slice(middle)].map((values) =>
      Math.max(...values),
    );
    const readings = `${memory.join(', ')} MB`;
    assertTrue((latePeak ?? 0) <= (earlyPeak ?? 0) * 1.1, `memory stays within 10%: ${readings}`);
    return `${requestCount} requests in ${minutes} minutes, memory after each tenth of the run: ${readings}`;
  } finally {
    await site.stop();
    await removeFolder(folder);
  }
}
