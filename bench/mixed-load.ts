/**
 * Measures visitors during attacks, with rate limits on: latency, memory, lost writes, and whether the server
 * stops on SIGTERM under load.
 *
 *   node bench/mixed-load.ts [minutes, 1 by default, at most 58: a session lasts an hour]
 */
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { readMemoryMb } from '../tests/support/process-memory.ts';
import { removeFolder, type SiteProcess, startSite } from '../tests/support/site.ts';
import { type Outcome, Tally } from './mixed-load-tally.ts';
import { countMissing, EDITOR, prepare, signIn, visit } from './mixed-load-visitors.ts';
import { report } from './site.ts';

interface AttackReport {
  counts: Tally['counts'];
  broken: number;
  unexpectedResponses: string[];
}

/** Memory is compared after this warm-up, because caches fill first. */
const WARM_UP_SHARE = 0.2;
/** Time after SIGTERM before the server is killed. */
const KILL_AFTER_MS = 30_000;

const minutes = Math.min(58, Number(process.argv[2] ?? 1));
const folder = await mkdtemp(join(tmpdir(), 'signalfjord-bench-'));
const environment = { RATE_LIMITS: 'on', ADMIN_EMAIL: EDITOR.email, ADMIN_PASSWORD: EDITOR.password };
const site = await startSite(folder, environment);
const visitors = new Tally(site.url);
const session = await prepare(visitors);

const end = performance.now() + minutes * 60_000;
// The attackers run until they are stopped, so that SIGTERM arrives under load.
const attackers = new Worker(new URL('./mixed-load-attackers.ts', import.meta.url), {
  workerData: { url: site.url, seconds: minutes * 60 + 120 },
});
const memory = sampleMemory(site.process.pid, end);
const acknowledged = await visit(visitors, session, end);
const attack = await attackReport(attackers);
const shutdownMs = await stop(site);
await attackers.terminate();

const restarted = await startSite(folder, { ...environment, RATE_LIMITS: 'off' });
const reader = new Tally(restarted.url);
const missing = await countMissing(reader, (await signIn(reader, EDITOR.email, EDITOR.password)) ?? '', acknowledged);
await restarted.stop();
await removeFolder(folder);
print(await memory);

/** Samples the resident memory in MB every second until `end`. Returns an empty list without /proc. */
async function sampleMemory(pid: number | undefined, end: number): Promise<number[]> {
  const samples: number[] = [];
  while (performance.now() < end) {
    const megabytes = await readMemoryMb({ pid });
    if (megabytes) samples.push(megabytes);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return samples;
}

async function attackReport(worker: Worker): Promise<AttackReport> {
  worker.postMessage('report');
  const [message] = await once(worker, 'message');
  return message as AttackReport;
}

/** Stops the process. @returns milliseconds from SIGTERM to its exit, or null if it had to be killed */
async function stop(running: SiteProcess): Promise<number | null> {
  const start = performance.now();
  const killer = setTimeout(() => running.process.kill('SIGKILL'), KILL_AFTER_MS);
  await running.stop();
  clearTimeout(killer);
  return running.process.signalCode === 'SIGKILL' ? null : performance.now() - start;
}

function print(samples: number[]): void {
  for (const [kind, target] of [
    ['table', '50 ms'],
    ['page', ''],
    ['sign-in', ''],
    ['chat', ''],
    ['edit', ''],
  ] as const) {
    const sorted = (visitors.latencies[kind] ?? []).toSorted((a, b) => a - b);
    const percentile = (share: number) => `${Math.round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN)} ms`;
    report(`${kind}: median, p99`, `${percentile(0.5)}, ${percentile(0.99)}`, target && `target p99 ${target}`);
    report(`${kind}: not served`, unserved(visitors.counts[kind] ?? {}), 'target none');
  }
  for (const [kind, counts] of Object.entries(attack.counts)) report(`attack by ${kind}`, outcomes(counts), '');
  report('5xx responses other than statement timeouts', String(visitors.total('broken') + attack.broken), 'target 0');
  report(
    'Acknowledged writes that are missing',
    `${missing} of ${acknowledged.posts.length + acknowledged.messages.length}`,
    '0',
  );
  const warmSamples = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const megabytes = [warmSamples[0], warmSamples.at(-1), Math.max(...samples)].map((value) =>
    Math.round(value ?? Number.NaN),
  );
  report('Memory in MB: after warming up, at the end, peak', megabytes.join(', '), 'flat');
  report('SIGTERM to exit', shutdownMs === null ? 'killed' : `${Math.round(shutdownMs)} ms`, 'exits');
  for (const response of [...visitors.unexpectedResponses, ...attack.unexpectedResponses]) console.log(`  ${response}`);
}

function outcomes(counts: Partial<Record<Outcome, number>>): string {
  return Object.entries(counts)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ');
}

function unserved({ served: _served, ...others }: Partial<Record<Outcome, number>>): string {
  return outcomes(others) || 'none';
}
