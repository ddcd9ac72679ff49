/** Resumable uploads with the official TUS client. */
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { createSiteBackend } from '../../server/site-backend.ts';
import { beginUpload, createNoisyImage, resumableOptions, uploadResumably } from '../support/resumable-upload.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const CHUNK_BYTES = 6 * 1024 * 1024;
const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG', region: 'eu-north-1' };

let large: Buffer;
beforeAll(async () => {
  large = await createNoisyImage(2400, 2000);
  expect(large.length).toBeGreaterThan(2 * CHUNK_BYTES);
});

function s3Environment(endpoint: string): Record<string, string> {
  return {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: 'our-files',
    S3_REGION: CREDENTIALS.region,
    S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  };
}

describe.each(['a folder', 'an object store'])('Uploads to %s', (store) => {
  let s3: S3Server;
  let backend: TestBackend;
  let admin: SupabaseClient;
  let token: string;
  let environment: Record<string, string>;

  beforeAll(async () => {
    s3 = await startS3Server(CREDENTIALS);
    environment = store === 'a folder' ? {} : s3Environment(s3.url);
    backend = await startTestBackend(environment);
    ({ client: admin, token } = await backend.signedIn('admin'));
  });
  afterEach(() => backend.service.storage.emptyBucket('content-media'));
  afterAll(async () => {
    await backend.close();
    await s3.close();
  });

  const options = (name: string) => resumableOptions({ site: backend.url, token, name });
  const media = () => admin.storage.from('content-media');
  const downloadBytes = async (name: string) =>
    Buffer.from((await (await media().download(name)).data?.arrayBuffer()) ?? new ArrayBuffer());

  async function listStoredKeys(): Promise<string[]> {
    if (store === 'an object store') return [...s3.objects.keys()];
    const entries = await readdir(join(backend.dataFolder, 'files'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  }

  /** Expects exactly this many objects and chunks, with their bytes, after an aborted request has ended. */
  async function expectStored(objects: number, pieces = 0): Promise<void> {
    const countStored = async () => {
      const { rows } = await backend.backend.database.query<{ objects: number; pieces: number; unnamed: number }>(
        `select (select count(*)::int from storage.objects) as objects,
           (select count(*)::int from backend.resumable_pieces) as pieces,
           (select count(*)::int from backend.unnamed_bytes) as unnamed`,
      );
      const incoming = await readdir(join(backend.dataFolder, 'incoming'));
      return { ...rows[0], stored: (await listStoredKeys()).length, incoming };
    };
    await expect.poll(countStored).toEqual({ objects, pieces, unnamed: 0, stored: objects + pieces, incoming: [] });
  }

  test('a large file is downloaded byte for byte, with its metadata', async () => {
    const upload = options('large.png');
    await uploadResumably(large, {
      ...upload,
      metadata: { ...upload.metadata, metadata: JSON.stringify({ credit: 'Kari' }) },
    });
    expect((await downloadBytes('large.png')).equals(large)).toBe(true);
    expect((await media().info('large.png')).data).toMatchObject({
      contentType: 'image/png',
      size: large.length,
      cacheControl: 'max-age=3600',
      metadata: { credit: 'Kari' },
    });
    const { rows } = await backend.backend.database.query<{ metadata: object }>(
      `select metadata from storage.objects where name = 'large.png'`,
    );
    expect(rows[0]?.metadata).toMatchObject({ width: 2400, height: 2000 });
    await expectStored(1);
  });

  test('an aborted upload resumes where it stopped, and an interrupted request keeps the received bytes', async () => {
    const url = await beginUpload(large, options('resumed.png'), 1);
    expect(await readOffset(url)).toBe(CHUNK_BYTES);
    await expectStored(0, 1);
    const offset = await sendUntilReceived(url, CHUNK_BYTES, 700_000);
    expect(offset).toBeLessThanOrEqual(CHUNK_BYTES + 700_000);

    const chunkSizes: number[] = [];
    await uploadResumably(large, {
      ...options('resumed.png'),
      uploadUrl: url,
      onChunkComplete: (size) => chunkSizes.push(size),
    });
    expect(chunkSizes.reduce((sum, size) => sum + size, 0)).toBe(large.length - offset);
    expect((await downloadBytes('resumed.png')).equals(large)).toBe(true);
    await expectStored(1);
  });

  test('a client that missed the last response sees that the upload is complete', async () => {
    const url = await uploadResumably(large, options('whole.png'));
    expect(await readOffset(url)).toBe(large.length);
    await expectStored(1);
  });

  test('a cancelled upload leaves no data', async () => {
    const url = await beginUpload(large, options('cancelled.png'), 2);
    await expectStored(0, 2);
    expect((await request('DELETE', url)).status).toBe(204);
    expect((await request('HEAD', url)).status).toBe(404);
    await expectStored(0);
  });

  test('an upload without chunks is stored in chunks while it arrives', async () => {
    const singleRequest = { ...options('one-request.png'), chunkSize: Number.POSITIVE_INFINITY };
    const url = await beginUpload(large, { ...singleRequest, uploadDataDuringCreation: false, chunkSize: 1 }, 1);
    await sendUntilReceived(url, 1, CHUNK_BYTES + 500_000, { beyond: CHUNK_BYTES });
    await uploadResumably(large, { ...singleRequest, uploadUrl: url });
    expect((await downloadBytes('one-request.png')).equals(large)).toBe(true);
    await expectStored(1);
  });

  test('concurrent final requests to two server instances create one file', async () => {
    const url = await beginUpload(large, options('race.png'), 2);
    const offset = await readOffset(url);
    const config = parseConfig({ DATA_DIR: backend.dataFolder, ...environment });
    const { database } = backend.backend;
    // Do not close this instance, because that would close the shared database.
    const second = await createSiteBackend(config, { database, log: pino({ level: 'silent' }) });
    const send = (fetcher: (request: Request) => Response | Promise<Response>) =>
      fetcher(
        new Request(url, {
          method: 'PATCH',
          headers: patchHeaders(offset),
          body: new Uint8Array(large.subarray(offset)),
        }),
      );
    const responses = await Promise.all([send(fetch), send(second.fetch), send(fetch)]);
    // 400: a newer request superseded it before it began. A request superseded later keeps the received bytes.
    for (const { status } of responses) expect([204, 400, 409]).toContain(status);
    await uploadResumably(large, { ...options('race.png'), uploadUrl: url });
    expect((await downloadBytes('race.png')).equals(large)).toBe(true);
    await expectStored(1);
  });

  test('a newer request supersedes a hanging request', async () => {
    const url = await beginUpload(large, options('hanging.png'), 1);
    await sendUntilReceived(url, CHUNK_BYTES, 300_000, { hangUp: false });
    await uploadResumably(large, { ...options('hanging.png'), uploadUrl: url });
    expect((await downloadBytes('hanging.png')).equals(large)).toBe(true);
  });

  if (store === 'an object store') {
    test('a last chunk that the object store rejects can be resent', async () => {
      const url = await beginUpload(large, options('again.png'), 2);
      const offset = await readOffset(url);
      s3.failNext = 500;
      const send = () =>
        fetch(url, { method: 'PATCH', headers: patchHeaders(offset), body: new Uint8Array(large.subarray(offset)) });
      const failedResponse = await send();
      expect(failedResponse.status).toBe(503);
      expect(await failedResponse.text()).toBe(
        'The file storage cannot be reached right now. Please try again in a moment.',
      );
      expect(await readOffset(url)).toBe(offset);
      expect((await send()).status).toBe(204);
      expect((await downloadBytes('again.png')).equals(large)).toBe(true);
      await expectStored(1);
    });
  }

  function request(method: string, url: string): Promise<Response> {
    return fetch(url, { method, headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' } });
  }

  async function readOffset(url: string): Promise<number> {
    return Number((await request('HEAD', url)).headers.get('upload-offset'));
  }

  function patchHeaders(offset: number): Record<string, string> {
    return {
      authorization: `Bearer ${token}`,
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    };
  }

  /**
   * Sends a part of the file until the offset exceeds `beyond`. Each query of the offset aborts the request, so bytes
   * that have not arrived are sent again. @returns the offset
   */
  async function sendUntilReceived(url: string, from: number, length: number, { beyond = from, hangUp = true } = {}) {
    let offset = from;
    const sendAndQuery = async () => {
      const socket = await sendPart(url, offset, length);
      if (hangUp) socket.end();
      else onTestFinished(() => void socket.destroy());
      offset = await readOffset(url);
      return offset;
    };
    await expect.poll(sendAndQuery).toBeGreaterThan(beyond);
    return offset;
  }

  /** Sends a request with the length of the whole remainder, but only the first bytes of it. */
  async function sendPart(url: string, offset: number, length: number) {
    const remainder = large.subarray(offset);
    const { port, pathname } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    const headers = Object.entries({ ...patchHeaders(offset), host: 'x', 'content-length': remainder.length });
    socket.write(
      `PATCH ${pathname} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
    await new Promise((resolve) => socket.write(remainder.subarray(0, length), resolve));
    await expect.poll(() => readdir(join(backend.dataFolder, 'incoming'))).not.toEqual([]);
    return socket;
  }
});
