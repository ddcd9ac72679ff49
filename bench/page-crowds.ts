/**
 * Measures visitors while attackers request uncacheable pages. In the first attack, twelve connections send 750
 * pipelined requests each and are destroyed after two seconds. In the second, 800 connections send one request each. In
 * the third, 800 connections of one address reconnect after each response, for ten seconds. Meanwhile one visitor reads
 * the cached home page and another visitor reads uncached pages, each time on a new connection.
 */
import { setTimeout as wait } from 'node:timers/promises';
import {
  readMetricValues,
  readOnNewConnection,
  repeatRequests,
  sendConcurrently,
  sendPipelined,
} from '../tests/support/request-floods.ts';
import { report, withSite } from './site.ts';

const ATTACK_SECONDS = { pipelined: 2, concurrent: 2, repeated: 10 };

const KINDS: Record<string, (n: number | string) => string> = {
  'the cached page': () => '/',
  'unused query parameters': (n) => `/?x=${n}`,
  'unknown articles': (n) => `/news/guess-${n}`,
  'unknown cases': (n) => `/projects?case=guess-${n}`,
  searches: (n) => `/news?q=word${n}`,
  'sharing images': (n) => `/og.png?path=/about?x=${n}`,
  'unknown previews': (n) => `/preview/${crypto.randomUUID()}/${n}`,
};

/** Existing pages that the attackers do not request. Each is requested once per measurement. */
const UNCACHED = ['/about', '/contact', '/services', '/privacy', '/terms', '/cookies'];

for (const [kind, path] of Object.entries(KINDS)) {
  for (const pattern of ['pipelined', 'concurrent', 'repeated'] as const) {
    await withSite(
      async (site) => {
        const metrics = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(await waitForOutput(site.output))?.[0] ?? '';
        const read = async (path: string) => (await readOnNewConnection(site.url, path)).ms;
        await read('/');
        const idleMegabytes = await megabytes(metrics);
        const uncacheableUrls = (count: number, first = 0) =>
          Array.from({ length: count }, (_, n) => ({ path: path(first + n), from: `198.51.100.${n % 4}` }));
        const startedAt = performance.now();
        const attack =
          pattern === 'pipelined'
            ? sendPipelined(
                site.url,
                Array.from({ length: 12 }, (_, connection) => uncacheableUrls(750, connection * 750)),
              )
            : pattern === 'concurrent'
              ? sendConcurrently(site.url, uncacheableUrls(800))
              : repeatRequests(site.url, 800, path('{n}'));
        const seconds = ATTACK_SECONDS[pattern];
        setTimeout(() => void attack.close(), seconds * 1000);
        let isRecovered = false;
        let peakMemory = 0;
        const uncachedReads = readUncachedPages(read);
        const cachedTimes: number[] = [];
        const cachedReads = (async () => {
          while (!isRecovered) {
            cachedTimes.push(await read('/'));
            await wait(10);
          }
        })();
        await wait(seconds * 1000);
        // Recovered when the cached page is served immediately ten times in a row.
        for (let fastReads = 0; fastReads < 10; ) {
          fastReads = (await read('/')) < 50 ? fastReads + 1 : 0;
          peakMemory = Math.max(peakMemory, await megabytes(metrics));
        }
        const recoverySeconds = (performance.now() - startedAt) / 1000 - seconds;
        isRecovered = true;
        await cachedReads;
        const uncachedTimes = await uncachedReads;
        cachedTimes.sort((a, b) => a - b);
        const quantile = (share: number) => Math.round(cachedTimes[Math.floor((cachedTimes.length - 1) * share)] ?? 0);
        report(
          `${kind}, ${pattern}`,
          `${quantile(0.5)}/${quantile(0.99)}/${quantile(1)} ms`,
          `cached p50/p99/max; uncached at most ${Math.round(Math.max(...uncachedTimes))} ms; recovered after ${recoverySeconds.toFixed(1)} s; ${Math.round(idleMegabytes)} to ${Math.round(peakMemory)} MB`,
        );
      },
      { RATE_LIMITS: 'on', METRICS_PORT: '0' },
    );
  }
}

async function readUncachedPages(read: (path: string) => Promise<number>): Promise<number[]> {
  const times = [];
  for (const path of UNCACHED) times.push(await read(path));
  return times;
}

async function megabytes(metrics: string): Promise<number> {
  return ((await readMetricValues(metrics)).get('process_resident_memory_bytes') ?? 0) / 2 ** 20;
}

/** Waits until the server prints its metrics. @returns its output */
async function waitForOutput(output: () => string): Promise<string> {
  while (!output().includes('/metrics')) await wait(20);
  return output();
}
