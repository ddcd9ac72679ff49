import { describe, expect, it } from 'vitest';
import { LIGHT } from './brand/brand.ts';
import { BRAND_SETTINGS } from './brand/brand-assets.ts';
import {
  ACCESS_SETTINGS,
  CHAT_SETTINGS,
  LEAD_SETTINGS,
  MEDIA_SETTINGS,
  type Setting,
  SITE_SETTINGS,
} from './settings.ts';

const all: Record<string, Setting> = {
  ...SITE_SETTINGS,
  ...CHAT_SETTINGS,
  ...LEAD_SETTINGS,
  ...MEDIA_SETTINGS,
  ...ACCESS_SETTINGS,
  ...BRAND_SETTINGS,
};

function validate(key: string, value: string): string | undefined {
  return all[key]?.schema.safeParse(value).error?.issues[0]?.message;
}

it('Accepts every default', () => {
  expect(Object.entries(all).filter(([key, setting]) => validate(key, setting.default) !== undefined)).toEqual([]);
});

it('Help texts have at most 12 words', () => {
  const { brand_accent: _accent, brand_logo: _logo, ...pageSettings } = all;
  expect(Object.values(pageSettings).flatMap(({ help }) => (help.split(/\s+/).length > 12 ? [help] : []))).toEqual([]);
});

describe('Validation', () => {
  it.each([
    ['social_links', '{"instagram": ', /not valid JSON/],
    ['social_links', '', /not valid JSON/],
    ['social_links', '[1]', /Enter a JSON object/],
    ['social_links', '{"x": "https://x.com/us", "instagram": "@us"}', /"@us" \(instagram\) is not a page URL/],
    ['social_links', '{"linkedin": "linkedin.com/us"}', /not a page URL/],
    ['social_links', '{"linkedin": "javascript:alert(1)"}', /not a page URL/],
    ['contact_email', 'not an address', /valid email/],
    ['chat_daily_cap', '-1', /whole number/],
    ['chat_retention_days', 'a year', /whole number/],
    ['keep_contact_messages', 'yes', /on or off/],
    ['lead_webhook_url', 'http://hooks.example.com', /begins with https/],
    ['lead_webhook_url', 'https://a b', /begins with https/],
    ['chat_languages', 'en, fi', /en, nb or both/],
    ['brand_accent', 'red', /six hexadecimal digits/],
    ['brand_accent', '', /six hexadecimal digits/],
    [
      'brand_accent',
      '#FFD400',
      /^#ffd400 is too light\. .* is 1\.2:1, and text needs 4\.5:1\. The nearest colour that passes is #806900\.$/,
    ],
    ['brand_logo', '{}', /a picture that was uploaded to this site/],
    [
      'brand_logo',
      '{"light": {"address": "https://evil.example/logo.svg", "width": 1, "height": 1}}',
      /a picture that was uploaded to this site/,
    ],
    ['chat_languages', '', /en, nb or both/],
    ['chat_allowed_origins', 'https://berglaw.no nonsense', /"nonsense" is not a site address/],
  ])('%s rejects %j', (key, value, reason) => {
    expect(validate(key, value)).toMatch(reason);
  });

  it.each([
    ['social_links', '{"linkedin": "https://www.linkedin.com/"}'],
    ['social_links', '{"linkedin": "", "rating": 5}'],
    ['site_name', ''],
    ['contact_email', ''],
    ['chat_daily_cap', '0'],
    ['lead_webhook_url', ''],
    ['lead_webhook_url', 'https://hooks.example.com/x?y=z'],
    ['brand_accent', LIGHT.accent],
    ['brand_accent', '#000'],
    ['brand_logo', ''],
    [
      'brand_logo',
      '{"light": {"address": "/storage/v1/object/public/content-media/brand/a.svg", "width": 90, "height": 30}, "dark": null, "showsName": true}',
    ],
    ['chat_languages', 'nb,en'],
    ['chat_allowed_origins', 'HTTPS://BergLaw.no/\nberglaw.no'],
  ])('%s accepts %j', (key, value) => {
    expect(validate(key, value)).toBeUndefined();
  });
});
