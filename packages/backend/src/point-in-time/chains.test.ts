import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BackupStore, openBackupStore } from './backup-store.ts';
import {
  baseNames,
  earliestTime,
  FILES,
  newestChain,
  nextSegment,
  removeOldChains,
  segmentName,
  segmentsUntil,
} from './chains.ts';
import { segmentNumber } from './segments.ts';

const FIRST = '2026-11-20T10-00-00-000Z';
const SECOND = '2026-11-21T10-00-00-000Z';
const UNFINISHED = '2026-11-22T10-00-00-000Z';

let folder: string;
let store: BackupStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-chains-'));
  store = openBackupStore(`file://${folder}`);
});
afterEach(() => rm(folder, { recursive: true }));

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, second));

const FIRST_SEGMENT = '0000000100000000000003FE';
const SEGMENTS = [FIRST_SEGMENT, '0000000100000000000003FF', '000000010000000100000000', '000000010000000100000001'];

async function writeBase(id: string): Promise<void> {
  const base = { first: SEGMENTS[0], last: SEGMENTS[1], since: at(1).getTime(), label: 'label', system: '1' };
  await store.write(baseNames(id).json, Buffer.from(JSON.stringify(base)));
}

const writeSegment = (id: string, index: number, second: number) =>
  store.write(segmentName(id, `${SEGMENTS[index]}-${at(second).getTime()}.gz`), Buffer.from('log'));

test('A chain contains its segments up to the first gap, even if the segment number rolls over', async () => {
  await writeBase(SECOND);
  await writeSegment(SECOND, 0, 1);
  expect(await newestChain(store, at(60)).then((chain) => chain && earliestTime(chain))).toBeNull();
  await writeSegment(SECOND, 1, 2);
  await writeSegment(SECOND, 3, 6);
  const chainWithGap = await newestChain(store, at(60));
  expect(chainWithGap).toMatchObject({ hasGap: true, segments: [{ segment: SEGMENTS[0] }, { segment: SEGMENTS[1] }] });
  await writeSegment(SECOND, 2, 4);
  // Postgres archives a segment again after a crash.
  await writeSegment(SECOND, 2, 5);
  const chain = await newestChain(store, at(60));
  expect(chain?.segments.map(({ segment }) => segment)).toEqual(SEGMENTS);
  expect(chain).toMatchObject({ hasGap: false });
  expect(chain && nextSegment(chain)).toBe(segmentNumber(FIRST_SEGMENT) + 4);
  expect(chain && earliestTime(chain)).toEqual(at(1));
  // The segment that ends after the requested time contains the commits before it.
  expect(chain && segmentsUntil(chain, at(1))).toHaveLength(2);
  expect(chain && segmentsUntil(chain, at(3))).toHaveLength(3);
  expect(chain && segmentsUntil(chain, at(9))).toHaveLength(4);
});

test('The newest complete base backup from before the requested time is used', async () => {
  await writeBase(FIRST);
  await writeBase(SECOND);
  await writeSegment(UNFINISHED, 0, 1);
  expect((await newestChain(store, new Date('2026-11-23')))?.id).toBe(SECOND);
  expect((await newestChain(store, new Date('2026-11-21')))?.id).toBe(FIRST);
  expect(await newestChain(store, new Date('2026-11-19'))).toBeNull();
});

test('Chains that are no longer needed are deleted, and file copies are kept', async () => {
  for (const id of [FIRST, SECOND]) {
    await writeBase(id);
    await writeSegment(id, 0, 1);
  }
  await store.write(`${FILES}one`, Buffer.from('file'));
  const namesBefore = await store.list('');
  await removeOldChains(store, Date.parse('2026-11-21T09:00Z'));
  expect(await store.list('')).toEqual(namesBefore);
  await removeOldChains(store, Date.parse('2026-11-21T11:00Z'));
  expect(await store.list('')).toEqual(namesBefore.filter((name) => !name.startsWith(FIRST)));
});
