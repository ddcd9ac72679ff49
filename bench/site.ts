import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { removeFolder, type SiteProcess, startSite } from '../tests/support/site.ts';

/** Runs `measure` against the built server with starter content in a new folder that is removed afterwards. */
export async function withSite<T>(
  measure: (site: SiteProcess, folder: string) => Promise<T>,
  environment: Record<string, string> = {},
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-bench-'));
  const site = await startSite(folder, environment);
  try {
    return await measure(site, folder);
  } finally {
    await site.stop();
    await removeFolder(folder);
  }
}

/**
 * Measures requests per second and the 99th percentile in ms after a warm-up of one second. Also counts all responses,
 * including the warm-up.
 */
export async function load(
  options: Omit<autocannon.Options, 'duration'> & { seconds?: number },
): Promise<{ perSecond: number; p99: number; responses: number }> {
  const { seconds = 6, ...rest } = options;
  const warmingUp = await autocannon({ connections: 10, ...rest, duration: 1 });
  const result = await autocannon({ connections: 10, ...rest, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} rejected, ${result.errors} failed`);
  const responses = warmingUp.requests.total + result.requests.total;
  return { perSecond: result.requests.average, p99: result.latency.p99, responses };
}

let hosts = 0;

/** Requests each page at a different origin, so that it is rendered again. */
export const UNCACHED_REQUESTS: autocannon.Options['requests'] = [
  {
    setupRequest: (request) => ({ ...request, headers: { ...request.headers, host: `site-${hosts++}.example` } }),
  },
];

/** Prints a line with the name of a measurement, its value and its target. */
export function report(name: string, measured: string, target: string): void {
  console.log(`${name.padEnd(58)} ${measured.padStart(14)}   ${target}`);
}
