/** Archives move a site between installations or restore it. An import either completes or changes nothing. */
import { createHash } from 'node:crypto';
import { access, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import type { Backend } from '../../packages/backend/src/create-backend.ts';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { migrate } from '../../packages/backend/src/database/migrate.ts';
import { OperatorError } from '../../packages/backend/src/database/operator-error.ts';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { seed } from '../../packages/backend/src/database/seed.ts';
import { openArchive } from '../../packages/backend/src/export-import/archive.ts';
import { exportArchive } from '../../packages/backend/src/export-import/export-archive.ts';
import { type FileStore, ownFiles, projectFiles } from '../../packages/backend/src/export-import/files.ts';
import { importArchive } from '../../packages/backend/src/export-import/import-archive.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import type { ByteStore } from '../../packages/backend/src/storage/bytes/byte-store.ts';
import { openByteStore } from '../../packages/backend/src/storage/bytes/open-byte-store.ts';
import { openS3ByteStore } from '../../packages/backend/src/storage/bytes/s3-byte-store.ts';
import { type NativePostgres, startNativePostgres } from '../../packages/backend/tests/support/native-postgres.ts';
import { listContentTables } from '../../scripts/moving.ts';
import { createSiteBackend } from '../../server/site-backend.ts';
import { runCommand } from '../support/command.ts';
import { startHostedPlatform } from '../support/hosted-platform.ts';
import { readSchema } from '../support/read-schema.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { startTestBackend } from '../support/test-backend.ts';
import { openEmptyDatabase, openTestDatabase } from '../support/test-database.ts';

const MIGRATIONS = join(import.meta.dirname, '../../supabase/migrations');
const PASSWORD = 'Correct-horse-7';
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

const S3 = { region: 'eu-north-1', accessKeyId: 'key', secretAccessKey: 'secret' };

let server: NativePostgres;
let objectStore: S3Server;
let folder: string;
/** A site with an account, files and a draft in the built-in database. */
let site: RunningSite;
let refreshToken: string;
let archive: string;

beforeAll(async () => {
  [server, objectStore, folder] = await Promise.all([
    startNativePostgres(),
    startS3Server(S3),
    mkdtemp(join(tmpdir(), 'signalfjord-moving-')),
  ]);
  const database = await openTestDatabase();
  await seed(database, join(MIGRATIONS, '../seed.sql'));
  site = await startBackend('site', database);
  const { data } = await site.visitor.auth.signUp({ email: 'ada@example.com', password: PASSWORD });
  refreshToken = data.session?.refresh_token ?? '';
  await site.service.storage.createBucket('contracts', { public: false });
  await site.service.storage.from('contracts').upload('signed.png', PICTURE, { contentType: 'image/png' });
  await site.service.storage.from('content-media').upload('covers/one.png', PICTURE, { contentType: 'image/png' });
  await site.service.from('posts').insert({ title: 'Draft', slug: 'draft', status: 'draft', content: 'a\\b\tc\nd' });
  archive = join(folder, 'site.zip');
  await exportArchive(createSource(site), archive);
});

afterAll(async () => {
  await site.backend.close();
  await objectStore.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

interface RunningSite {
  backend: Backend;
  database: Database;
  files: FileStore;
  visitor: SupabaseClient;
  service: SupabaseClient;
}

/** Starts a backend on a database, with files in the folder `name`. */
async function startBackend(name: string, database: Database, bytes?: ByteStore): Promise<RunningSite> {
  const config = parseConfig({ DATA_DIR: join(folder, name), RATE_LIMITS: 'off' });
  await mkdir(config.DATA_DIR, { recursive: true });
  const backend = await createSiteBackend(config, {
    database,
    log: pino({ level: 'silent' }),
    ...(bytes && { bytes }),
  });
  const connect = (key: string) =>
    createClient('http://site.test', key, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { fetch: async (input, init) => backend.fetch(new Request(input, init)) },
    });
  return {
    backend,
    database,
    files: openFiles(name),
    visitor: connect(PUBLISHABLE_KEY),
    service: connect(backend.keys.secretKey),
  };
}

function openFiles(name: string): FileStore {
  const config = parseConfig({ DATA_DIR: join(folder, name) });
  return ownFiles(openByteStore(config), config.DATA_DIR);
}

function createSource(store: { database: Database; files: FileStore }, migrationsFolder = MIGRATIONS) {
  return { database: store.database, files: store.files, migrationsFolder, version: '0.1.0', listContentTables };
}

async function nativeDatabase(name: string): Promise<Database> {
  const admin = openPostgresDatabase(server.url, 1);
  await admin.script(`create database ${name}`);
  await admin.close();
  return openPostgresDatabase(server.url.replace(/\w+$/, name), 3);
}

async function readManifest(path: string) {
  const { manifest, close } = await openArchive(path);
  close();
  return manifest;
}

/** Copies the migrations to a new folder, with a newer one that runs this SQL. */
async function newerMigrations(sql: string): Promise<string> {
  const migrations = await mkdtemp(join(folder, 'migrations-'));
  await cp(MIGRATIONS, migrations, { recursive: true });
  await writeFile(join(migrations, '20991231000000_create_values.sql'), sql);
  return migrations;
}

test('A site moves to an external Postgres server and back without any change', async () => {
  const external = await nativeDatabase('moved');
  const bucket = openS3ByteStore({ endpoint: objectStore.url, bucket: 'site', ...S3 });
  const externalSource = createSource({ database: external, files: ownFiles(bucket, join(folder, 'own')) });
  await importArchive({ ...externalSource, replace: false }, archive);
  expect(objectStore.objects.size).toBe(2);
  const restoredDatabase = await openEmptyDatabase();
  const second = join(folder, 'second.zip');
  await exportArchive(externalSource, second);
  await importArchive(
    { ...createSource({ database: restoredDatabase, files: openFiles('back') }), replace: false },
    second,
  );
  const third = join(folder, 'third.zip');
  await exportArchive(createSource({ database: restoredDatabase, files: openFiles('back') }), third);

  const [first, last] = [await readManifest(archive), await readManifest(third)];
  expect(last.tables).toEqual(first.tables);
  expect(last.files).toEqual(first.files);
  expect(last.sequences).toEqual(first.sequences);
  expect(first.tables.find(({ name }) => name === 'users')?.rows).toBe(1);
  expect(first.files).toHaveLength(2);
  expect(await readSchema(external)).toEqual(await readSchema(restoredDatabase));
  await restoredDatabase.close();

  const movedSite = await startBackend('own', external, bucket);
  const { data } = await movedSite.visitor.auth.signInWithPassword({ email: 'ada@example.com', password: PASSWORD });
  expect(data.user?.email).toBe('ada@example.com');
  const refreshed = await movedSite.visitor.auth.refreshSession({ refresh_token: refreshToken });
  expect(refreshed.error).toBeNull();
  // The archive contains the secret key, and the policy that hides drafts from visitors.
  expect(movedSite.backend.keys.secretKey).toBe(site.backend.keys.secretKey);
  const readDrafts = (client: SupabaseClient) => client.from('posts').select('content').eq('slug', 'draft');
  expect((await readDrafts(movedSite.service)).data).toEqual([{ content: 'a\\b\tc\nd' }]);
  expect((await readDrafts(movedSite.visitor)).data).toEqual([]);
  const file = await movedSite.service.storage.from('contracts').download('signed.png');
  expect(Buffer.from((await file.data?.arrayBuffer()) ?? new ArrayBuffer()).equals(PICTURE)).toBe(true);
  expect((await movedSite.visitor.storage.from('contracts').download('signed.png')).error).not.toBeNull();
  await movedSite.backend.close();
});

/** A COPY statement that reads its rows from the client, as psql sends them. */
class CopyIn extends pg.Query {
  readonly done: Promise<unknown>;
  readonly #rows: string;

  constructor(text: string, rows: string) {
    const { promise, resolve, reject } = Promise.withResolvers();
    super(text, (error: Error | undefined) => (error ? reject(error) : resolve(null)));
    this.done = promise;
    this.#rows = rows;
  }

  handleCopyInResponse(connection: { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }): void {
    connection.sendCopyFromChunk(Buffer.from(this.#rows));
    connection.endCopyFrom();
  }
}

test('The two SQL files of an archive restore the same database without the import command', async () => {
  const { read, close } = await openArchive(archive);
  const url = server.url.replace(/\w+$/, 'plain');
  const database = await nativeDatabase('plain');
  await database.script(await text(await read('schema.sql')));
  // Like psql, run the statements and send the rows after each COPY statement.
  const client = new pg.Client(url);
  await client.connect();
  const parts = (await text(await read('data.sql'))).split(/^(copy .+ from stdin;)\n((?:.*\n)*?)\\\.\n/m);
  close();
  for (let index = 0; index < parts.length; index += 3) {
    await client.query(parts[index] ?? '');
    if (parts[index + 1] === undefined) continue;
    await client.query(new CopyIn(parts[index + 1] ?? '', parts[index + 2] ?? '')).done;
  }
  await client.end();
  const path = join(folder, 'plain.zip');
  await exportArchive(createSource({ database, files: site.files }), path);
  expect((await readManifest(path)).tables).toEqual((await readManifest(archive)).tables);
  await database.close();
});

const VALUES = `
  create table public.kept_values (
    number bigint generated always as identity primary key, bytes bytea, data jsonb, plain json, at timestamptz,
    amount numeric, real double precision, list text[], nested integer[][], words tsvector, span interval, range tstzrange,
    address inet, flag boolean, title text, upper_title text generated always as (upper(title)) stored,
    parent bigint references public.kept_values (number)
  );
  alter table public.kept_values enable row level security;
  create function private.refuse() returns trigger language plpgsql as $$ begin raise exception 'A trigger fired'; end $$;
`;

test('Values of every type are restored unchanged, and no trigger fires', async () => {
  const migrations = await newerMigrations(VALUES);
  const database = await openEmptyDatabase();
  await migrate(database, migrations);
  await database.script(`
    insert into public.kept_values overriding system value values
      (7, '\\x00ff5c0a', '{"a": 1e400, "b": "\\\\u2028\\\\n"}', '{"b":1,  "a":"x","b":2}', '0044-03-15 12:00:00.000001+00 BC', 12345678901234567890.123456789000,
       0.1::float8 + 0.2, array['a,b', null, '"', '\\', ''], '{{1,2},{3,4}}', 'fat:2A cat:3', '1 year 2 mons -3 days 04:05:06.789',
       '[2026-01-01,infinity)', '10.0.0.1/8', null, e'tab\\t line\\n back\\\\ cr\\r \\u2028 \\\\N', default, 8),
      (8, '', '[]', 'null', 'infinity', 'NaN', '-Infinity', '{}', null, '', '0', 'empty', '::1', true, '\\N', default, null);
    select setval('public.kept_values_number_seq', 9007199254740993);
    create trigger refuse before insert on public.kept_values for each row execute function private.refuse();
  `);
  const path = join(folder, 'values.zip');
  await exportArchive(createSource({ database, files: openFiles('values') }, migrations), path);
  const target = await nativeDatabase('values');
  await migrate(target, migrations);
  await target.script(
    'create trigger refuse before insert on public.kept_values for each row execute function private.refuse()',
  );
  await importArchive(
    { ...createSource({ database: target, files: openFiles('values') }, migrations), replace: false },
    path,
  );
  const query =
    'select k::text as row, nextval(pg_get_serial_sequence($1, $2))::text as next from public.kept_values k order by number';
  const [expected, actual] = [
    await database.query<{ next: string }>(query, ['public.kept_values', 'number']),
    await target.query(query, ['public.kept_values', 'number']),
  ];
  expect(actual.rows).toEqual(expected.rows);
  expect(expected.rows[0]?.next).toBe('9007199254740994');
  await expect(target.query('insert into public.kept_values (flag) values (true)')).rejects.toThrow('A trigger fired');
  await database.close();
  await target.close();
});

/** Expects the import to fail with a message, and to leave no tables and no files. */
async function expectRejected(path: string, message: string, files = openFiles('rejected')) {
  const database = await nativeDatabase(`refused_${crypto.randomUUID().replaceAll('-', '')}`);
  const target = { ...createSource({ database, files }), replace: false };
  const importing = importArchive(target, path);
  await expect(importing).rejects.toThrow(OperatorError);
  await expect(importing).rejects.toThrow(message);
  const { rows } = await database.query<{ schemas: string[] }>(
    `select array_agg(nspname::text) as schemas from pg_namespace where nspname in ('auth', 'storage', 'backend', 'private')`,
  );
  expect(rows[0]?.schemas).toBeNull();
  for (const { version } of (await readManifest(archive)).files) {
    await expect(access(join(folder, 'rejected/files', version.slice(0, 2), version))).rejects.toThrow('ENOENT');
  }
  await database.close();
}

test('A damaged archive is rejected before anything is changed', async () => {
  const bytes = await readFile(archive);
  const damagedPath = join(folder, 'damaged.zip');
  const offset = bytes.indexOf(PICTURE) + 40;
  for (const [content, message] of [
    [Buffer.from('no archive'), 'is damaged: it is truncated or not a ZIP archive. Nothing was changed.'],
    [bytes.subarray(0, bytes.length - 100), 'is damaged: it is truncated or not a ZIP archive. Nothing was changed.'],
    [
      Buffer.concat([bytes.subarray(0, offset), Buffer.from('x'), bytes.subarray(offset + 1)]),
      'does not match its hash. Nothing was changed.',
    ],
  ] as const) {
    await writeFile(damagedPath, content);
    await expectRejected(damagedPath, message);
  }
  await expectRejected(join(folder, 'none.zip'), 'cannot be read');
  await expect(exportArchive(createSource(site), archive)).rejects.toThrow(
    'already exists. Choose another file name or delete it.',
  );
});

test('An archive from a newer version is rejected, and an archive from an older version is upgraded', async () => {
  const newer = await newerMigrations(`alter table public.posts add column mood text not null default 'calm';`);
  const database = await openEmptyDatabase();
  await importArchive({ ...createSource({ database, files: openFiles('older') }, newer), replace: false }, archive);
  const { rows } = await database.query(`select title, mood from public.posts where slug = 'draft'`);
  expect(rows).toEqual([{ title: 'Draft', mood: 'calm' }]);

  const path = join(folder, 'newer.zip');
  await exportArchive({ ...createSource({ database, files: openFiles('older') }, newer), version: '9.9.9' }, path);
  await expectRejected(path, 'was made by a newer version (9.9.9). Update first. Nothing was changed.');

  const repeated = importArchive(
    { ...createSource({ database, files: openFiles('older') }, newer), replace: true },
    archive,
  );
  await expect(repeated).rejects.toThrow('have different versions. Import it into an empty database');
  await database.close();
});

test('An import rejects a database that contains tables of another application', async () => {
  const database = await nativeDatabase('shop');
  await database.script('create table public.goods (name text); insert into public.goods values ($$apple$$)');
  const target = { ...createSource({ database, files: openFiles('rejected') }), replace: true };
  await expect(importArchive(target, archive)).rejects.toThrow(
    'The database contains tables of another application, such as public.goods. Use a separate database. Nothing was changed.',
  );
  expect((await database.query('select name from public.goods')).rows).toEqual([{ name: 'apple' }]);
  await database.close();
});

test('If the last step fails, neither rows nor files remain', async () => {
  const faulty = await newerMigrations('select 1 / 0;');
  const database = await openEmptyDatabase();
  // One of the two files is already in the store, from another installation.
  const { manifest, read, close } = await openArchive(archive);
  const [existingFile, addedFile] = manifest.files;
  if (!existingFile || !addedFile) throw new Error('Expected two files in the archive');
  await openFiles('rejected').write(existingFile, await read(`files/${existingFile.version}`));
  close();
  const importing = importArchive(
    { ...createSource({ database, files: openFiles('rejected') }, faulty), replace: false },
    archive,
  );
  await expect(importing).rejects.toThrow('division by zero');
  expect((await database.query(`select to_regclass('backend.bootstrap') as oid`)).rows).toEqual([{ oid: null }]);
  expect([await openFiles('rejected').has(existingFile), await openFiles('rejected').has(addedFile)]).toEqual([
    true,
    false,
  ]);
  await openFiles('rejected').remove([existingFile]);
  await database.close();

  const files = openFiles('rejected');
  const fullStore: FileStore = { ...files, write: () => Promise.reject(new OperatorError('The disk is full.')) };
  await expectRejected(archive, 'The disk is full.', fullStore);
});

test('A database in use is replaced only on request, and its old files are deleted later', async () => {
  const database = await openTestDatabase();
  const running = await startBackend('used', database);
  await running.visitor.auth.signUp({ email: 'bob@example.com', password: PASSWORD });
  await running.service.storage.from('content-media').upload('lost.png', PICTURE, { contentType: 'image/png' });
  const target = createSource({ database, files: running.files });
  const readEmails = async () =>
    (await database.query<{ email: string }>('select email from auth.users')).rows.map(({ email }) => email);

  await expect(importArchive({ ...target, replace: false }, archive)).rejects.toThrow('The database is not empty');
  expect(await readEmails()).toEqual(['bob@example.com']);
  const replacedVersions = await database.query<{ version: string }>(
    `select version from storage.objects where name = 'lost.png'`,
  );
  await importArchive({ ...target, replace: true }, archive);
  expect(await readEmails()).toEqual(['ada@example.com']);
  const { rows } = await database.query('select version from backend.unnamed_bytes');
  expect(rows).toEqual(replacedVersions.rows);
  const { data } = await running.visitor.auth.signInWithPassword({ email: 'ada@example.com', password: PASSWORD });
  // The process still signs with its previous key. The next start uses the archive's key.
  expect(data.user?.email).toBe('ada@example.com');
  await running.backend.close();
});

test('A backup contains every file that its rows refer to, even if files are deleted or replaced during the backup', async () => {
  const running = await startBackend('busy', await openTestDatabase());
  const bucket = running.service.storage.from('content-media');
  await running.service.storage.createBucket('papers');
  for (const name of ['a.png', 'b.png', 'c.png']) {
    await running.service.storage.from('papers').upload(name, PICTURE, { contentType: 'image/png' });
    await bucket.upload(name, PICTURE, { contentType: 'image/png' });
  }
  let hasChanged = false;
  const files: FileStore = {
    ...running.files,
    async read(file) {
      if (!hasChanged) {
        hasChanged = true;
        await running.service.storage.from('papers').remove(['a.png', 'b.png']);
        await running.service.storage
          .from('papers')
          .update('c.png', Buffer.concat([PICTURE, PICTURE]), { contentType: 'image/png' });
        await bucket.remove(['a.png', 'b.png', 'c.png']);
      }
      return running.files.read(file);
    },
  };
  const path = join(folder, 'busy.zip');
  await exportArchive(createSource({ database: running.database, files }), path);
  const database = await openEmptyDatabase();
  const restoredFiles = openFiles('restored');
  await importArchive({ ...createSource({ database, files: restoredFiles }), replace: false }, path);
  const { rows } = await database.query<{ version: string; bucket: string; name: string; etag: string }>(
    `select version, bucket_id as bucket, name, metadata ->> 'eTag' as etag from storage.objects order by 2, 3`,
  );
  expect(rows.map(({ bucket: id, name }) => `${id}/${name}`)).toEqual(
    ['content-media', 'papers'].flatMap((id) => ['a.png', 'b.png', 'c.png'].map((name) => `${id}/${name}`)),
  );
  for (const file of rows) {
    const bytes = await buffer(await restoredFiles.read({ ...file, mimetype: '', cacheControl: '' }));
    expect(`"${createHash('md5').update(bytes).digest('hex')}"`).toBe(file.etag);
  }
  // The cleanup deletes the bytes of files that were deleted during the backup. Later deletions run immediately.
  expect((await running.database.query('select from backend.unnamed_bytes')).rowCount).toBe(3);
  expect((await running.database.query('select from backend.running_backups')).rowCount).toBe(0);
  await running.service.storage.from('papers').remove(['c.png']);
  expect((await running.database.query('select from backend.unnamed_bytes')).rowCount).toBe(3);
  await database.close();
  await running.backend.close();
});

test("A site can be moved to a Supabase project and back, through the project's database and storage API", async () => {
  const project = await startTestBackend();
  const store = projectFiles(project.url, project.backend.keys.secretKey);
  const target = { ...createSource({ database: project.backend.database, files: store }), replace: false };
  await importArchive(target, archive);

  const { data } = await project.visitor.auth.signInWithPassword({ email: 'ada@example.com', password: PASSWORD });
  expect(data.user?.email).toBe('ada@example.com');
  const file = await project.service.storage.from('contracts').download('signed.png');
  expect(Buffer.from((await file.data?.arrayBuffer()) ?? new ArrayBuffer()).equals(PICTURE)).toBe(true);
  const query = 'select id, owner_id, created_at::text, user_metadata from storage.objects order by name';
  const [expected, actual] = [await site.database.query(query), await project.backend.database.query(query)];
  expect(actual.rows).toEqual(expected.rows);
  await expect(importArchive(target, archive)).rejects.toThrow('The project is not empty');

  const path = join(folder, 'project.zip');
  await exportArchive(createSource({ database: project.backend.database, files: store }), path);
  const restoredDatabase = await openEmptyDatabase();
  await importArchive(
    { ...createSource({ database: restoredDatabase, files: openFiles('from-project') }), replace: false },
    path,
  );
  const restoredSite = await startBackend('from-project', restoredDatabase);
  const signedIn = await restoredSite.visitor.auth.signInWithPassword({ email: 'ada@example.com', password: PASSWORD });
  expect(signedIn.data.user?.id).toBe(data.user?.id);
  const drafts = await restoredSite.service.from('posts').select('content').eq('slug', 'draft');
  expect(drafts.data).toEqual([{ content: 'a\\b\tc\nd' }]);
  const restoredFile = await restoredSite.service.storage.from('contracts').download('signed.png');
  expect(Buffer.from((await restoredFile.data?.arrayBuffer()) ?? new ArrayBuffer()).equals(PICTURE)).toBe(true);
  await restoredSite.backend.close();
  await project.close();
});

test("A project's postgres role can import an archive, and data that a project cannot store is listed", async () => {
  const platform = await startHostedPlatform();
  const project = await platform.project('moved_here', { grantsOnNewTables: true });
  // Simulates "supabase db push", which records the migrations. The platform allows postgres to set this parameter.
  const { rows } = await site.database.query<{ insert: string }>(`
    select format('insert into supabase_migrations.schema_migrations values (%L)', version) as insert
    from supabase_migrations.schema_migrations`);
  await project.database.script(`
    do $$ declare _table regclass; begin
      for _table in select oid from pg_class where relkind = 'r' and relnamespace in ('auth'::regnamespace, 'storage'::regnamespace)
      loop execute format('truncate %s cascade', _table); end loop;
      for _table in select format('public.%I', table_name) from private.content_kinds
      loop execute format('truncate %s cascade', _table); end loop;
    end $$;
    grant set on parameter session_replication_role to postgres;
    create schema supabase_migrations authorization postgres;
    create table supabase_migrations.schema_migrations (version text primary key);
    grant all on supabase_migrations.schema_migrations to postgres;
    ${rows.map(({ insert }) => insert).join(';')};
    alter table auth.users drop column reauthentication_sent_at, drop column last_sign_in_at;
  `);
  const files: FileStore = {
    isProject: true,
    read: (file) => site.files.read(file),
    has: async () => false,
    makeBuckets: async (ids) => {
      await project.database.query('insert into storage.buckets (id, name) select id, id from unnest($1::text[]) id', [
        ids,
      ]);
    },
    write: async ({ bucket, name }) => {
      await project.database.query('insert into storage.objects (bucket_id, name, version) values ($1, $2, $3)', [
        bucket,
        name,
        crypto.randomUUID(),
      ]);
    },
    remove: async () => undefined,
  };
  const asPostgres = openPostgresDatabase(platform.url('postgres', 'moved_here'), 2);
  const result = await importArchive({ ...createSource({ database: asPostgres, files }), replace: false }, archive);
  expect(result.skippedItems).toEqual(['auth.users.last_sign_in_at', 'backend.secrets', 'backend.signing_keys']);
  const imported = await project.database.query<{ encrypted_password: string }>(
    'select encrypted_password from auth.users',
  );
  const exported = await site.database.query('select encrypted_password from auth.users');
  expect(imported.rows).toEqual(exported.rows);
  await asPostgres.close();
  await project.close();
  await platform.stop();
});

test('An ordinary database owner can import an archive, and foreign keys and triggers work afterwards', async () => {
  const first = await nativeDatabase('ordinary');
  // The statements are those of docs/scaling.md. Another database of this server may already have created the roles.
  await first.script(`do $$ begin
      create role anon nologin noinherit; create role authenticated nologin noinherit; create role service_role nologin noinherit bypassrls;
    exception when duplicate_object then null; end $$;
    create role site_owner login;
    grant anon, authenticated, service_role to site_owner;
    alter database ordinary owner to site_owner;
    alter schema public owner to pg_database_owner`);
  await first.close();
  const url = server.url.replace('postgres@', 'site_owner@').replace(/\w+$/, 'ordinary');
  const database = openPostgresDatabase(url, 3);
  await importArchive({ ...createSource({ database, files: openFiles('ordinary') }), replace: false }, archive);
  const reference = await openTestDatabase();
  const removeBuckets = (lines: string[]) => lines.filter((line) => !line.startsWith('insert into storage.buckets '));
  expect(removeBuckets(await readSchema(database))).toEqual(removeBuckets(await readSchema(reference)));
  await expect(
    database.query(`insert into public.user_roles (user_id, role) values (gen_random_uuid(), 'admin')`),
  ).rejects.toThrow('foreign key');
  await reference.close();
  await database.close();
});

async function runScript(script: 'export' | 'import', name: string, ...args: string[]) {
  const { code, stdout, stderr } = await runCommand([`scripts/${script}.ts`, ...args], {
    DATA_DIR: join(folder, name),
  });
  return { code, output: stdout + stderr };
}

test('The commands import into a new folder, and back up and restore while the server runs', async () => {
  const damagedPath = join(folder, 'damaged.zip');
  await writeFile(damagedPath, 'no archive');
  expect(await runScript('import', 'by-command', damagedPath)).toEqual({
    code: 1,
    output: `${damagedPath} is damaged: it is truncated or not a ZIP archive. Nothing was changed.`,
  });
  await expect(access(join(folder, 'by-command/postgres'))).rejects.toThrow('ENOENT');
  const imported = await runScript('import', 'by-command', archive);
  expect(imported.code).toBe(0);
  expect(imported.output).toMatch(
    /^Imported and verified \d+ tables with [\d,]+ rows, and 2 files of \d+ bytes from .+\.\n/,
  );

  const running = await createSiteBackend(parseConfig({ DATA_DIR: join(folder, 'by-command') }), {
    log: pino({ level: 'silent' }),
  });
  const backup = join(folder, 'backup.zip');
  const exported = await runScript('export', 'by-command', backup);
  expect(exported.output).toMatch(
    new RegExp(`${backup} contains \\d+ tables with [\\d,]+ rows, and 2 files of \\d+ bytes\\.$`),
  );
  expect((await stat(backup)).mode & 0o777).toBe(0o600);
  expect((await readdir(join(folder, 'by-command'))).filter((name) => name.startsWith('snapshot-'))).toEqual([]);
  await running.database.query('delete from auth.users');
  await running.database.query("insert into public.site_settings (setting_key, setting_value) values ('later', 'x')");
  expect(await runScript('import', 'by-command', backup)).toMatchObject({
    code: 1,
    output: expect.stringContaining('The database is not empty'),
  });
  expect(await runScript('import', 'by-command', backup, '--replace')).toMatchObject({ code: 0 });
  expect((await running.database.query('select email from auth.users')).rows).toEqual([{ email: 'ada@example.com' }]);
  const laterSetting = await running.database.query("select from public.site_settings where setting_key = 'later'");
  expect(laterSetting.rowCount).toBe(0);
  await running.close();
  expect(await runScript('export', 'by-command')).toMatchObject({ code: 1, output: expect.stringContaining('Usage:') });
});
