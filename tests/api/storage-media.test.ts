import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pdf, picture, svg } from '../../packages/backend/tests/support/sample-files.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let backend: TestBackend;
let admin: SupabaseClient;

beforeAll(async () => {
  backend = await startTestBackend();
  admin = (await backend.signedIn('admin')).client;
  await admin.storage.from('content-media').upload('office.png', await picture(64, 48));
  await admin.storage.from('content-media').upload('logos/acme.svg', svg);
  await admin.storage.from('content-media').upload('price list.pdf', pdf);
});
afterAll(() => backend.close());

describe('The media library', () => {
  test('lists every file, newest first, with size, dimensions and the total', async () => {
    const { data, error } = await admin.rpc('media_library', {});
    expect(error).toBeNull();
    expect(data).toMatchObject([
      { name: 'price list.pdf', mimetype: 'application/pdf', size: pdf.length, width: null, height: null, total: 3 },
      { name: 'logos/acme.svg', mimetype: 'image/svg+xml', width: 40, height: 20, alt: '', total: 3 },
      { name: 'office.png', mimetype: 'image/png', width: 64, height: 48, total: 3 },
    ]);
  });

  test('finds files by part of the name and by kind, page by page', async () => {
    const findFiles = async (options: object) => {
      const { data } = await admin.rpc('media_library', options);
      return (data as { name: string; total: number }[]).map(({ name, total }) => `${name} of ${total}`);
    };
    expect(await findFiles({ _search: 'ACME' })).toEqual(['logos/acme.svg of 1']);
    expect(await findFiles({ _kind: 'image' })).toEqual(['logos/acme.svg of 2', 'office.png of 2']);
    expect(await findFiles({ _kind: 'document' })).toEqual(['price list.pdf of 1']);
    expect(await findFiles({ _kind: 'video' })).toEqual([]);
    expect(await findFiles({ _limit: 1, _offset: 1 })).toEqual(['logos/acme.svg of 3']);
    expect(await findFiles({ _search: '%' })).toEqual([]);
  });

  test('stores an alt text, finds files by it, and keeps other metadata', async () => {
    const bucket = admin.storage.from('content-media');
    await bucket.upload('described.png', await picture(3, 3), { metadata: { credit: 'Kari' } });
    const { error } = await admin.rpc('set_media_alt', { _name: 'described.png', _alt: ' A red boat 🚤 ' });
    expect(error).toBeNull();
    expect((await bucket.info('described.png')).data?.metadata).toEqual({ credit: 'Kari', alt: 'A red boat 🚤' });
    const results = await admin.rpc('media_library', { _search: 'red boat' });
    expect(results.data).toMatchObject([{ name: 'described.png', alt: 'A red boat 🚤' }]);
    await bucket.remove(['described.png']);
  });

  test('is available to the service role', async () => {
    expect((await backend.service.rpc('media_library', { _limit: 1 })).data).toMatchObject([{ total: 3 }]);
  });

  test('reports a missing file, or an alt text that is too long', async () => {
    const missing = await admin.rpc('set_media_alt', { _name: 'nowhere.png', _alt: 'x' });
    expect(missing.error?.message).toBe('File not found');
    const tooLong = await admin.rpc('set_media_alt', { _name: 'office.png', _alt: 'x'.repeat(1001) });
    expect(tooLong.error?.message).toBe('The alternative text must be less than 1000 characters');
  });
});

describe('The usage of a file', () => {
  const getUrl = (name: string) => admin.storage.from('content-media').getPublicUrl(name).data.publicUrl;

  test('lists every post, project, service, review, team member, page section and setting with its URL', async () => {
    const url = getUrl('office.png');
    const rendition = url.replace('/object/', '/render/image/');
    await admin
      .from('posts')
      .insert({ title: 'In the text', slug: 'in-text', content: `Look:\n\n![Office](${url})\n` });
    await admin.from('posts').insert({ title: 'As the picture', slug: 'picture', featured_image: rendition });
    await admin.from('projects').insert({ title: 'A project', slug: 'project', full_content: `<${url}>` });
    await admin.from('services').insert({ title: 'A service', slug: 'service', long_description: `See ${url}.` });
    await admin.from('reviews').insert({ author_name: 'Ola', avatar_url: url });
    await admin.from('team_members').insert({ name: 'Kari', avatar_url: `${url}?width=80` });
    const content = JSON.stringify({ logos: [{ imageUrl: url }] });
    await admin.from('page_content').insert({ page_slug: 'home', section_name: 'logo-banner', content });
    await admin.from('site_settings').insert({ setting_key: 'share_image', setting_value: url });

    const { data, error } = await admin.rpc('media_usage', { _name: 'office.png' });
    expect(error).toBeNull();
    expect((data as { kind: string; title: string }[]).map(({ kind, title }) => `${kind}: ${title}`)).toEqual([
      'posts: In the text',
      'posts: As the picture',
      'projects: A project',
      'services: A service',
      'reviews: Ola',
      'team_members: Kari',
      'page_content: home/logo-banner',
      'site_settings: share_image',
    ]);
  });

  test('is empty for a file whose name is only part of a longer name', async () => {
    await admin.from('posts').insert({ title: 'Longer', slug: 'longer', content: `${getUrl('logos/acme.svg.png')} x` });
    expect((await admin.rpc('media_usage', { _name: 'logos/acme.svg' })).data).toEqual([]);
    expect((await admin.rpc('media_usage', { _name: 'acme.svg.png' })).data).toEqual([]);
    expect((await admin.rpc('media_usage', { _name: 'logos/acme.svg.png' })).data).toMatchObject([{ title: 'Longer' }]);
  });

  test('finds a name with spaces and pattern characters', async () => {
    const name = 'price list (v1+2).pdf';
    await admin.from('posts').insert({ title: 'Prices', slug: 'prices', content: `[Prices](<${getUrl(name)}>)` });
    expect((await admin.rpc('media_usage', { _name: name })).data).toMatchObject([{ kind: 'posts', title: 'Prices' }]);
    expect((await admin.rpc('media_usage', { _name: 'price list (v1+2)_pdf' })).data).toEqual([]);
  });
});
