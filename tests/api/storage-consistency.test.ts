import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SupabaseClient } from '@supabase/supabase-js';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { MemoryBudget } from '../../packages/backend/src/limits/memory-budget.ts';
import type { ByteStore } from '../../packages/backend/src/storage/bytes/byte-store.ts';
import { openLocalByteStore } from '../../packages/backend/src/storage/bytes/local-byte-store.ts';
import { createStorageService } from '../../packages/backend/src/storage/storage-service.ts';
import { pdf, picture, svg } from '../../packages/backend/tests/support/sample-files.ts';
import { beginUpload, resumableOptions, uploadResumably } from '../support/resumable-upload.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let folder: string;
let backend: TestBackend;
let bytes: ByteStore;
let admin: SupabaseClient;
let token: string;
/** Errors that the byte store throws on each call. */
const storeErrors: { put?: Error; remove?: Error } = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-files-'));
  const local = openLocalByteStore(join(folder, 'files'));
  bytes = {
    ...local,
    put: (key, file) => (storeErrors.put ? Promise.reject(storeErrors.put) : local.put(key, file)),
    remove: (keys) => (storeErrors.remove ? Promise.reject(storeErrors.remove) : local.remove(keys)),
  };
  backend = await startTestBackend({ DATA_DIR: folder }, { bytes });
  ({ client: admin, token } = await backend.signedIn('admin'));
});
afterEach(async () => {
  delete storeErrors.put;
  delete storeErrors.remove;
  await backend.service.storage.emptyBucket('content-media');
  await emptyTrash();
});
afterAll(async () => {
  await backend.close();
  await rm(folder, { recursive: true, force: true });
});

const media = () => admin.storage.from('content-media');

