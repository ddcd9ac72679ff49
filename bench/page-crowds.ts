/**
 * Crowds that want endless pages, as strangers send them: twelve connections with 750 requests each, sent ahead of the
 * answers and destroyed after two seconds, and 800 connections with one request each. Meanwhile a visitor reads the kept
 * home page, and another one pages that are not kept.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { askAhead, askAtOnce, readFigures } from '../tests/support/page-crowds.ts';
import { report, withSite } from './site.ts';

const SECONDS_OF_A_CROWD = 2;

/** A reader who waits for no longer than this has been kept out. */
const LONGEST_WAIT_MS = 120_000;

const KINDS: Record<string, (n: number) => string> = {
  'names that no page reads': (n) => `/?x=${n}`,
  'articles that never were': (n) => `/news/guess-${n}`,
  'cases that never were': (n) => `/projects?case=guess-${n}`,
  searches: (n) => `/news?q=word${n}`,
  'pictures of pages': (n) => `/og.png?path=/about?x=${n}`,
};

/** Pages that exist and that the crowds leave alone, each asked for once in a measurement. */
const UNCACHED = ['/about', '/contact', '/services', '/privacy', '/terms', '/cookies'];

for (const [kind, path] of Object.entries(KINDS)) {
  for (const shape of ['ahead', 'at once'] as const) {
    await withSite(
      async (site) => {
        const metrics = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(await untilSaid(site.output))?.[0] ?? '';
        await read(`${site.url}/`);
        const quiet = await megabytes(metrics);
        const wishes = (count: number, first = 0) =>
          Array.from({ length: count }, (_, n) => ({ path: path(first + n), from: `198.51.100.${n % 4}` }));
        const begun = performance.now();
        const crowd =
          shape === 'ahead'
            ? askAhead(
                site.url,
                Array.from({ length: 12 }, (_, connection) => wishes(750, connection * 750)),
              )
            : askAtOnce(site.url, wishes(800));
        setTimeout(() => crowd.leave(), SECONDS_OF_A_CROWD * 1000);
        let isOver = false;
        let most = 0;
        const uncached = readEach(site.url);
        const kept: number[] = [];
        const readKept = (async () => {
          while (!isOver) {
            kept.push(await read(`${site.url}/`));
            await wait(10);
          }
        })();
        await wait(SECONDS_OF_A_CROWD * 1000);
        // Free once the kept page comes at once again, ten times in a row.
        for (let quick = 0; quick < 10; ) {
          quick = (await read(`${site.url}/`)) < 50 ? quick + 1 : 0;
          most = Math.max(most, await megabytes(metrics));
        }
        const free = (performance.now() - begun) / 1000 - SECONDS_OF_A_CROWD;
        isOver = true;
        await readKept;
        const others = await uncached;
        kept.sort((one, other) => one - other);
        const at = (share: number) => Math.round(kept[Math.floor((kept.length - 1) * share)] ?? 0);
        report(
          `${kind}, ${shape}`,
          `${at(0.5)}/${at(0.99)}/${at(1)} ms`,
          `kept p50/p99/max; uncached at most ${Math.round(Math.max(...others))} ms; free after ${free.toFixed(1)} s; ${Math.round(quiet)} to ${Math.round(most)} MB`,
        );
      },
      { RATE_LIMITS: 'on', METRICS_PORT: '0' },
    );
  }
}

/** Milliseconds until the page is there, asked for from a network of its own. */
async function read(url: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(url, {
    headers: { 'x-forwarded-for': '203.0.113.7' },
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
  }).catch(() => null);
  await response?.arrayBuffer().catch(() => undefined);
  return performance.now() - start;
}

async function readEach(url: string): Promise<number[]> {
  const times = [];
  for (const path of UNCACHED) times.push(await read(url + path));
  return times;
}

async function megabytes(metrics: string): Promise<number> {
  return ((await readFigures(metrics)).get('process_resident_memory_bytes') ?? 0) / 2 ** 20;
}

/** Waits until the server names its metrics, and returns what it has written. */
async function untilSaid(output: () => string): Promise<string> {
  while (!output().includes('/metrics')) await wait(20);
  return output();
}
