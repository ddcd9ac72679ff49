/** Measures the time from a restart to its first answer, and the memory of the process then and after 10,000 requests. */
import autocannon from 'autocannon';
import { megabytesOf } from '../tests/support/process-memory.ts';
import { startSite } from '../tests/support/site.ts';
import { RENDERED_ANEW, report, withSite } from './site.ts';

await withSite(async (first, folder) => {
  await first.stop();
  // The one after a build keeps the compiled code for those to come.
  await (await startSite(folder)).stop();
  const started = performance.now();
  const site = await startSite(folder);
  await (await fetch(site.url)).arrayBuffer();
  report('Restart to the first answer', `${Math.round(performance.now() - started)} ms`, 'target 1200 ms');
  try {
    report('Highest memory of the start', `${await megabytesOf(site.process, 'VmHWM')} MB`, '');
    report('Memory at rest', `${await megabytesOf(site.process)} MB`, '');
    const paths = ['/', '/about', '/services', '/projects', '/news', '/contact', '/rest/v1/posts?limit=20'];
    await autocannon({ url: site.url, requests: paths.map((path) => ({ path })), amount: 8000, connections: 10 });
    await autocannon({ url: site.url, requests: RENDERED_ANEW, amount: 2000, connections: 10 });
    report('Memory after 10,000 requests', `${await megabytesOf(site.process)} MB`, 'target 450 MB');
  } finally {
    await site.stop();
  }
});
