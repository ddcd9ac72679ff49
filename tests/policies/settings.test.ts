import { afterAll, beforeAll, expect, test } from 'vitest';
import { BRAND_SETTINGS } from '../../app/settings/brand/brand-assets.ts';
import {
  ACCESS_SETTINGS,
  CHAT_SETTINGS,
  LEAD_SETTINGS,
  MEDIA_SETTINGS,
  type Setting,
  SITE_SETTINGS,
} from '../../app/settings/settings.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const settings: [key: string, setting: Setting][] = Object.entries({
  ...SITE_SETTINGS,
  ...CHAT_SETTINGS,
  ...LEAD_SETTINGS,
  ...MEDIA_SETTINGS,
  ...ACCESS_SETTINGS,
  ...BRAND_SETTINGS,
});

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
  const rows = settings.map(([key, setting]) => ({ setting_key: key, setting_value: setting.default }));
  await site.service.from('site_settings').upsert(rows, { onConflict: 'setting_key' }).throwOnError();
});
afterAll(() => site.close());

/** Settings that only the database writes. */
const WRITTEN_BY_DATABASE = ['site_time_zone'];

test('Visitors can read only public settings, and admins can read all settings', async () => {
  const { data } = await site.visitor.from('site_settings').select('setting_key').order('setting_key');
  expect(data?.map((row) => row.setting_key)).toEqual(
    settings
      .filter(([, { isPublic }]) => isPublic)
      .map(([key]) => key)
      .concat(WRITTEN_BY_DATABASE)
      .sort(),
  );
  const admin = await site.signedIn('admin');
  const response = await admin.client.from('site_settings').select('setting_key').order('setting_key');
  expect(response.data?.map((row) => row.setting_key)).toEqual(
    settings
      .map(([key]) => key)
      .concat(WRITTEN_BY_DATABASE)
      .sort(),
  );
});
