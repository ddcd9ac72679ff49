/** Access to the media library. The API exposes only its functions, not its tables. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { picture } from '../../packages/backend/tests/support/sample-files.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

let backend: TestBackend;
const clients = new Map<string, SupabaseClient>();

beforeAll(async () => {
  backend = await startTestBackend();
  clients.set('visitor', backend.visitor);
  for (const role of ['stranger', 'pending', 'client', 'team', 'admin'] as const)
    clients.set(role, (await backend.signedIn(role)).client);
  for (const name of ['boat.png', 'new-boat.png'])
    await backend.service.storage.from('content-media').upload(name, await picture(4, 3));
  await backend.service.from('posts').insert({ title: 'Boats', slug: 'boats', featured_image: toPath('boat.png') });
});
afterAll(() => backend.close());

const toPath = (name: string) => `/storage/v1/object/public/content-media/${name}`;
const getClient = (role: Person | 'visitor') => {
  const storedClient = clients.get(role);
  if (!storedClient) throw new Error(`No client for ${role}`);
  return storedClient;
};

const CALLS: [string, object][] = [
  ['media_library', {}],
  ['media_folders', {}],
  ['find_media', { _sha256: 'a'.repeat(64) }],
  ['media_usage', { _name: 'boat.png' }],
  ['set_media_alt', { _name: 'boat.png', _alt: 'x' }],
  ['set_media_focus', { _name: 'boat.png', _x: 0.2, _y: 0.3 }],
  ['move_media', { _names: ['boat.png'], _folder: 'Boats' }],
  ['replace_media', { _name: 'boat.png', _by: 'new-boat.png' }],
];

describe.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team']))('%s', (_label, role) => {
  test.each(CALLS)('cannot call %s', async (name, parameters) => {
    const { error } = await getClient(role).rpc(name, parameters);
    expect(error?.code).toBe('42501');
  });

  test('cannot change any file with these calls', async () => {
    const { data } = await backend.service.rpc('media_library', { _search: 'boat.png' });
    expect(data).toMatchObject([
      { name: 'new-boat.png', alt: '', folder: '', focal_x: null, is_used: false },
      { name: 'boat.png', alt: '', folder: '', focal_x: null, is_used: true },
    ]);
    const { data: posts } = await backend.service.from('posts').select('featured_image');
    expect(posts).toEqual([{ featured_image: toPath('boat.png') }]);
  });

  test('can read the size, alternative text and focal point of an image by its name', async () => {
    const { data } = await getClient(role).rpc('picture_facts', { _names: ['boat.png', 'nowhere.png'] });
    expect(data).toEqual([{ name: 'boat.png', width: 4, height: 3, alt: '', focal_x: null, focal_y: null }]);
  });
});

test('The API does not expose the tables of the library', async () => {
  for (const table of ['media_files', 'media_mentions']) {
    const { error } = await getClient('admin').from(table).select();
    expect(error?.code).toBe('PGRST205');
  }
});

test('An admin can call all functions of the library', async () => {
  for (const [name, parameters] of CALLS) expect((await getClient('admin').rpc(name, parameters)).error).toBeNull();
  const { data } = await getClient('admin').rpc('media_library', { _search: 'boat.png' });
  expect(data).toMatchObject([
    { name: 'new-boat.png', alt: 'x', folder: 'Boats', focal_x: 0.2, focal_y: 0.3, is_used: true },
    { name: 'boat.png', is_used: false },
  ]);
});
