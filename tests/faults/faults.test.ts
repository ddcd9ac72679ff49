/** The short forms of tests/faults/run.ts, each against a process of its own; memory, versions and postgres-disk have none. */
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

test('Killed while it writes rows, accounts and files, the process loses nothing that it acknowledged', async () => {
  expect(await killWhileWriting({ kills: 3 })).toMatch(/none is missing$/);
});

test('Killed while it sends a mail, publishes a release or cleans up, a copy leaves whole work to the next', async () => {
  expect(await killAtWork({ moments: ['DATA', '.'] })).toMatch(/done by the next copy$/);
});

test('Without its database, object store, mail server or model the site shows what it can, and goes on afterwards', async () => {
  expect(await loseServers({ seconds: 1 })).toMatch(/all went on$/);
});

test('With an object store that refuses, breaks off, loses and is slow, files are whole or refused', async () => {
  expect(await strainObjectStore()).toMatch(/all went on$/);
});

test('While names do not resolve, pages are shown and mails wait, and all goes on afterwards', async () => {
  expect(await loseNames()).toMatch(/all went on$/);
});

test('When the clock jumps, nobody is locked out', async () => {
  expect(await jumpClock()).toMatch(/went on$/);
});

test('While the certificates of its mail server and its model have ended, mails wait and visitors are told', async () => {
  expect(await endCertificates({ mails: 2 })).toMatch(/all went on$/);
});

test('Idle and slow connections and a body that is too large keep nobody else waiting', async () => {
  expect(await crowd({ idle: 100, busy: 20, slow: 10, megabytes: 64 })).toContain('were answered');
});

// A disk of its own needs root; packages/backend/src/database/disk-room.test.ts and tests/api/full-disk.test.ts hold for everybody.
test.runIf(process.getuid?.() === 0)(
  'On a disk that fills up the site is shown, and goes on once there is room',
  async () => {
    expect(await fillDisk({ steps: 2 })).toMatch(/all went on, none of \d+ acknowledged rows missing$/);
  },
);
