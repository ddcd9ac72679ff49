/**
 * The short forms of tests/faults/run.ts, each with its own server process. `memory`, `versions` and `postgres-disk`
 * have no short form.
 */
import { expect, test } from 'vitest';
import { expireCertificates } from './certificates.ts';
import { overloadConnections } from './clients.ts';
import { shiftClock } from './clock.ts';
import { interruptDns } from './dns-failure.ts';
import { fillDisk } from './full-disk.ts';
import { killDuringJobs } from './killed-jobs.ts';
import { killWhileWriting } from './kills.ts';
import { disturbObjectStore } from './object-store.ts';
import { interruptServers } from './server-outages.ts';

test('No acknowledged row, account or file is lost if the server is killed while it writes', async () => {
  expect(await killWhileWriting({ kills: 3 })).toMatch(/none is missing$/);
});

test('After a kill during an email, a release or a daily job, the next instance finishes the work', async () => {
  expect(await killDuringJobs({ stages: ['DATA', '.'] })).toMatch(/the next instance finished them\.$/);
});

test('Without database, object store, mail server or model, the site shows cached pages and recovers', async () => {
  expect(await interruptServers({ seconds: 1 })).toMatch(/everything recovered$/);
});

test('If the object store rejects, truncates, loses or delays files, each file is complete or its request fails', async () => {
  expect(await disturbObjectStore()).toMatch(/everything recovered$/);
});

test('While DNS fails, pages are shown and emails wait, and the site recovers afterwards', async () => {
  expect(await interruptDns()).toMatch(/everything recovered$/);
});

test('After clock jumps, all users can sign in', async () => {
  expect(await shiftClock()).toMatch(/worked$/);
});

test('While certificates of mail server and model are expired, emails wait and visitors see an error', async () => {
  expect(await expireCertificates({ mails: 2 })).toMatch(/everything recovered$/);
});

test('Idle and slow connections and an oversized body do not block other requests', async () => {
  expect(await overloadConnections({ idle: 100, busy: 20, slow: 10, megabytes: 64 })).toContain(
    'requests on 20 connections succeeded',
  );
});

// A small disk needs root. tests/api/full-disk.test.ts runs for every user.
test.runIf(process.getuid?.() === 0)(
  'While the disk fills up, the site is shown, and it recovers when space is available',
  async () => {
    expect(await fillDisk({ steps: 2 })).toMatch(
      /recovered with free space, and none of \d+ acknowledged rows is missing\.$/,
    );
  },
);
