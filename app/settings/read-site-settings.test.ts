import { expect, test } from 'vitest';
import { parseSocialLinks, readSiteSettings, siteSettingDefaults } from './read-site-settings.ts';
import { SITE_SETTINGS } from './settings.ts';

test('Uses the defaults if no settings are saved', () => {
  const settings = readSiteSettings([]);
  expect(settings).toEqual(siteSettingDefaults);
  expect(settings.site_tagline).toBe('AI Outbound Systems for Brand-First Growth');
});

test.each([
  [[], ''],
  [[{ setting_key: 'contact_phone', setting_value: SITE_SETTINGS.contact_phone.default }], ''],
  [[{ setting_key: 'contact_phone', setting_value: '+47 22 33 44 55' }], '+47 22 33 44 55'],
])('Reads the rows %j as the phone number "%s"', (rows, phone) => {
  expect(readSiteSettings(rows).contact_phone).toBe(phone);
});

test('Saved settings replace the defaults, except empty ones and unknown keys', () => {
  const settings = readSiteSettings([
    { setting_key: 'site_name', setting_value: 'Nordlys' },
    { setting_key: 'site_tagline', setting_value: '  ' },
    { setting_key: 'chat_instructions', setting_value: 'secret' },
    { setting_key: 'social_links', setting_value: '{"linkedin": "https://example.com", "x": 5}' },
  ]);
  expect(settings).toEqual({
    ...siteSettingDefaults,
    site_name: 'Nordlys',
    seo_description: siteSettingDefaults.seo_description.replace('Signalfjord', 'Nordlys'),
    social_links: { linkedin: 'https://example.com' },
  });
});

test.each(['', '{', '[]', 'null', '"a"'])('Rejects the social links %j, which are not a JSON object', (text) => {
  expect(parseSocialLinks(text)).toBeNull();
});

test('Replaces {site} in a setting with the site name, even if the name contains special characters', () => {
  const settings = readSiteSettings([
    { setting_key: 'site_name', setting_value: '{site} & $& Sons' },
    { setting_key: 'site_tagline', setting_value: 'By {site}' },
  ]);
  expect(settings.site_name).toBe('{site} & $& Sons');
  expect(settings.site_tagline).toBe('By {site} & $& Sons');
  expect(settings.seo_description).toMatch(/^\{site\} & \$& Sons builds /);
});
