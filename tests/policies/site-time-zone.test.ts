/** The time zone of the site. The database copies it from the booking rules, and it cannot be set directly. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

async function readTimeZone(): Promise<unknown> {
  const settings = site.visitor.from('site_settings').select('setting_value').eq('setting_key', 'site_time_zone');
  return (await settings.maybeSingle().throwOnError()).data?.setting_value;
}

const setRule = (time_zone: string) =>
  site.service.from('booking_rules').upsert({ id: true, time_zone }).throwOnError();

test('Visitors can read the time zone of the booking rules after each change', async () => {
  await setRule('America/New_York');
  expect(await readTimeZone()).toBe('America/New_York');
  await setRule('Europe/Oslo');
  expect(await readTimeZone()).toBe('Europe/Oslo');
});

test('An admin cannot set another time zone in the settings', async () => {
  const { client } = await site.signedIn('admin');
  const row = { setting_key: 'site_time_zone', setting_value: 'Not/A_Zone' };
  await client.from('site_settings').upsert(row, { onConflict: 'setting_key' }).throwOnError();
  expect(await readTimeZone()).toBe('Europe/Oslo');
});
