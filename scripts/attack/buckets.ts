/**
 * Tests what each role can do with the files of a bucket. Only files created with the secret key for this test are
 * read, replaced, moved or deleted.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ApiResponse, Send } from './instance.ts';
import { IDS } from './instance.ts';
import type { Caller } from './people.ts';

/** Allowed operations per role, separated by commas. Roles without an allowed operation are omitted. */
export type BucketAccess = Partial<Record<string, string>>;

/** Name of the entry for a new bucket, which shows the policies that apply to all buckets. */
export const ANY_BUCKET = '(any new bucket)';

const PREFIX = 'attack-';

/** One-pixel PNG, because some buckets accept only pictures. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PICTURE = { body: new Uint8Array(PIXEL), headers: { 'content-type': 'image/png' } };

const isDone = ({ status }: ApiResponse) => status < 300;

/** Tests the operations in a bucket. @param folder with a trailing slash. Default: the root of the bucket */
export async function probeBucket(
  send: Send,
  secretKey: string,
  callers: readonly Caller[],
  bucket: string,
  folder = '',
): Promise<BucketAccess> {
  const access = callers.map(
    async (caller) => [caller.role, await findAllowedVerbs(send, secretKey, caller, bucket, folder)] as const,
  );
  return Object.fromEntries<string | undefined>((await Promise.all(access)).filter(([, verbs]) => verbs !== ''));
}

async function findAllowedVerbs(
  send: Send,
  secretKey: string,
  { token }: Caller,
  bucket: string,
  folder: string,
): Promise<string> {
  const base = `${PREFIX}${randomUUID()}.png`;
  const name = `${folder}${base}`;
  const nameWith = (suffix: string) => name.replace('.png', `-${suffix}.png`);
  const upload = await send(secretKey, 'POST', `/storage/v1/object/${bucket}/${name}`, PICTURE);
  if (!isDone(upload))
    throw new Error(`Uploading a file to ${bucket} failed: ${upload.status} ${upload.text.slice(0, 200)}`);
  const listResponse = send(token, 'POST', `/storage/v1/object/list/${bucket}`, {
    body: { prefix: folder, search: base },
  });
  const independent = {
    see: send(token, 'GET', `/storage/v1/bucket/${bucket}`),
    list: listResponse.then((response) => ({
      ...response,
      status: Array.isArray(response.json) && response.json.length > 0 ? 200 : 404,
    })),
    open: send(null, 'GET', `/storage/v1/object/public/${bucket}/${name}`),
    read: send(token, 'GET', `/storage/v1/object/authenticated/${bucket}/${name}`),
    sign: send(token, 'POST', `/storage/v1/object/sign/${bucket}/${name}`, { body: { expiresIn: 60 } }),
    'sign upload': send(token, 'POST', `/storage/v1/object/upload/sign/${bucket}/${nameWith('signed')}`, { body: {} }),
    upload: send(token, 'POST', `/storage/v1/object/${bucket}/${nameWith('upload')}`, PICTURE),
    copy: send(token, 'POST', '/storage/v1/object/copy', {
      body: { bucketId: bucket, sourceKey: name, destinationKey: nameWith('copy') },
    }),
  };
  const verbs: string[] = [];
  const record = async (verb: string, response: ApiResponse | Promise<ApiResponse>) => {
    if (isDone(await response)) verbs.push(verb);
  };
  for (const [verb, response] of Object.entries(independent)) await record(verb, response);
  // Run these operations in sequence, because each depends on the previous operation. Deletion is last.
  await record('replace', send(token, 'PUT', `/storage/v1/object/${bucket}/${name}`, PICTURE));
  const moveResponse = await send(token, 'POST', '/storage/v1/object/move', {
    body: { bucketId: bucket, sourceKey: name, destinationKey: nameWith('moved') },
  });
  await record('move', moveResponse);
  const removeResponse = await send(token, 'DELETE', `/storage/v1/object/${bucket}`, {
    body: { prefixes: [isDone(moveResponse) ? nameWith('moved') : name] },
  });
  if (Array.isArray(removeResponse.json) && removeResponse.json.length > 0) verbs.push('remove');
  return verbs.join(', ');
}

/** Tests a new bucket: policies that apply to all buckets, and operations on buckets themselves. */
export async function probeNewBucket(send: Send, secretKey: string, callers: readonly Caller[]): Promise<BucketAccess> {
  const bucket = `${PREFIX}${randomUUID()}`;
  const createBucket = (token: string | null, id: string) =>
    send(token, 'POST', '/storage/v1/bucket', { body: { id, name: id } });
  const created = await createBucket(secretKey, bucket);
  if (!isDone(created)) throw new Error(`Creating a bucket failed: ${created.status} ${created.text.slice(0, 200)}`);
  const access = await probeBucket(send, secretKey, callers, bucket);
  for (const { role, token } of callers) {
    const operations = {
      'create buckets': await createBucket(token, `${PREFIX}${randomUUID()}`),
      'open bucket': await send(token, 'PUT', `/storage/v1/bucket/${bucket}`, { body: { public: false } }),
      'empty bucket': await send(token, 'POST', `/storage/v1/bucket/${bucket}/empty`, { body: {} }),
      'delete bucket': await send(token, 'DELETE', `/storage/v1/bucket/${bucket}`),
    };
    const verbs = Object.entries(operations).flatMap(([verb, response]) => (isDone(response) ? [verb] : []));
    if (verbs.length > 0) access[role] = [access[role] ?? [], verbs].flat().join(', ');
    if (isDone(operations['delete bucket'])) await createBucket(secretKey, bucket);
  }
  return access;
}

/** Deletes all files and buckets of this and earlier runs. `admin` also empties the trash of the built-in backend. */
export async function removeFiles(send: Send, secretKey: string, admin: Caller | undefined): Promise<void> {
  const buckets = await send(secretKey, 'GET', '/storage/v1/bucket');
  for (const { id } of buckets.read(IDS, [])) {
    await removeTestFiles(send, secretKey, id);
    if (id.startsWith(PREFIX)) await send(secretKey, 'DELETE', `/storage/v1/bucket/${id}`);
  }
  if (!admin) return;
  const call = (name: string, body: object) => send(admin.token, 'POST', `/rest/v1/rpc/${name}`, { body });
  for (;;) {
    const deletedFiles = await call('deleted_media', { _search: PREFIX, _limit: 100, _offset: 0 });
    const ids = deletedFiles
      .read(z.array(z.object({ id: z.string(), name: z.string() })), [])
      .flatMap(({ id, name }) => (name.startsWith(PREFIX) ? [id] : []));
    if (ids.length === 0 || !isDone(await call('delete_media_permanently', { _ids: ids }))) return;
  }
}

async function removeTestFiles(send: Send, secretKey: string, bucket: string): Promise<void> {
  for (;;) {
    const listResponse = await send(secretKey, 'POST', `/storage/v1/object/list/${bucket}`, {
      body: { prefix: '', search: PREFIX, limit: 100 },
    });
    const names = listResponse
      .read(z.array(z.object({ name: z.string() })), [])
      .flatMap(({ name }) => (name.startsWith(PREFIX) ? [name] : []));
    if (names.length === 0) return;
    const removeResponse = await send(secretKey, 'DELETE', `/storage/v1/object/${bucket}`, {
      body: { prefixes: names },
    });
    if (!isDone(removeResponse))
      throw new Error(`Removing test files from ${bucket} failed: ${removeResponse.text.slice(0, 200)}`);
  }
}
