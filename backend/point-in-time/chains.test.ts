import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BackupStore, openBackupStore } from './backup-store.ts';
import {
  baseNames,
  beginningOf,
  endOf,
  FILES,
  newestChain,
  pieceName,
  piecesUntil,
  removeOldChains,
} from './chains.ts';

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

async function writeBase(id: string): Promise<void> {
  const base = { from: 100, whole: 150, label: 'label', system: '1' };
  await store.write(baseNames(id).json, Buffer.from(JSON.stringify(base)));
}

const writePiece = (id: string, from: number, to: number, second: number) =>
  store.write(pieceName(id, { from, to, at: at(second) }), Buffer.from('log'));

test('A chain is its pieces without a gap; of two that begin together the longer counts', async () => {
  await writeBase(SECOND);
  await writePiece(SECOND, 100, 140, 1);
  await writePiece(SECOND, 140, 160, 2);
  // Stored, though the answer to it was lost, and then stored again with what came since.
  await writePiece(SECOND, 160, 170, 3);
  await writePiece(SECOND, 160, 180, 4);
  await writePiece(SECOND, 180, 190, 5);
  await writePiece(SECOND, 200, 210, 6);
  const chain = await newestChain(store, at(60));
  expect(chain?.pieces.map(({ from, to }) => [from, to])).toEqual([
    [100, 140],
    [140, 160],
    [160, 180],
    [180, 190],
  ]);
  expect(chain && endOf(chain)).toBe(190);
  // Only from there on the copy is whole, whatever moment is asked for.
  expect(chain && beginningOf(chain)).toEqual(at(2));
  expect(chain && piecesUntil(chain, at(2)).at(-1)?.to).toBe(160);
  expect(chain && piecesUntil(chain, at(4)).at(-1)?.to).toBe(180);
});

test('The newest chain that was begun before the moment counts, and one whose copy did not end is none', async () => {
  await writeBase(FIRST);
  await writeBase(SECOND);
  await writePiece(UNFINISHED, 100, 200, 1);
  expect((await newestChain(store, new Date('2026-11-23')))?.id).toBe(SECOND);
  expect((await newestChain(store, new Date('2026-11-21')))?.id).toBe(FIRST);
  expect(await newestChain(store, new Date('2026-11-19'))).toBeNull();
});

test('What no kept moment needs is removed, files and the chain that leads to the oldest moment not', async () => {
  for (const id of [FIRST, SECOND]) {
    await writeBase(id);
    await writePiece(id, 100, 200, 1);
  }
  await store.write(`${FILES}one`, Buffer.from('file'));
  const before = await store.list('');
  await removeOldChains(store, Date.parse('2026-11-21T09:00Z'));
  expect(await store.list('')).toEqual(before);
  await removeOldChains(store, Date.parse('2026-11-21T11:00Z'));
  expect(await store.list('')).toEqual(before.filter((name) => !name.startsWith(FIRST)));
});
