/** The metadata of files in the media library, and the replacement of a file in every text that uses it. */
import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pdf, picture } from '../../packages/backend/tests/support/sample-files.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let backend: TestBackend;
let admin: SupabaseClient;

beforeAll(async () => {
  backend = await startTestBackend();
  admin = (await backend.signedIn('admin')).client;
});
afterAll(() => backend.close());

const media = () => admin.storage.from('content-media');
const toPath = (name: string) => `/storage/v1/object/public/content-media/${name}`;

async function upload(name: string, file?: Buffer, metadata?: Record<string, unknown>): Promise<void> {
  const { error } = await media().upload(name, file ?? (await picture(6, 4)), metadata ? { metadata } : {});
  if (error) throw error;
}

async function call<Result = unknown>(name: string, parameters: object): Promise<Result> {
  const { data, error } = await admin.rpc(name, parameters);
  if (error) throw error;
  return data as Result;
}

const listNames = async (options: object) =>
  (await call<{ name: string }[]>('media_library', options)).map(({ name }) => name);

describe('A duplicate', () => {
  test('is detected by the uploaded bytes, even if metadata was removed from the file', async () => {
    const file = await picture(7, 7, 'jpeg');
    const withComment = Buffer.concat([
      file.subarray(0, 2),
      Buffer.from('fffe0007Kari!'.slice(0, 8), 'hex'),
      Buffer.from('Kari!'),
      file.subarray(2),
    ]);
    await upload('first.jpeg', withComment, { original_name: 'Ferry.jpeg' });
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect((await media().info('first.jpeg')).data?.size).toBe(file.length);
    expect(await call('find_media', { _sha256: hash(withComment) })).toMatchObject([
      { name: 'first.jpeg', original_name: 'Ferry.jpeg' },
    ]);
    expect(await call('find_media', { _sha256: hash(pdf) })).toEqual([]);
    await media().remove(['first.jpeg']);
    expect(await call('find_media', { _sha256: hash(withComment) })).toEqual([]);
  });
});

describe('Folders', () => {
  test('contain files, are listed by name, and disappear with their last file', async () => {
    for (const name of ['a.png', 'b.png', 'c.png']) await upload(name);
    expect(await call('move_media', { _names: ['a.png', 'b.png'], _folder: '  Ferry   trips ' })).toBe(2);
    expect(await call('move_media', { _names: ['c.png'], _folder: 'Autumn' })).toBe(1);
    expect(await call('media_folders', {})).toEqual(['Autumn', 'Ferry trips']);
    expect((await listNames({ _folder: 'Ferry trips' })).sort()).toEqual(['a.png', 'b.png']);
    expect(await listNames({ _folder: 'Ferry trips', _search: 'b.p' })).toEqual(['b.png']);
    expect(await listNames({ _folder: '-' })).not.toContain('a.png');
    await call('move_media', { _names: ['c.png'], _folder: '' });
    expect(await call('media_folders', {})).toEqual(['Ferry trips']);
    expect(await listNames({ _folder: '-' })).toContain('c.png');
  });

  test('cannot have a name that is too long or equals "-"', async () => {
    for (const folder of ['x'.repeat(101), '-'])
      expect((await admin.rpc('move_media', { _names: ['a.png'], _folder: folder })).error?.message).toMatch(
        /^A folder name/,
      );
  });
});

test('The pages of the library together contain every file exactly once', async () => {
  for (const name of ['page-1.png', 'page-2.png', 'page-3.png']) await upload(name);
  const allNames = await listNames({ _limit: 200 });
  const pages: string[] = [];
  for (let offset = 0; offset <= allNames.length; offset += 2) {
    pages.push(...(await listNames({ _limit: 2, _offset: offset })));
  }
  expect(pages).toEqual(allNames);
});

describe('A focal point', () => {
  test('is saved with the file, sent to pages, and can be removed', async () => {
    await upload('focus.png');
    await call('set_media_focus', { _name: 'focus.png', _x: 0.25, _y: 1 });
    await call('set_media_alt', { _name: 'focus.png', _alt: 'A boat' });
    const readMetadata = () => backend.visitor.rpc('picture_facts', { _names: ['focus.png'] });
    expect((await readMetadata()).data).toEqual([
      { name: 'focus.png', width: 6, height: 4, alt: 'A boat', focal_x: 0.25, focal_y: 1 },
    ]);
    await call('set_media_focus', { _name: 'focus.png', _x: null, _y: null });
    expect((await readMetadata()).data).toMatchObject([{ focal_x: null, focal_y: null, alt: 'A boat' }]);
  });

  test.each([
    [{ _x: 1.2, _y: 0 }, /inside the picture/],
    [{ _x: 0.5, _y: null }, /inside the picture/],
  ])('outside the picture is rejected: %o', async (point, message) => {
    expect((await admin.rpc('set_media_focus', { _name: 'focus.png', ...point })).error?.message).toMatch(message);
  });

  test('is accepted only for pictures', async () => {
    await upload('paper.pdf', pdf);
    const { error } = await admin.rpc('set_media_focus', { _name: 'paper.pdf', _x: 0, _y: 0 });
    expect(error?.message).toBe('Picture not found');
  });

  test('is ignored or clamped if the upload metadata is invalid', async () => {
    await upload('odd.png', undefined, { focal_x: 'left', focal_y: 7, folder: 3, alt: null });
    expect(await call('media_library', { _search: 'odd.png' })).toMatchObject([
      { focal_x: null, focal_y: 1, folder: '3', alt: '' },
    ]);
  });
});