async function filesBelow(name: string): Promise<string[]> {
  const entries = await readdir(join(folder, name), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

async function listTrash(): Promise<{ id: string; name: string; version: string }[]> {
  const { rows } = await backend.backend.database.query<{ id: string; name: string; version: string }>(
    'select id, name, version from backend.deleted_objects where purge_at > now() order by name',
  );
  return rows;
}

async function emptyTrash(): Promise<void> {
  const _ids = (await listTrash()).map(({ id }) => id);
  await admin.rpc('delete_media_permanently', { _ids }).throwOnError();
  await vi.waitFor(async () => {
    expect((await backend.backend.database.query('select from backend.deleted_objects')).rowCount).toBe(0);
  }, 120_000);
}

/** Expects exactly these files, exactly these files in the trash, their bytes, and no unfinished uploads. */
async function expectStored(names: string[], trashNames: string[] = []): Promise<void> {
  const { rows } = await backend.backend.database.query<{ name: string; version: string }>(
    'select name, version from storage.objects order by name',
  );
  expect(rows.map(({ name }) => name)).toEqual(names);
  const deletedFiles = await listTrash();
  expect(deletedFiles.map(({ name }) => name)).toEqual(trashNames);
  expect((await filesBelow('files')).sort()).toEqual([...rows, ...deletedFiles].map(({ version }) => version).sort());
  expect(await filesBelow('incoming')).toEqual([]);
  expect((await backend.backend.database.query('select from backend.unnamed_bytes')).rowCount).toBe(0);
}

/** Sends the beginning of an upload, and closes the connection when the server has started to write it. */
async function abortUpload(headers: string[], beginning: Buffer): Promise<void> {
  const { port } = new URL(backend.url);
  const socket = connect(Number(port), '127.0.0.1');
  const head = ['POST /storage/v1/object/content-media/cut.png HTTP/1.1', 'host: x', `authorization: Bearer ${token}`];
  socket.write(`${[...head, ...headers].join('\r\n')}\r\n\r\n`);
  socket.write(beginning);
  await expect.poll(() => filesBelow('incoming')).toHaveLength(1);
  socket.destroy();
  await expect.poll(() => filesBelow('incoming')).toEqual([]);
}

describe('An interrupted upload', () => {
  test('sent as raw bytes leaves neither a row nor bytes', async () => {
    await abortUpload(['content-length: 1000000'], await picture(100, 100));
    await expectStored([]);
  });

  test('sent as a form leaves neither a row nor bytes', async () => {
    const part = '--x\r\ncontent-disposition: form-data; name=""; filename="a.png"\r\ncontent-type: image/png\r\n\r\n';
    const headers = ['content-type: multipart/form-data; boundary=x', 'content-length: 1000000'];
    await abortUpload(headers, Buffer.concat([Buffer.from(part), Buffer.alloc(100_000, 1)]));
    await expectStored([]);
  });

  test('is rejected if the form ends before its final boundary', async () => {
    const response = await fetch(`${backend.url}/storage/v1/object/content-media/cut.png`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\ncontent-disposition: form-data; name=""; filename="a.png"\r\n\r\nonly the beginning',
    });
    expect(await response.json()).toMatchObject({ message: 'The upload was aborted before its end.' });
    await expectStored([]);
  });

  test('does not prevent a complete upload of the same file', async () => {
    expect((await media().upload('cut.png', await picture(100, 100))).error).toBeNull();
    await expectStored(['cut.png']);
  });
});

describe('A full disk', () => {
  const diskFull = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

  test('is reported with its cause, and no part of the upload remains', async () => {
    storeErrors.put = diskFull;
    const { error } = await media().upload('a.pdf', pdf);
    expect(error).toMatchObject({
      status: 507,
      statusCode: '507',
      message: 'The file was not saved, because the disk of the server is full.',
    });
    await expectStored([]);
    delete storeErrors.put;
    expect((await media().upload('a.pdf', pdf)).error).toBeNull();
    await expectStored(['a.pdf']);
  });

  test('leaves the file that was to be replaced unchanged', async () => {
    await media().upload('a.pdf', pdf);
    storeErrors.put = diskFull;
    expect((await media().upload('a.pdf', await picture(5, 5), { upsert: true })).error).not.toBeNull();
    await expectStored(['a.pdf']);
    const original = await media().download('a.pdf');
    expect(Buffer.from((await original.data?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(pdf);
  });
});

describe('Bytes and rows match', () => {
  test('bytes and rows match after replacing, copying, moving, rejecting, sanitising and deleting', async () => {
    await media().upload('a.pdf', pdf);
    await media().upload('a.pdf', pdf, { upsert: true });
    await media().upload('a.pdf', pdf);
    await media().upload('b.png', Buffer.from('<html></html>'));
    await media().upload('c.svg', svg);
    await media().upload('f.pdf', pdf, { headers: { 'x-metadata': Buffer.from('{').toString('base64') } });
    await media().copy('a.pdf', 'd.pdf');
    await media().copy('a.pdf', 'c.svg');
    await media().move('d.pdf', 'e.pdf');
    await expectStored(['a.pdf', 'c.svg', 'e.pdf']);
    await media().remove(['a.pdf', 'nothing.pdf']);
    await expectStored(['c.svg', 'e.pdf'], ['a.pdf']);
  });

  test('one of several concurrent uploads with the same name succeeds, and the others get an error', async () => {
    const uploads = await Promise.all(Array.from({ length: 8 }, () => media().upload('race.pdf', pdf)));
    expect(uploads.filter(({ error }) => error === null)).toHaveLength(1);
    for (const { error } of uploads) if (error) expect(error).toMatchObject({ statusCode: '409' });
    await expectStored(['race.pdf']);
  });

  test('bytes and rows match after concurrent replacements of one file', async () => {
    const uploads = await Promise.all(
      Array.from({ length: 8 }, () => media().upload('race.pdf', pdf, { upsert: true })),
    );
    expect(uploads.filter(({ error }) => error === null).length).toBeGreaterThan(0);
    await expectStored(['race.pdf']);
  });
});

describe('An upload in several requests', () => {
  const options = (name: string) => ({ ...resumableOptions({ site: backend.url, token, name }), chunkSize: 300 });

  async function countChunks(): Promise<number> {
    return (await backend.backend.database.query('select from backend.resumable_pieces')).rowCount;
  }

  test('leaves no partial file if the disk is full at its end, and its last chunk can be sent again', async () => {
    const bytes = await picture(300, 300);
    const pieces = Math.ceil(bytes.length / 300) - 1;
    const url = await beginUpload(bytes, options('full.png'), pieces);
    storeErrors.put = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    await expect(uploadResumably(bytes, { ...options('full.png'), uploadUrl: url })).rejects.toThrow('507');
    expect((await media().exists('full.png')).data).toBe(false);
    expect(await countChunks()).toBe(pieces);
    expect(await filesBelow('files')).toHaveLength(pieces);
    expect(await filesBelow('incoming')).toEqual([]);
    delete storeErrors.put;
    await uploadResumably(bytes, { ...options('full.png'), uploadUrl: url });
    await expectStored(['full.png']);
  });

  test('is deleted with its bucket, and the cleanup deletes its bytes', async () => {
    await backend.service.storage.createBucket('passing', { public: false });
    const bytes = await picture(300, 300);
    const secretKey = backend.backend.keys.secretKey;
    const upload = resumableOptions({ site: backend.url, token: secretKey, name: 'a.png', bucket: 'passing' });
    await beginUpload(bytes, { ...upload, chunkSize: 300 }, 1);
    expect(await filesBelow('files')).toHaveLength(1);
    expect((await backend.service.storage.deleteBucket('passing')).error).toBeNull();
    expect(await countChunks()).toBe(0);
    await restartStorage();
    await expectStored([]);
  });

  test('succeeds even if its chunks cannot be deleted, and the next start deletes the chunks', async () => {
    storeErrors.remove = new Error('the disk does not answer');
    const bytes = await picture(300, 300);
    await uploadResumably(bytes, options('whole.png'));
    expect((await filesBelow('files')).length).toBeGreaterThan(1);
    delete storeErrors.remove;
    await restartStorage();
    await expectStored(['whole.png']);
  });
});

/**
 * Creates a second storage service on the same data, like the next start of the server, and runs its first sweep.
 * @param beforeSweep called before the sweep, when the service already accepts requests
 */
async function restartStorage(beforeSweep = async () => {}): Promise<void> {
  const { database, keys } = backend.backend;
  const identify = () => Promise.reject(new Error('This function must not be called'));
  const context = {
    config: parseConfig({ DATA_DIR: folder }),
    database,
    keys,
    memory: new MemoryBudget(),
    verifyCaptcha: async () => null,
    readSenderName: async () => 'Signalfjord',
    log: pino({ level: 'silent' }),
    identify,
  };
  // Wait, because the sweep keeps everything that was written in the millisecond of the start.
  await setTimeout(5);
  const { sweepJob } = createStorageService(context, bytes, {});
  await beforeSweep();
  await sweepJob.run(new AbortController().signal);
}

describe('The next start', () => {
  test('deletes bytes whose row was never written, as after a crash between the two', async () => {
    await media().upload('kept.pdf', pdf);
    const version = randomUUID();
    await backend.backend.database.query('insert into backend.unnamed_bytes (version) values ($1)', [version]);
    await mkdir(join(folder, 'files', version.slice(0, 2)), { recursive: true });
    await writeFile(join(folder, 'files', version.slice(0, 2), version), pdf);
    await writeFile(join(folder, 'incoming', randomUUID()), pdf);
    await restartStorage();
    await expectStored(['kept.pdf']);
  });

  test('keeps the bytes of an upload that began before its first sweep', async () => {
    const version = randomUUID();
    await restartStorage(async () => {
      // Wait, because the clock of the database may round differently.
      await setTimeout(5);
      await backend.backend.database.query('insert into backend.unnamed_bytes (version) values ($1)', [version]);
    });
    const { rows } = await backend.backend.database.query('delete from backend.unnamed_bytes returning version');
    expect(rows).toEqual([{ version }]);
  });

  test('deletes bytes that could not be deleted with their row', async () => {
    await media().upload('kept.pdf', pdf);
    await media().upload('removed.pdf', pdf);
    storeErrors.remove = new Error('the disk does not answer');
    expect((await media().remove(['removed.pdf'])).error).toBeNull();
    await emptyTrash();
    expect(await filesBelow('files')).toHaveLength(2);
    await restartStorage();
    delete storeErrors.remove;
    await restartStorage();
    await expectStored(['kept.pdf']);
  });

  test('keeps the bytes of files in the trash, and deletes them after 30 days', async () => {
    await media().upload('old.pdf', pdf);
    await media().upload('young.pdf', pdf);
    await media().remove(['old.pdf', 'young.pdf']);
    await expectStored([], ['old.pdf', 'young.pdf']);
    const backdate = `update backend.deleted_objects set deleted_at = deleted_at - $2 * interval '1 day',
      purge_at = purge_at - $2 * interval '1 day' where name = $1`;
    await backend.backend.database.query(backdate, ['old.pdf', 31]);
    await backend.backend.database.query(backdate, ['young.pdf', 29]);
    await restartStorage();
    await expectStored([], ['young.pdf']);
  });
});
