/**
 * Runs the long forms, which CI does not run: node tests/faults/run.ts [name ...]. Each prints its result, and a
 * failure sets exit code 1. Build first.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder, TEMPLATES_VARIABLE } from '../support/site.ts';
import { expireCertificates } from './certificates.ts';
import { overloadConnections } from './clients.ts';
import { shiftClock } from './clock.ts';
import { interruptDns } from './dns-failure.ts';
import { fillDisk } from './full-disk.ts';
import { killDuringJobs, STAGES } from './killed-jobs.ts';
import { killWhileWriting } from './kills.ts';
import { sendTraffic } from './memory.ts';
import { disturbObjectStore } from './object-store.ts';
import { fillPostgresDisk } from './postgres-disk.ts';
import { interruptServers } from './server-outages.ts';
import { runTwoVersions } from './two-versions.ts';

const FAULTS: Record<string, () => Promise<string>> = {
  kills: () => killWhileWriting({ kills: 100 }),
  work: () => killDuringJobs({ stages: STAGES }),
  disk: () => fillDisk({ steps: 40 }),
  'postgres-disk': fillPostgresDisk,
  away: () => interruptServers({ seconds: 60 }),
  store: disturbObjectStore,
  names: interruptDns,
  clock: shiftClock,
  certificates: () => expireCertificates({ mails: 50 }),
  clients: () => overloadConnections({ idle: 1000, busy: 200, slow: 50, megabytes: 1024 }),
  versions: runTwoVersions,
  memory: () => sendTraffic({ minutes: 15 }),
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !FAULTS[name]);
if (unknown.length > 0) {
  console.error(`Unknown fault: ${unknown.join(', ')}. Available faults: ${Object.keys(FAULTS).join(', ')}.`);
  process.exit(1);
}
const templates = await mkdtemp(join(tmpdir(), 'signalfjord-faults-'));
process.env[TEMPLATES_VARIABLE] = templates;
for (const name of names.length > 0 ? names : Object.keys(FAULTS)) {
  const start = performance.now();
  const result = await FAULTS[name]?.().catch((error: unknown) => {
    process.exitCode = 1;
    return `FAILED. ${error instanceof Error ? error.message : String(error)}`;
  });
  console.log(`${name} (${Math.round((performance.now() - start) / 1000)} s): ${result}`);
}
await removeFolder(templates);
