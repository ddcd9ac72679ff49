/** Measures the time from a restart to its first answer, and the memory of the process then and after 10,000 requests. */
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
    report('Highest memory of the start', `${await megabytes(site.process.pid, 'VmHWM')} MB`, '');
    report('Memory at rest', `${await megabytes(site.process.pid, 'VmRSS')} MB`, '');
    const paths = ['/', '/about', '/services', '/projects', '/news', '/contact', '/rest/v1/posts?limit=20'];
    await autocannon({ url: site.url, requests: paths.map((path) => ({ path })), amount: 8000, connections: 10 });
    await autocannon({ url: site.url, requests: RENDERED_ANEW, amount: 2000, connections: 10 });
    report('Memory after 10,000 requests', `${await megabytes(site.process.pid, 'VmRSS')} MB`, 'target 450 MB');
  } finally {
    await site.stop();
  }
});

/** Resident memory of a process, or the most that it ever had; Linux only. */
async function megabytes(pid: number | undefined, line: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
}