describe('Unused files', () => {
  test('are files without a reference from an item, section, setting or pending change', async () => {
    for (const name of ['u1.png', 'u2.png', 'u 3.png', 'u4.png']) await upload(name);
    const listUnused = async () => (await listNames({ _unused: true })).filter((name) => /^u[ 1-4]/.test(name)).sort();
    expect(await listUnused()).toEqual(['u 3.png', 'u1.png', 'u2.png', 'u4.png']);

    const { data: post } = await admin
      .from('posts')
      .insert({
        title: 'Uses',
        slug: 'uses',
        content: `![x](${toPath('u1.png')}) and ![y](${toPath('u1.png')}).`,
      })
      .select()
      .single();
    await admin.from('site_settings').insert({ setting_key: 'picture', setting_value: toPath('u%203.png') });
    const { data: release } = await admin.from('releases').insert({ name: 'Spring' }).select('id').single();
    await admin.from('release_changes').insert({
      release_id: release?.id,
      kind: 'posts',
      item_id: crypto.randomUUID(),
      action: 'create',
      data: { title: 'Soon', slug: 'soon', featured_image: toPath('u4.png') },
    });
    expect(await listUnused()).toEqual(['u2.png']);
    expect(await call('media_usage', { _name: 'u4.png' })).toMatchObject([{ kind: 'releases', title: 'Spring' }]);

    await admin
      .from('posts')
      .update({ content: toPath('u2.png') })
      .eq('id', post.id);
    expect(await listUnused()).toEqual(['u1.png']);
    await admin.from('posts').delete().eq('id', post.id);
    await admin.from('releases').delete().eq('id', release?.id);
    expect(await listUnused()).toEqual(['u1.png', 'u2.png', 'u4.png']);
  });

  test('do not include a file that was uploaded after the text that refers to it', async () => {
    await admin.from('posts').insert({ title: 'Early', slug: 'early', content: toPath('late.png') });
    await upload('late.png');
    expect(await call('media_library', { _search: 'late.png' })).toMatchObject([{ is_used: true }]);
  });
});

describe('Replacing a file', () => {
  test('changes every item and setting that refers to it, and no others', async () => {
    await upload('old (1).png', undefined, { original_name: 'Old.png' });
    await upload('new.png');
    const oldPath = toPath('old%20(1).png');
    const { data: post } = await admin
      .from('posts')
      .insert({
        title: 'Old',
        slug: 'old',
        featured_image: oldPath,
        content: `![a](<${toPath('old (1).png')}>), ${oldPath}x.`,
      })
      .select()
      .single();
    await admin.from('projects').insert({ title: 'Gallery', slug: 'gallery', gallery_images: [oldPath, '/other.png'] });
    await admin.from('services').insert({ title: 'List', slug: 'list', deliverables: ['one, "two"', oldPath] });
    const logos = { logos: [{ name: 'Fjord "A"', imageUrl: `${oldPath}?width=80` }] };
    await admin
      .from('page_content')
      .upsert(
        { page_slug: 'home', section_name: 'logo-banner', content: JSON.stringify(logos), content_type: 'json' },
        { onConflict: 'page_slug,section_name' },
      );
    const { data: release } = await admin.from('releases').insert({ name: 'Later' }).select('id').single();
    await admin.from('release_changes').insert({
      release_id: release?.id,
      kind: 'posts',
      item_id: post.id,
      action: 'update',
      data: { ...post, title: 'Newer' },
      base: post,
    });
    await call('set_media_alt', { _name: 'old (1).png', _alt: 'A boat' });
    await call('set_media_focus', { _name: 'old (1).png', _x: 0.1, _y: 0.9 });
    await call('move_media', { _names: ['old (1).png'], _folder: 'Boats' });

    expect(await call('replace_media', { _name: 'old (1).png', _by: 'new.png' })).toBe(5);
    expect(await call('media_usage', { _name: 'old (1).png' })).toEqual([]);
    expect((await call<{ kind: string }[]>('media_usage', { _name: 'new.png' })).map(({ kind }) => kind)).toEqual([
      'posts',
      'projects',
      'services',
      'page_content',
      'releases',
    ]);
    const { data: changedPost } = await admin.from('posts').select().eq('id', post.id).single();
    expect(changedPost).toMatchObject({
      featured_image: toPath('new.png'),
      content: `![a](<${toPath('new.png')}>), ${oldPath}x.`,
    });
    const { data: project } = await admin.from('projects').select('gallery_images').eq('slug', 'gallery').single();
    expect(project).toEqual({ gallery_images: [toPath('new.png'), '/other.png'] });
    const { data: service } = await admin.from('services').select('deliverables').eq('slug', 'list').single();
    expect(service).toEqual({ deliverables: ['one, "two"', toPath('new.png')] });
    const { data: section } = await admin
      .from('page_content')
      .select('content')
      .eq('section_name', 'logo-banner')
      .single();
    expect(JSON.parse(section?.content)).toEqual({
      logos: [{ name: 'Fjord "A"', imageUrl: `${toPath('new.png')}?width=80` }],
    });
    const { data: change } = await admin
      .from('release_changes')
      .select('data, base')
      .eq('release_id', release?.id)
      .single();
    expect(change).toMatchObject({
      data: { title: 'Newer', featured_image: toPath('new.png') },
      base: { featured_image: toPath('new.png') },
    });
    expect(await call('media_library', { _search: 'new.png' })).toMatchObject([
      { alt: 'A boat', focal_x: 0.1, focal_y: 0.9, folder: 'Boats', is_used: true },
    ]);
    // Replacing a file is an ordinary change to the item, so the history records it.
    const { data: versions } = await admin.from('content_versions').select('action, changes').eq('item_id', post.id);
    expect(versions).toContainEqual({ action: 'changed', changes: ['content', 'featured_image'] });
  });

  test('changes nothing if one of the items cannot be changed', async () => {
    await upload('stuck.png');
    await upload('unstuck.png');
    await admin.from('posts').insert({ title: 'Free', slug: 'free', featured_image: toPath('stuck.png') });
    await admin.from('site_settings').insert({ setting_key: 'stuck', setting_value: toPath('stuck.png') });
    const { database } = backend.backend;
    await database.query(
      `alter table public.site_settings add constraint stuck check (setting_key <> 'stuck' or setting_value like '%/stuck.png')`,
    );
    expect((await admin.rpc('replace_media', { _name: 'stuck.png', _by: 'unstuck.png' })).error).not.toBeNull();
    await database.query('alter table public.site_settings drop constraint stuck');
    expect(await call('media_usage', { _name: 'unstuck.png' })).toEqual([]);
    expect(await call('media_usage', { _name: 'stuck.png' })).toHaveLength(2);
  });

  test('is rejected if the replacement has a different type, is the same file or is missing', async () => {
    await upload('plan.pdf', pdf);
    await upload('plan.png');
    const replaceAndReadError = async (replacement: string) =>
      (await admin.rpc('replace_media', { _name: 'plan.png', _by: replacement })).error?.message;
    expect(await replaceAndReadError('plan.pdf')).toBe(
      'A file can only be replaced by one of the same type: this one is a picture, the other is a document.',
    );
    expect(await replaceAndReadError('plan.png')).toBe('A file cannot be replaced by itself.');
    expect(await replaceAndReadError('nowhere.png')).toBe('File not found');
  });
});

