/**
 * Measures a restart until the first response, and the memory of the process and its Postgres at rest and after 10,000
 * requests.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { type SiteProcess, startSite } from '../tests/support/site.ts';
import { memoryOf, processTree } from './process-tree.ts';
import { report, UNCACHED_REQUESTS, withSite } from './site.ts';

const RESTARTS = 5;

/** Time in ms until start-up jobs are done and V8 has released memory. */
const IDLE_WAIT_MS = 30_000;

await withSite(async (first, folder) => {
  await first.stop();
  // The first start after a build stores the compiled code for later starts.
  await (await startSite(folder)).stop();
  const times: number[] = [];
  let site = await restart(folder, times);
  for (let n = 1; n < RESTARTS; n++) {
    await site.stop();
    site = await restart(folder, times);
  }
  try {
    const median = times.toSorted((a, b) => a - b)[RESTARTS >> 1] ?? 0;
    report('Restart to the first response, median', `${Math.round(median)} ms`, 'target 1000 ms');
    await sleep(IDLE_WAIT_MS);
    await reportMemory('at rest', site, 200);
    const paths = ['/', '/about', '/services', '/projects', '/news', '/contact', '/rest/v1/posts?limit=20'];
    await autocannon({ url: site.url, requests: paths.map((path) => ({ path })), amount: 8000, connections: 10 });
    await autocannon({ url: site.url, requests: UNCACHED_REQUESTS, amount: 2000, connections: 10 });
    await reportMemory('after 10,000 requests', site, 300);
  } finally {
    await site.stop();
  }
});

async function restart(folder: string, times: number[]): Promise<SiteProcess> {
  const started = performance.now();
  const site = await startSite(folder);
  await (await fetch(site.url)).arrayBuffer();
  times.push(performance.now() - started);
  return site;
}

async function reportMemory(label: string, site: SiteProcess, target: number): Promise<void> {
  const [process = 0, ...postgres] = await processTree(site.process.pid ?? 0);
  const [siteMemory, postgresMemory] = [await memoryOf([process]), await memoryOf(postgres)];
  report(
    `Memory ${label}`,
    `${siteMemory} + ${postgresMemory} = ${siteMemory + postgresMemory} MB`,
    `target ${target} MB`,
  );
}
