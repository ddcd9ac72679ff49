import { describe, expect, it } from 'vitest';
import { SITE_SETTING_KEYS } from '../../data/site-settings.ts';
import { CHAT_SETTINGS, refusalOf, SITE_SETTINGS } from './settings.ts';

const all = [...SITE_SETTINGS, ...CHAT_SETTINGS];

function setting(key: string) {
  const found = all.find((candidate) => candidate.key === key);
  if (!found) throw new Error(`No setting ${key}`);
  return found;
}

it('Every known setting of the site has a card', () => {
  expect(SITE_SETTINGS.map(({ key }) => key).sort()).toEqual([...SITE_SETTING_KEYS].sort());
});

it('Every default may be saved as it is', () => {
  expect(all.filter((candidate) => refusalOf(candidate, candidate.default) !== null)).toEqual([]);
});

describe('What is not saved', () => {
  it.each([
    ['social_links', '{"instagram": ', /not valid JSON/],
    ['social_links', '', /not valid JSON/],
    ['social_links', '[1]', /not a JSON object/],
    ['chat_daily_cap', '-1', /whole number/],
    ['chat_retention_days', 'a year', /whole number/],
    ['chat_allowed_origins', 'https://berglaw.no nonsense', /"nonsense" is not the address of a site/],
  ])('%s as %j', (key, value, reason) => {
    expect(refusalOf(setting(key), value)).toMatch(reason);
  });

  it.each([
    ['social_links', '{"linkedin": "https://www.linkedin.com/"}'],
    ['site_name', ''],
    ['chat_daily_cap', '0'],
    ['chat_allowed_origins', 'HTTPS://BergLaw.no/\nberglaw.no'],
  ])('but %s as %j is', (key, value) => {
    expect(refusalOf(setting(key), value)).toBeNull();
  });
});