describe('Required alt texts', () => {
  beforeAll(async () => {
    await upload('mute.png', undefined, { original_name: 'Mute.png' });
    await admin
      .from('posts')
      .insert({ title: 'Before', slug: 'before', status: 'published', featured_image: toPath('mute.png') });
    await admin.from('site_settings').insert({ setting_key: 'require_alt_text', setting_value: 'on' });
  });
  afterAll(() => admin.from('site_settings').delete().eq('setting_key', 'require_alt_text'));

  test('A draft can be saved, but not published before its picture has an alt text', async () => {
    const { data: post } = await admin
      .from('posts')
      .insert({ title: 'Boats', slug: 'mute-boats', status: 'draft', featured_image: toPath('mute.png') })
      .select('id')
      .single();
    const publish = () => admin.from('posts').update({ status: 'published' }).eq('id', post?.id).select('status');
    expect((await publish()).error).toMatchObject({
      message:
        '“Boats” was not published: the picture “Mute.png” has no alt text. Describe it in the media library first.',
      details: 'featured_image',
    });
    await call('set_media_alt', { _name: 'mute.png', _alt: 'A boat' });
    expect((await publish()).data).toEqual([{ status: 'published' }]);
    await call('set_media_alt', { _name: 'mute.png', _alt: '' });
  });

  test('An item cannot be published if its text has a picture without alt text', async () => {
    const insert = (content: string) =>
      admin
        .from('services')
        .insert({ title: 'Text', slug: crypto.randomUUID(), status: 'published', long_description: content });
    expect((await insert('Look: ![ ](/fjord.png)')).error).toMatchObject({
      message: expect.stringMatching(/^“Text” was not published: a picture in its text has no alt text\./),
      details: 'long_description',
    });
    expect((await insert('Look: ![A fjord](/fjord.png)')).error).toBeNull();
  });

  test('A published item can be changed, but a picture without alt text cannot be added', async () => {
    await upload('mute-too.png');
    const change = (values: object) => admin.from('posts').update(values).eq('slug', 'before');
    expect((await change({ title: 'Before and after' })).error).toBeNull();
    expect((await change({ featured_image: toPath('mute-too.png') })).error?.details).toBe('featured_image');
  });

  test('A portrait needs no alt text, because the name is shown beside it', async () => {
    const { error } = await admin
      .from('reviews')
      .insert({ author_name: 'Kari', status: 'published', avatar_url: toPath('mute.png') });
    expect(error).toBeNull();
  });
});
