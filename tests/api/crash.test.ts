/** Kills the process during multi-step operations. tests/faults/kills.ts kills it during single writes. */
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { expect, onTestFinished, test } from 'vitest';
import { beginUpload, createNoisyImage, resumableOptions, uploadResumably } from '../support/resumable-upload.ts';
import { startS3Server } from '../support/s3-server.ts';
import { newDataFolder, openFolder, queryFolder, removeFolder, type SiteProcess, startSite } from '../support/site.ts';

test.each(['a folder', 'an object store'])(
  'Killing the process during an upload to %s loses at most one chunk, and the upload can be resumed after the next start',
  async (store) => {
    const { folder, secretKey: token } = await newDataFolder('off');
    onTestFinished(() => removeFolder(folder));
    const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', region: 'us-east-1' };
    const s3 = await startS3Server(credentials);
    onTestFinished(() => s3.close());
    const environment = {
      ...(store === 'a folder'
        ? {}
        : {
            S3_ENDPOINT: s3.url,
            S3_BUCKET: 'our-files',
            S3_ACCESS_KEY_ID: credentials.accessKeyId,
            S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
          }),
    };
    const listStoredFiles = async () => {
      if (store === 'an object store') return s3.objects.size;
      const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).length;
    };
    const bytes = await createNoisyImage(2400, 2000);
    const first = await startSite(folder, environment);
    const upload = resumableOptions({ site: first.url, token, name: 'a.png' });
    const firstUrl = await beginUpload(bytes, { ...upload, chunkSize: 1 }, 1);
    const disconnected = sendWithoutEnd(firstUrl, token, bytes.subarray(1, 7 * 1024 * 1024));
    await expect.poll(listStoredFiles).toBe(2);
    first.process.kill('SIGKILL');
    await first.stop();
    await disconnected;

    const second = await startSite(folder, environment);
    const url = firstUrl.replace(first.url, second.url);
    const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' };
    const offset = Number((await fetch(url, { method: 'HEAD', headers })).headers.get('upload-offset'));
    // The second chunk is stored before its row is written.
    expect([1, 1 + 6 * 1024 * 1024]).toContain(offset);
    await uploadResumably(bytes, { ...upload, endpoint: `${second.url}/storage/v1/upload/resumable`, uploadUrl: url });
    const response = await fetch(`${second.url}/storage/v1/object/public/content-media/a.png`);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    await expect.poll(listStoredFiles).toBe(1);
    expect(await readdir(join(folder, 'incoming'))).toEqual([]);
    await second.stop();
  },
);

/** Sends these bytes as the beginning of a longer upload. Resolves when the server closes the connection. */
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

test('If the process is killed while items and files are deleted and restored, each is either present or deleted', async () => {
  const { folder, secretKey } = await newDataFolder('off');
  onTestFinished(() => removeFolder(folder));
  const ids = Array.from({ length: 12 }, () => crypto.randomUUID());
  const service = (url: string) =>
    createClient(url, secretKey, { auth: { persistSession: false, autoRefreshToken: false } });
  const names = ids.map((id) => `${id}.png`);
  const bytes = await createNoisyImage(40, 40);
  const insertItems = async (client: SupabaseClient) => {
    const rows = ids.map((id) => ({ id, title: id, slug: id }));
    await client.from('posts').insert(rows).throwOnError();
    for (const name of names) {
      expect((await client.storage.from('content-media').upload(name, bytes)).error).toBeNull();
    }
  };

  for (let round = 0; round < 3; round++) {
    const site = await startSite(folder);
    if (round === 0) await insertItems(service(site.url));
    const { deletePost, rpc, renewMedia } = createOperations(service(site.url));
    let operationCount = 0;
    const killAt = 40 + Math.random() * 60;
    const ignoreError = async (operation: () => Promise<unknown>) => {
      await operation().catch(() => undefined);
      operationCount += 1;
      // Kill the process while the operations of the other writers are in progress.
      if (operationCount > killAt) site.process.kill('SIGKILL');
    };
    const isRunning = () => operationCount <= killAt;
    const deleteAndRestore = async (writerIds: string[]) => {
      while (isRunning()) {
        for (const id of writerIds) {
          await ignoreError(() => deletePost(id));
          await ignoreError(() => rpc('restore_item', { _kind: 'posts', _item_id: id }));
          await ignoreError(() => renewMedia(`${id}.png`));
        }
      }
    };
    await Promise.all([0, 1, 2].map((writer) => deleteAndRestore(ids.filter((_id, index) => index % 3 === writer))));
    await site.stop();
  }

  // Start again so that the cleanup of leftover files runs.
  const last = await startSite(folder);
  const { data: deletedFiles } = await service(last.url).rpc('deleted_media', { _limit: 200 }).throwOnError();
  for (const { name } of deletedFiles as { name: string }[]) expect(names).toContain(name);
  await last.stop();
  const { database, close } = await openFolder(folder);
  const queryKeys = async (sql: string) =>
    (await database.query<{ key: string }>(sql)).rows.map(({ key }) => key).sort();
  expect(
    await queryKeys('select id::text as key from posts union all select item_id::text from deleted_content'),
  ).toEqual([...ids].sort());
  expect(
    await queryKeys('select name as key from storage.objects union all select name from backend.deleted_objects'),
  ).toEqual([...names].sort());
  const versions = await queryKeys(
    'select version as key from storage.objects union all select version from backend.deleted_objects',
  );
  // The last version of each item records whether it was deleted.
  expect(
    await queryKeys(`select newest.item_id as key from (
        select distinct on (item_id) item_id, action from content_versions order by item_id, id desc
      ) as newest where (action = 'deleted') <> exists (
        select from deleted_content as kept where kept.item_id::text = newest.item_id)`),
  ).toEqual([]);
  await close();
  const storedEntries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true });
  expect(
    storedEntries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort(),
  ).toEqual(versions);
});

