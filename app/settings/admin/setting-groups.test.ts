import { expect, it } from 'vitest';
import { matchingSettings } from './setting-groups.ts';

it.each([
  ['tagline', ['site_tagline']],
  ['home  TITLE', ['site_tagline']],
  ['lead_webhook_url', ['lead_webhook_url']],
  ['taglnie', ['site_tagline']],
  ['access', ['require_second_factor']],
  ['fjordpost', []],
])('Finds the settings that match %j', (search, keys) => {
  expect([...matchingSettings(search)]).toEqual(keys);
});
