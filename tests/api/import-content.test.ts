/** Imports of content through the official client. Only admins can import. */
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../app/api/database.types.ts';
import type { ImportFile } from '../../app/content/import/import-files.ts';
import { planImport } from '../../app/content/import/plan-import.ts';
import { IncompleteImport } from '../../app/content/import/source.ts';
import { splitByExistence, undoImport, writeImport } from '../../app/content/import/write-import.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { runCommand } from '../support/command.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const EXPORT = join(import.meta.dirname, '../../app/content/import/fixtures/wordpress/export.xml');

let backend: TestBackend;
let admin: SupabaseClient<Database>;
const roles = new Map<string, SupabaseClient<Database>>();
let files: ImportFile[];

beforeAll(async () => {
  backend = await startTestBackend();
  roles.set('visitor', backend.visitor);
  for (const role of ['stranger', 'pending', 'client', 'team'] as const) {
    roles.set(role, (await backend.signedIn(role)).client);
  }
  admin = (await backend.signedIn('admin')).client;
  files = [
    { path: 'export.xml', size: 1000, read: () => openAsBlob(EXPORT) },
    await createFile('uploads/2024/03/ferry-deck.png', await picture(30, 20)),
  ];
});
afterAll(() => backend.close());

async function createFile(path: string, content: string | Uint8Array): Promise<ImportFile> {
  const blob = new Blob([typeof content === 'string' ? content : new Uint8Array(content)]);
  return { path, size: blob.size, read: async () => blob };
}

const markdown = (slug: string, text: string, fields = '') =>
  createFile(`${slug}.md`, `---\ntitle: ${slug}\ndate: 2024-01-02\n${fields}---\n${text}`);
const importFiles = async (api: SupabaseClient<Database>, from: ImportFile[]) => {
  const plan = await planImport(from);
  const { created } = await splitByExistence(api, plan);
  return writeImport(api, plan, created, { ownOrigin: backend.url });
};
/** Creates an admin's client that loses the responses to some requests. */
async function adminWithLostResponses(
  isLost: (url: string, method: string) => boolean,
): Promise<SupabaseClient<Database>> {
  const { token } = await backend.signedIn('admin');
  const lossyFetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (isLost(String(input), init?.method ?? 'GET')) throw new Error('Connection lost');
    return response;
  };
  return createClient(backend.url, PUBLISHABLE_KEY, {
    accessToken: async () => token,
    global: { fetch: lossyFetch },
  });
}

const readAliases = async (id: string | undefined) =>
  (
    await backend.visitor
      .from('slug_aliases')
      .select('slug')
      .eq('item_id', id ?? '')
      .order('slug')
      .throwOnError()
  ).data.map(({ slug }) => slug);
const countRows = async (table: 'posts' | 'slug_aliases') =>
  (await backend.service.from(table).select('*', { count: 'exact', head: true }).throwOnError()).count;
const readLibrary = async () => (await backend.service.rpc('media_library', {}).throwOnError()).data;

test.each(['visitor', 'stranger', 'pending', 'client', 'team'])(
  'A %s cannot import posts or upload their files',
  async (role) => {
    const api = roles.get(role) ?? backend.visitor;
    const { error } = await api.rpc('import_posts', {
      _posts: [{ title: 'Forged', slug: 'forged', content: '', status: 'published', aliases: ['old/forged'] }],
    });
    expect(error?.code).toBe('42501');
    await expect(importFiles(api, files)).rejects.toMatchObject({ message: expect.any(String) });
    expect(await countRows('posts')).toBe(0);
    expect(await countRows('slug_aliases')).toBe(0);
    expect(await readLibrary()).toEqual([]);
  },
);

