/**
 * The short forms of tests/faults/run.ts, each with its own server process. `memory`, `versions` and `postgres-disk`
 * have no short form.
 */
import { expect, test } from 'vitest';
import { endCertificates } from './certificates.ts';
import { crowd } from './clients.ts';
import { jumpClock } from './clock.ts';
import { fillDisk } from './full-disk.ts';
import { killAtWork } from './killed-work.ts';
import { killWhileWriting } from './kills.ts';
import { loseNames } from './names-away.ts';
import { strainObjectStore } from './object-store.ts';
import { loseServers } from './servers-away.ts';

test('After a kill while it writes rows, accounts and files, the server has lost no acknowledged data', async () => {
  expect(await killWhileWriting({ kills: 3 })).toMatch(/none is missing$/);
});

test('After a kill while a copy sends an email, publishes a release or cleans up, the next copy finishes the work', async () => {
  expect(await killAtWork({ moments: ['DATA', '.'] })).toMatch(/done by the next copy$/);
});

test('Without its database, object store, mail server or model, the site shows cached pages and recovers afterwards', async () => {
  expect(await loseServers({ seconds: 1 })).toMatch(/all went on$/);
});

test('If the object store refuses, truncates, loses or delays files, a file is complete or refused', async () => {
  expect(await strainObjectStore()).toMatch(/all went on$/);
});

test('While DNS fails, pages are shown and emails wait, and the site recovers afterwards', async () => {
  expect(await loseNames()).toMatch(/all went on$/);
});

test('After clock jumps, all users can sign in', async () => {
  expect(await jumpClock()).toMatch(/went on$/);
});

test('While the certificates of the mail server and the model are expired, emails wait and visitors see an error', async () => {
  expect(await endCertificates({ mails: 2 })).toMatch(/all went on$/);
});

test('Idle and slow connections and an oversized body do not block other requests', async () => {
  expect(await crowd({ idle: 100, busy: 20, slow: 10, megabytes: 64 })).toContain('were answered');
});

// A small disk needs root. packages/backend/src/database/disk-room.test.ts and tests/api/full-disk.test.ts run for
// every user.
test.runIf(process.getuid?.() === 0)(
  'While the disk fills up, the site is shown, and it recovers when space is available',
  async () => {
    expect(await fillDisk({ steps: 2 })).toMatch(/all went on, none of \d+ acknowledged rows missing$/);
  },
);
