/**
 * Resumable uploads without permission, with forbidden files, or beyond the limits. Each attack has an allowed
 * counterpart.
 */
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import type { HttpResponse, UploadOptions } from 'tus-js-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { html, picture } from '../../packages/backend/tests/support/sample-files.ts';
import { createSiteBackend } from '../../server/site-backend.ts';
import { beginUpload, resumableOptions, uploadResumably } from '../support/resumable-upload.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: { id: string; token: string };
let otherAdmin: { id: string; token: string };
let bytes: Buffer;

beforeAll(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on' });
  admin = await site.signedIn('admin');
  otherAdmin = await site.signedIn('admin');
  bytes = await picture(300, 300);
});
afterEach(async () => {
  await query('delete from backend.resumable_uploads');
  await site.service.storage.emptyBucket('content-media');
});
afterAll(() => site.close());

const query = (sql: string, values: string[] = []) => site.backend.database.query(sql, values);
const media = () => site.service.storage.from('content-media');
const fileExists = async (name: string) => (await media().exists(name)).data;
const countUploads = async () => (await query('select from backend.resumable_uploads')).rowCount;

function options(name: string, token = admin.token): UploadOptions {
  return { ...resumableOptions({ site: site.url, token, name }), chunkSize: 200 };
}

/** Returns the server's error for a whole upload. */
async function readUploadError(content: Buffer, upload: UploadOptions) {
  const error: { originalResponse?: HttpResponse } = await uploadResumably(content, upload).then(
    () => ({}),
    (reason) => reason,
  );
  return {
    status: error.originalResponse?.getStatus(),
    message: error.originalResponse?.getBody(),
    details: error.originalResponse?.getHeader('x-error-details'),
  };
}