describe('An admin', () => {
  test('imports a WordPress export with its picture, old URLs and dates', async () => {
    const { posts, notes } = await importFiles(admin, files);
    expect(posts.map(({ title }) => title).sort()).toEqual(['Follow-ups', 'Half an idea', 'Subject lines & silence']);
    expect(notes).toEqual([]);
    const { data: post } = await backend.visitor
      .from('posts')
      .select()
      .eq('slug', 'subject-lines')
      .single()
      .throwOnError();
    expect(post).toMatchObject({ category: 'Cold email', published_date: '2024-03-11T07:30:00+00:00' });
    const [file, ...otherFiles] = await readLibrary();
    expect(otherFiles).toEqual([]);
    expect(file).toMatchObject({
      original_name: 'ferry-deck.png',
      folder: 'Imported',
      alt: 'Deck of a ferry at dawn',
      is_used: true,
    });
    const path = `/storage/v1/object/public/content-media/${file?.name}`;
    expect(post?.featured_image).toBe(path);
    expect(post?.content).toContain(`![Deck of a ferry at dawn](${path})`);
    expect(post?.content).not.toContain('import-file');
    expect(await readAliases(post?.id)).toEqual(['2024/03/subject-lines', 'quiet-subject-lines']);
    expect((await backend.visitor.from('posts').select().eq('slug', 'half-an-idea').throwOnError()).data).toEqual([]);
  });

  test('does not create duplicates of posts and files with the same export', async () => {
    const plan = await planImport(files);
    const { created, skipped } = await splitByExistence(admin, plan);
    expect(created).toEqual([]);
    expect(skipped).toHaveLength(3);
    // The posts were created after the preview.
    const { posts } = await writeImport(admin, plan, plan.posts, { ownOrigin: backend.url });
    expect(posts).toEqual([]);
    expect(await countRows('posts')).toBe(3);
    expect(await readLibrary()).toHaveLength(1);
  });

  test('can move the posts to the trash and import them again with the same URLs', async () => {
    const { data: posts } = await admin.from('posts').select('id, title').throwOnError();
    await undoImport(admin, posts);
    expect(await countRows('posts')).toBe(0);
    const { data: deletedPosts } = await admin
      .from('deleted_content')
      .select('title')
      .eq('kind', 'posts')
      .throwOnError();
    expect(deletedPosts).toHaveLength(3);
    const reimport = await importFiles(admin, files);
    expect(reimport.posts).toHaveLength(3);
    const id = reimport.posts.find(({ title }) => title === 'Follow-ups')?.id;
    expect(await readAliases(id)).toContain('2023/11/follow-ups');
  });

  test('imports nothing if one post cannot be stored, and deletes the uploaded files', async () => {
    const plan = await planImport([
      await markdown('good', '![](a.png)'),
      await markdown('bad', 'Text'),
      await createFile('a.png', await picture(9, 9)),
    ]);
    const [first, second] = plan.posts;
    if (!first || !second) throw new Error('Two posts were expected');
    const before = await countRows('posts');
    const invalid = { ...second, title: '' };
    await expect(writeImport(admin, plan, [first, invalid], { ownOrigin: backend.url })).rejects.toMatchObject({
      code: '23514',
    });
    expect(await countRows('posts')).toBe(before);
    expect(await readLibrary()).toHaveLength(1);
  });

  test('does not take over a URL of an existing post', async () => {
    const first = await importFiles(admin, [await markdown('owner', 'Text', 'aliases: [/contested/]\n')]);
    await importFiles(admin, [await markdown('rival', 'Text', 'aliases: [/contested/, /free/]\n')]);
    expect(await readAliases(first.posts[0]?.id)).toEqual(['contested']);
  });

  test('can import a post whose picture the library rejects, and a note names the picture', async () => {
    const { posts, notes } = await importFiles(admin, [
      await markdown('fake', 'Before ![A photo](fake.png) after'),
      await createFile('fake.png', '<html><script>1</script></html>'),
    ]);
    const { data } = await admin
      .from('posts')
      .select('content')
      .eq('id', posts[0]?.id ?? '')
      .single()
      .throwOnError();
    expect(data?.content).toBe('Before A photo after');
    expect(notes).toEqual([{ title: 'fake.png', text: expect.stringMatching(/^Not imported: /) }]);
  });

  test('imports many posts in batches, and keeps no post if a later batch fails', async () => {
    const before = await countRows('posts');
    const plan = await planImport([
      ...(await Promise.all(
        Array.from({ length: 230 }, (_item, index) =>
          markdown(`many-${index}`, 'Text', `aliases: [/archive/many-${index}/]\n`),
        ),
      )),
      ...(await Promise.all(['x', 'y'].map((name) => markdown(`long-${name}`, 'Text ![](b.png)')))),
      await createFile('b.png', await picture(7, 7)),
    ]);
    const last = plan.posts.at(-1);
    if (!last) throw new Error('Posts were expected');
    const files = (await readLibrary()).length;
    const failing = [...plan.posts.slice(0, -1), { ...last, title: '' }];
    await expect(writeImport(admin, plan, failing, { ownOrigin: backend.url })).rejects.toMatchObject({
      code: '23514',
    });
    expect(await countRows('posts')).toBe(before);
    expect(await readLibrary()).toHaveLength(files);

    const steps: string[] = [];
    const { posts } = await writeImport(admin, plan, plan.posts, {
      ownOrigin: backend.url,
      onProgress: (...step) => steps.push(step.join(' ')),
    });
    expect(steps).toEqual(['files 1 1', 'posts 100 232', 'posts 200 232', 'posts 232 232']);
    expect(posts).toHaveLength(232);
    await undoImport(admin, posts);
    expect(await countRows('posts')).toBe(before);
  });

  test('imports no post of a batch whose response was lost', async () => {
    const before = await countRows('posts');
    const plan = await planImport([await markdown('lost-response', 'Text')]);
    const api = await adminWithLostResponses((url) => url.includes('/rpc/import_posts'));
    await expect(writeImport(api, plan, plan.posts, { ownOrigin: backend.url })).rejects.toThrow('Connection lost');
    expect(await countRows('posts')).toBe(before);
  });

  test('gets an error and keeps the files if the posts cannot be removed', async () => {
    const plan = await planImport([
      await markdown('remains', 'Text ![](c.png)'),
      await createFile('c.png', await picture(6, 6)),
    ]);
    const files = (await readLibrary()).length;
    const api = await adminWithLostResponses((url, method) => url.includes('/import_posts') || method === 'DELETE');
    await expect(writeImport(api, plan, plan.posts, { ownOrigin: backend.url })).rejects.toThrow(IncompleteImport);
    expect(await readLibrary()).toHaveLength(files + 1);
  });
});

