/** Measures the time from a restart to its first answer, and the memory of the process after 10,000 requests. */
import { readFile } from 'node:fs/promises';
import autocannon from 'autocannon';
import { AS_IN_PRODUCTION, startSite } from '../tests/support/site.ts';
import { RENDERED_ANEW, report, withSite } from './site.ts';

await withSite(async (first, folder) => {
  await first.stop();
  // The one after a build keeps the compiled code for those to come.
  await (await startSite(folder, {}, AS_IN_PRODUCTION)).stop();
  const started = performance.now();
  const site = await startSite(folder, {}, AS_IN_PRODUCTION);
  await (await fetch(site.url)).arrayBuffer();
  report('Restart to the first answer', `${Math.round(performance.now() - started)} ms`, 'target 1200 ms');
  try {
    report('Memory at rest', `${await residentMegabytes(site.process.pid)} MB`, '');
    const paths = ['/', '/about', '/services', '/projects', '/news', '/contact', '/rest/v1/posts?limit=20'];
    await autocannon({ url: site.url, requests: paths.map((path) => ({ path })), amount: 8000, connections: 10 });
    await autocannon({ url: site.url, requests: RENDERED_ANEW, amount: 2000, connections: 10 });
    report('Memory after 10,000 requests', `${await residentMegabytes(site.process.pid)} MB`, 'target 450 MB');
  } finally {
    await site.stop();
  }
});

/** Resident memory of a process; Linux only. */
async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