function send(method: string, url: string, token: string | null, headers: Record<string, string> = {}, body?: Buffer) {
  return fetch(url, {
    method,
    headers: { 'tus-resumable': '1.0.0', ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
    ...(body ? { body: new Uint8Array(body) } : {}),
  });
}

const sendRest = (url: string, token: string | null, offset = 200) =>
  send(
    'PATCH',
    url,
    token,
    { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    bytes.subarray(offset),
  );

describe('Users without permission to upload', () => {
  test.each(capitalizedRoles(['stranger', 'pending', 'client', 'team']))(
    '%s cannot start an upload',
    async (_label, person) => {
      const { token } = await site.signedIn(person);
      expect(await readUploadError(bytes, options('a.png', token))).toEqual({
        status: 403,
        message: 'new row violates row-level security policy',
        details: undefined,
      });
      expect(await countUploads()).toBe(0);
    },
  );

  test('visitors and requests without a key cannot start an upload, but an admin can', async () => {
    expect(await readUploadError(bytes, options('a.png', PUBLISHABLE_KEY))).toMatchObject({ status: 403 });
    expect(await readUploadError(bytes, { ...options('a.png'), headers: {} })).toMatchObject({ status: 400 });
    expect(await countUploads()).toBe(0);
    await uploadResumably(bytes, options('a.png'));
    expect(await fileExists('a.png')).toBe(true);
  });

  test('a former admin can neither resume an upload nor store it', async () => {
    const url = await beginUpload(bytes, options('late.png'), 1);
    const setRole = (role: string) =>
      query('update public.user_roles set role = $2 where user_id = $1', [admin.id, role]);
    await setRole('client');
    expect((await sendRest(url, admin.token)).status).toBe(403);
    await setRole('admin');

    const { port, pathname } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = [
      `PATCH ${pathname} HTTP/1.1`,
      'host: x',
      `authorization: Bearer ${admin.token}`,
      'tus-resumable: 1.0.0',
      'upload-offset: 200',
      'content-type: application/offset+octet-stream',
      `content-length: ${bytes.length - 200}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(bytes.subarray(200, 300));
    await expect.poll(() => readdir(join(site.dataFolder, 'incoming'))).toHaveLength(1);
    await setRole('client');
    const response = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
    socket.write(bytes.subarray(300));
    expect(await response).toMatch(/^HTTP\/1.1 403 /);
    socket.destroy();
    await setRole('admin');
    expect(await fileExists('late.png')).toBe(false);
    expect(await countUploads()).toBe(0);
  });
});

describe("Another user's upload", () => {
  test('cannot be read, resumed or deleted, and its owner can resume it', async () => {
    const url = await beginUpload(bytes, options('mine.png'), 1);
    for (const token of [otherAdmin.token, (await site.signedIn('client')).token, site.backend.keys.secretKey]) {
      expect((await send('HEAD', url, token)).status).toBe(404);
      expect((await sendRest(url, token)).status).toBe(404);
      expect((await send('DELETE', url, token)).status).toBe(404);
    }
    for (const method of ['HEAD', 'DELETE']) expect((await send(method, url, null)).status).toBe(400);
    expect((await sendRest(url, null)).status).toBe(400);
    expect((await send('HEAD', url, admin.token)).headers.get('upload-offset')).toBe('200');
    expect((await sendRest(url, admin.token)).status).toBe(204);
    expect(await fileExists('mine.png')).toBe(true);
  });

  test.each(['..%2f..', 'x', '%00', crypto.randomUUID(), "'--", '%ff'])(
    'an upload with the guessed id %s is not found',
    async (id) => {
      const url = `${site.url}/storage/v1/upload/resumable/${id}`;
      expect((await send('HEAD', url, admin.token)).status).toBe(404);
      expect((await sendRest(url, admin.token)).status).toBe(404);
      expect((await send('DELETE', url, admin.token)).status).toBe(404);
    },
  );
});

describe('An uploaded file', () => {
  test('is checked by its bytes when it is complete, and is deleted if the check fails', async () => {
    const content = Buffer.concat([html, Buffer.alloc(1000, ' ')]);
    expect(await readUploadError(content, options('page.png'))).toEqual({
      status: 415,
      message: 'mime type text/html is not supported',
      details: 'The file content was detected as a web page.',
    });
    expect(await fileExists('page.png')).toBe(false);
    expect(await countUploads()).toBe(0);
    expect(await readdir(join(site.dataFolder, 'incoming'))).toEqual([]);
    expect((await query('select from backend.unnamed_bytes')).rowCount).toBe(0);
  });

  test('has unsafe SVG content removed, even across chunks', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4">${' '.repeat(150)}<script>alert(1)</script><rect width="4" height="4"/></svg>`;
    await uploadResumably(Buffer.from(svg), options('drawing.svg'));
    const text = await (await media().download('drawing.svg')).data?.text();
    expect(text).toContain('<rect');
    expect(text).not.toContain('script');
  });

  test('cannot exceed the size limit of the bucket, whether declared or sent', async () => {
    const sendCreation = (length: string) =>
      send('POST', `${site.url}/storage/v1/upload/resumable`, admin.token, {
        'upload-length': length,
        'upload-metadata': `bucketName ${btoa('content-media')},objectName ${btoa('big.png')}`,
      });
    const response = await sendCreation('52428801');
    expect(response.status).toBe(413);
    expect(await response.text()).toBe('Maximum size exceeded');
    expect(response.headers.get('x-error-details')).toBe('this file is larger than 52.4 MB.');
    for (const [length, status] of [
      ['0', 400],
      ['-1', 400],
      ['1e9', 400],
      ['99999999999999999999', 400],
    ] as const) {
      expect((await sendCreation(length)).status).toBe(status);
    }
    const acceptedResponse = await sendCreation('1000');
    expect(acceptedResponse.status).toBe(201);
    const url = new URL(acceptedResponse.headers.get('location') ?? '', site.url).href;
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    expect((await send('PATCH', url, admin.token, headers, Buffer.alloc(1001))).status).toBe(413);
    expect((await send('HEAD', url, admin.token)).headers.get('upload-offset')).toBe('0');
  });

  test('must have a valid name and an existing bucket', async () => {
    for (const name of ['../escape.png', 'a//b.png', 'a\u0000b.png', 'x'.repeat(1025)]) {
      expect(await readUploadError(bytes, options(name))).toMatchObject({ status: 400 });
    }
    const metadata = { bucketName: 'nowhere', objectName: 'a.png' };
    expect(await readUploadError(bytes, { ...options('a.png'), metadata })).toMatchObject({
      status: 404,
      message: 'Bucket not found',
    });
    expect(await readUploadError(bytes, { ...options('a.png'), metadata: {} })).toMatchObject({ status: 400 });
    const invalid = { bucketName: 'content-media', objectName: 'a.png', metadata: 'no JSON' };
    expect(await readUploadError(bytes, { ...options('a.png'), metadata: invalid })).toMatchObject({ status: 400 });
    const withNul = { ...invalid, metadata: '{"a":"\\u0000"}', contentType: '\u0000' };
    expect(await readUploadError(bytes, { ...options('a.png'), metadata: withNul })).toMatchObject({ status: 400 });
    expect(await countUploads()).toBe(0);
  });

  test('replaces another file only with x-upsert', async () => {
    await uploadResumably(bytes, options('taken.png'));
    expect(await readUploadError(bytes, options('taken.png'))).toMatchObject({
      status: 409,
      message: 'The resource already exists',
    });
    const replacement = await picture(10, 10);
    const upsert = { ...options('taken.png'), headers: { authorization: `Bearer ${admin.token}`, 'x-upsert': 'true' } };
    await uploadResumably(replacement, upsert);
    expect((await media().info('taken.png')).data?.size).toBe(replacement.length);
  });

  test('is rejected if another file got its name in the meantime', async () => {
    const url = await beginUpload(bytes, options('meanwhile.png'), 1);
    await media().upload('meanwhile.png', bytes);
    expect((await sendRest(url, admin.token)).status).toBe(409);
    expect((await media().info('meanwhile.png')).data?.size).toBe(bytes.length);
  });
});

describe('Unfinished uploads', () => {
  const sendCreation = (token: string, length = '1000') =>
    send('POST', `${site.url}/storage/v1/upload/resumable`, token, {
      'upload-length': length,
      'upload-metadata': `bucketName ${btoa('content-media')},objectName ${btoa(`${crypto.randomUUID()}.png`)}`,
    });

  test('are limited to twenty per account, even for concurrent requests, and cancelled uploads do not count', async () => {
    const responses = await Promise.all(Array.from({ length: 25 }, () => sendCreation(admin.token)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20);
    const rejectedResponse = responses.find(({ status }) => status !== 201);
    expect(rejectedResponse?.status).toBe(429);
    expect(await rejectedResponse?.text()).toContain('too many unfinished uploads');
    expect((await sendCreation(otherAdmin.token)).status).toBe(201);
    const first = responses.find(({ status }) => status === 201)?.headers.get('location') ?? '';
    expect((await send('DELETE', new URL(first, site.url).href, admin.token)).status).toBe(204);
    expect((await sendCreation(admin.token)).status).toBe(201);
  });

  test('are limited to 500 MB per account, and those without activity for ten minutes are replaced', async () => {
    for (let index = 0; index < 9; index++) expect((await sendCreation(admin.token, '52000000')).status).toBe(201);
    expect((await sendCreation(admin.token, '52000000')).status).toBe(429);
    await query(`update backend.resumable_uploads set touched_at = now() - interval '11 minutes'`);
    expect((await sendCreation(admin.token, '52000000')).status).toBe(201);
    expect(await countUploads()).toBe(1);
  });

  test('can have at most a thousand chunks each', async () => {
    const url = await beginUpload(bytes, options('crumbs.png'), 1);
    await query('update backend.resumable_uploads set pieces = 1000');
    const headers = { 'upload-offset': '200', 'content-type': 'application/offset+octet-stream' };
    const response = await send('PATCH', url, admin.token, headers, bytes.subarray(200, 201));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('more than 1000 chunks');
    expect((await sendRest(url, admin.token)).status).toBe(204);
  });

  test('expire after a day and are deleted with their bytes', async () => {
    const url = await beginUpload(bytes, options('old.png'), 1);
    const recentUrl = await beginUpload(bytes, options('kept.png'), 1);
    const { pathname } = new URL(url);
    await query(
      `update backend.resumable_uploads set created_at = now() - interval '25 hours', expires_at = now() - interval '1 hour' where id = $1`,
      [pathname.split('/').at(-1) ?? ''],
    );
    expect((await sendRest(url, admin.token)).status).toBe(410);
    const { database } = site.backend;
    await createSiteBackend(parseConfig({ DATA_DIR: site.dataFolder }), { database, log: pino({ level: 'silent' }) });
    await expect.poll(countUploads).toBe(1);
    const listStoredFiles = async () =>
      (await readdir(join(site.dataFolder, 'files'), { recursive: true, withFileTypes: true })).filter((entry) =>
        entry.isFile(),
      );
    await expect.poll(listStoredFiles).toHaveLength(1);
    expect((await send('HEAD', url, admin.token)).status).toBe(404);
    expect((await sendRest(recentUrl, admin.token)).status).toBe(204);
  });
});

describe('A signed upload', () => {
  const signedOptions = (name: string, token: string) => ({
    ...options(name),
    endpoint: `${site.url}/storage/v1/upload/resumable/sign`,
    headers: { 'x-signature': token },
  });
  const createUploadToken = async (name: string) => {
    const { data } = await media().createSignedUploadUrl(name);
    return data?.token ?? '';
  };

  test('is accepted without an account, for its name only', async () => {
    const token = await createUploadToken('signed.png');
    expect(await readUploadError(bytes, signedOptions('other.png', token))).toMatchObject({
      status: 400,
      message: 'Invalid signature',
    });
    expect(await readUploadError(bytes, signedOptions('signed.png', 'x'))).toMatchObject({ status: 400 });
    expect(await readUploadError(bytes, { ...signedOptions('signed.png', token), headers: {} })).toMatchObject({
      status: 400,
    });
    expect(await countUploads()).toBe(0);
    const url = await beginUpload(bytes, signedOptions('signed.png', token), 1);
    expect(url).toContain('/upload/resumable/sign/');
    await uploadResumably(bytes, { ...signedOptions('signed.png', token), uploadUrl: url });
    expect((await media().info('signed.png')).data?.size).toBe(bytes.length);
    expect(await readUploadError(bytes, signedOptions('signed.png', token))).toMatchObject({ status: 409 });
  });

  test('cannot be resumed with the token of another name, nor with that of an account', async () => {
    const token = await createUploadToken('first.png');
    const url = await beginUpload(bytes, signedOptions('first.png', token), 1);
    const head = (address: string, headers: Record<string, string>) => send('HEAD', address, null, headers);
    expect((await head(url, { 'x-signature': await createUploadToken('second.png') })).status).toBe(400);
    const plainUrl = url.replace('/sign/', '/');
    expect((await send('HEAD', plainUrl, admin.token)).status).toBe(404);
    expect((await send('HEAD', plainUrl, site.backend.keys.secretKey)).status).toBe(404);
    expect((await head(url, { 'x-signature': token })).status).toBe(200);
  });
});

test('The features of the service are public, and scripts of other sites can read its headers', async () => {
  const response = await fetch(`${site.url}/storage/v1/upload/resumable`, { method: 'OPTIONS' });
  expect(response.status).toBe(204);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'tus-version': '1.0.0',
    'tus-resumable': '1.0.0',
    'tus-extension': 'creation,creation-with-upload,expiration,termination',
    'tus-max-size': '52428800',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('Upload-Offset'),
  });
});
