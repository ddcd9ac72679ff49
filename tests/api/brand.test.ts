import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkAccentContrast } from '../../app/settings/brand/accent.ts';
import { seededRandom } from '../../app/ui/lib/seeded-random.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: Awaited<ReturnType<TestBackend['signedIn']>>['client'];

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
});
afterAll(() => site.close());
beforeEach(() => site.service.from('site_settings').delete().like('setting_key', 'brand%').throwOnError());

const save = (setting_key: string, setting_value: string, client = admin) =>
  client.from('site_settings').upsert({ setting_key, setting_value }, { onConflict: 'setting_key' });

const readValue = async (key: string) =>
  (await site.service.from('site_settings').select('setting_value').eq('setting_key', key).throwOnError()).data[0]
    ?.setting_value;

const PICTURE = { address: '/storage/v1/object/public/content-media/brand/logo.svg', width: 90, height: 30 };
const logo = (change: object) => JSON.stringify({ light: PICTURE, dark: null, showsName: true, ...change });

test('Only admins can set the brand, and visitors can read it', async () => {
  for (const role of ['stranger', 'pending', 'client', 'team'] as const) {
    const { client } = await site.signedIn(role);
    expect((await save('brand_accent', '#c8102e', client)).error).not.toBeNull();
  }
  expect((await save('brand_accent', '#c8102e', site.visitor)).error).not.toBeNull();
  expect(await readValue('brand_accent')).toBeUndefined();
  await save('brand_accent', '#c8102e').throwOnError();
  await save('brand_logo', logo({})).throwOnError();
  const { data } = await site.visitor.from('site_settings').select('setting_value').like('setting_key', 'brand%');
  expect(data).toHaveLength(2);
});

test.each(['red', '#C8102E', '#c8102', '#c8102e;}*{display:none', ' #c8102e', '#c8102e\n'])(
  'An invalid accent colour is not saved: %j',
  async (colour) => {
    expect((await save('brand_accent', colour)).error).toMatchObject({ code: '23514' });
    expect(await readValue('brand_accent')).toBeUndefined();
  },
);

test('The database and the form reject the same colours', async () => {
  const random = seededRandom('accents');
  const colours = Array.from(
    { length: 400 },
    () =>
      `#${Math.floor(random() * 0x1000000)
        .toString(16)
        .padStart(6, '0')}`,
  );
  // Colours at the contrast limit.
  colours.push('#806900', '#816a00', '#777777', '#767676', '#6d6d6d', '#707070', '#6f6f6f', '#000000', '#ffffff');
  const passing = colours.filter((colour) => !checkAccentContrast(colour));
  expect(passing.length).toBeGreaterThan(50);
  const acceptedColours: string[] = [];
  for (const colour of colours) if (!(await save('brand_accent', colour)).error) acceptedColours.push(colour);
  expect(acceptedColours).toEqual(passing);
});

test.each([
  ['a file on another site', logo({ light: { ...PICTURE, address: 'https://evil.example/logo.svg' } })],
  ['a path outside the bucket', logo({ light: { ...PICTURE, address: `${PICTURE.address}/../../../rest/v1/posts` } })],
  ['a file in another bucket', logo({ light: { ...PICTURE, address: '/storage/v1/object/public/others/logo.svg' } })],
  ['a dark variant on another site', logo({ dark: { ...PICTURE, address: '//evil.example/a.svg' } })],
  ['no file', logo({ light: null })],
  ['no size', logo({ light: { address: PICTURE.address } })],
  ['invalid JSON', '{oops'],
])('A logo with %s is not saved', async (_label, text) => {
  expect((await save('brand_logo', text)).error).toMatchObject({ code: '23514' });
  expect(await readValue('brand_logo')).toBeUndefined();
});

test.each([
  ['a dark variant', logo({ dark: PICTURE })],
  ['a file in another project', logo({ light: { ...PICTURE, address: `https://abc.supabase.co${PICTURE.address}` } })],
  ['an empty value', ''],
])('The logo setting accepts %s', async (_label, text) => {
  await save('brand_logo', text).throwOnError();
  expect(await readValue('brand_logo')).toBe(text);
});
