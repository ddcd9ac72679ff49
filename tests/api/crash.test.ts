import { mkdtemp, readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPgliteDatabase } from '../../backend/database/pglite-database.ts';
import { beginUpload, noisyPicture, resumableOptions, uploadResumably } from '../support/resumable-upload.ts';
import { startS3Server } from '../support/s3-server.ts';
import { readSecretKey, removeFolder, startSite } from '../support/site.ts';

test('Killing the process at any moment loses no row that was acknowledged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-crash-'));
  onTestFinished(() => removeFolder(folder));
  const newSite = await startSite(folder, { STARTER_CONTENT: 'off' });
  await newSite.stop();
  const secretKey = await readSecretKey(folder);
  const acknowledged: string[] = [];
  for (let round = 0; round < 5; round++) {
    const site = await startSite(folder);
    const killAt = acknowledged.length + 10 + Math.random() * 50;
    const insertUntilKilled = async (writer: number) => {
      for (let n = 0; acknowledged.length < killAt; n++) {
        const key = `crash-${round}-${writer}-${n}`;
        const response = await insertSetting(site.url, secretKey, key).catch(() => null);
        if (response?.status === 201) acknowledged.push(key);
      }
      // The other writers are in the middle of an insert now.
      site.process.kill('SIGKILL');
    };
    await Promise.all([1, 2, 3].map(insertUntilKilled));
    await site.stop();
  }
  const database = await openPgliteDatabase({ folder: join(folder, 'postgres') });
  const { rows } = await database.query<{ setting_key: string }>('select setting_key from public.site_settings');
  await database.close();
  const found = new Set(rows.map((row) => row.setting_key));
  expect(acknowledged.length).toBeGreaterThan(50);
  expect(acknowledged.filter((key) => !found.has(key))).toEqual([]);
});

test.each(['a folder', 'an object store'])(
  'Killing the process in the middle of an upload to %s costs a piece of it; the rest is sent after the next start',
  async (store) => {
    const folder = await mkdtemp(join(tmpdir(), 'signalfjord-crash-'));
    onTestFinished(() => removeFolder(folder));
    const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', region: 'us-east-1' };
    const s3 = await startS3Server(credentials);
    onTestFinished(() => s3.close());
    const environment = {
      STARTER_CONTENT: 'off',
      ...(store === 'a folder'
        ? {}
        : {
            S3_ENDPOINT: s3.url,
            S3_BUCKET: 'our-files',
            S3_ACCESS_KEY_ID: credentials.accessKeyId,
            S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
          }),
    };
    const storedFiles = async () => {
      if (store === 'an object store') return s3.objects.size;
      const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).length;
    };
    const newSite = await startSite(folder, environment);
    await newSite.stop();
    const token = await readSecretKey(folder);
    const bytes = await noisyPicture(2400, 2000);
    const first = await startSite(folder, environment);
    const upload = resumableOptions({ site: first.url, token, name: 'a.png' });
    const began = await beginUpload(bytes, { ...upload, chunkSize: 1 }, 1);
    const isCutOff = sendWithoutEnd(began, token, bytes.subarray(1, 7 * 1024 * 1024));
    await expect.poll(storedFiles).toBe(2);
    first.process.kill('SIGKILL');
    await first.stop();
    await isCutOff;

    const second = await startSite(folder, environment);
    const url = began.replace(first.url, second.url);
    const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' };
    const offset = Number((await fetch(url, { method: 'HEAD', headers })).headers.get('upload-offset'));
    // The second piece is stored before the row that names it is written.
    expect([1, 1 + 6 * 1024 * 1024]).toContain(offset);
    await uploadResumably(bytes, { ...upload, endpoint: `${second.url}/storage/v1/upload/resumable`, uploadUrl: url });
    const stored = await fetch(`${second.url}/storage/v1/object/public/content-media/a.png`);
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
    await expect.poll(storedFiles).toBe(1);
    expect(await readdir(join(folder, 'incoming'))).toEqual([]);
    await second.stop();
  },
);

/** Sends what there is as the beginning of something longer. Resolves when the server hangs up. */
function sendWithoutEnd(url: string, token: string, bytes: Buffer): Promise<void> {
  const { port, pathname } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  const head = [
    `PATCH ${pathname} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${token}`,
    'tus-resumable: 1.0.0',
    'upload-offset: 1',
    'content-type: application/offset+octet-stream',
    `content-length: ${bytes.length + 1_000_000}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(bytes);
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

async function insertSetting(url: string, secretKey: string, key: string): Promise<Response> {
  const response = await fetch(`${url}/rest/v1/site_settings`, {
    method: 'POST',
    headers: { apikey: secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ setting_key: key, setting_value: 'kept' }),
  });
  await response.arrayBuffer();
  return response;
}