/** Operations of one client. Each rejects after the process was killed. `renewMedia` deletes and restores a file. */
function createOperations(client: SupabaseClient) {
  const rpc = async (name: string, args: object) => client.rpc(name, args).throwOnError();
  return {
    rpc,
    deletePost: async (id: string) => client.from('posts').delete().eq('id', id).throwOnError(),
    async renewMedia(name: string) {
      await client.storage.from('content-media').remove([name]);
      const { data } = await rpc('deleted_media', { _search: name });
      await rpc('restore_media', { _id: (data as { id: string }[])[0]?.id });
    },
  };
}

const POST_COUNT = 25;
const TEXTS = 400;

test('A release and a file replacement are applied completely or not at all if the process is killed', async () => {
  const { folder, secretKey } = await newDataFolder('off');
  onTestFinished(() => removeFolder(folder));
  const setup = await openFolder(folder);
  await setup.database.script(RELEASE_AND_TEXTS);
  await setup.close();
  const query = <Row>(sql: string) => queryFolder<Row>(folder, sql);
  const release = (await query<{ id: string }>('select id from public.releases'))[0]?.id ?? '';
  const call = async (url: string, name: string, args: object) => {
    const response = await fetch(`${url}/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: { apikey: secretKey, 'content-type': 'application/json' },
      body: JSON.stringify(args),
    });
    await response.arrayBuffer();
    return response;
  };

  for (const killAfter of [50, 400]) {
    const site = await startSite(folder);
    const publishing = call(site.url, 'publish_release', { _id: release }).catch(() => null);
    await killAfterDelay(site, killAfter);
    await publishing;
    const [counts] = await query(`select count(*) filter (where title = 'After')::integer as done,
      (select count(*)::integer from public.releases where published_at is not null) as published from public.posts`);
    expect([
      { done: 0, published: 0 },
      { done: POST_COUNT, published: 1 },
    ]).toContainEqual(counts);
  }

  let current = 'a.png';
  // Kill the process in the middle, shortly before the end, and after the end.
  for (const [round, killAfter] of [20, 80, 140].entries()) {
    const site = await startSite(folder);
    if (round === 0) expect([204, 409]).toContain((await call(site.url, 'publish_release', { _id: release })).status);
    const replacement = current === 'a.png' ? 'b.png' : 'a.png';
    const replacing = call(site.url, 'replace_media', { _name: current, _by: replacement }).catch(() => null);
    await killAfterDelay(site, killAfter);
    const response = await replacing;
    const rows = await query<{ name: string; texts: number }>(
      `select substring(content from 'content-media/(.\\.png)') as name, count(*)::integer as texts
       from public.posts where slug ~ '^text-' group by 1`,
    );
    expect(rows).toMatchObject([{ texts: TEXTS }]);
    if (response?.ok) expect(rows[0]?.name).toBe(replacement);
    current = rows[0]?.name ?? '';
  }
  // The release was published before the process was killed.
  expect(await query(`select distinct title from public.posts where slug ~ '^post-'`)).toEqual([{ title: 'After' }]);
});

/** Creates a release with posts that are slow to publish, and texts with a picture. */
const RELEASE_AND_TEXTS = `
  create function public.take_a_while() returns trigger language plpgsql as $$
  begin
    perform count(*) from generate_series(1, 100000);
    return new;
  end
  $$;
  insert into public.posts (title, slug) select 'Before', 'post-' || n from generate_series(1, ${POST_COUNT}) as n;
  insert into public.releases (name) values ('Spring');
  insert into public.release_changes (release_id, kind, item_id, action, data, base)
    select releases.id, 'posts', posts.id::text, 'update', '{"title": "After"}', to_jsonb(posts)
    from public.posts, public.releases;
  create trigger take_a_while before update on public.posts for each row
    when (new.slug ~ '^post-') execute function public.take_a_while();
  insert into storage.objects (bucket_id, name, metadata)
    select 'content-media', name, '{"mimetype": "image/png", "size": 1}' from unnest(array['a.png', 'b.png']) as name;
  insert into public.posts (title, slug, content)
    select 'Text ' || n, 'text-' || n, '![x](/storage/v1/object/public/content-media/a.png)' || repeat(' word', 500)
    from generate_series(1, ${TEXTS}) as n;
`;

async function killAfterDelay(site: SiteProcess, milliseconds: number): Promise<void> {
  await wait(milliseconds);
  await site.stop('SIGKILL');
}