describe('The command', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signalfjord-import-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('imports a folder through the API, and reports the line of a malformed file without importing anything', async () => {
    const environment = {
      SUPABASE_URL: backend.url,
      SUPABASE_PUBLISHABLE_KEY: 'unused',
      SUPABASE_SECRET_KEY: backend.backend.keys.secretKey,
    };
    const runImport = () => runCommand(['scripts/import-content.ts', folder], environment);
    await writeFile(join(folder, 'by-command.md'), '---\ntitle: By command\ntags: [a]\n---\n![Boat](boat.png)\n');
    await writeFile(join(folder, 'boat.png'), await picture(8, 6));
    await writeFile(join(folder, 'broken.md'), '---\ntitle: Broken\ntags: [a\n---\n');
    const failedRun = await runImport();
    expect(failedRun).toMatchObject({ code: 1, stdout: '' });
    expect(failedRun.stderr).toMatch(
      /broken\.md, line \d: the front matter is not valid YAML \(.*\)\. Nothing was imported\.$/,
    );
    await rm(join(folder, 'broken.md'));
    const completed = await runImport();
    expect(completed.stderr).toBe('');
    expect(completed.stdout).toMatch(
      /^Posts imported from Markdown: 1\.\n\nLeft out or changed: 1\.\n {2}.*by-command\.md: Tags not imported: a\.$/,
    );
    expect(await runImport()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Skipped, because the slug is already in use: 1.\n  By command: by-command'),
    });
  });
});
