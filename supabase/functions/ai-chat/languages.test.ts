import { describe, expect, test } from 'vitest';
import { LANGUAGES, languageOf, parseLanguages } from './languages.ts';

test.each([
  ['What does it cost?', 'en'],
  ['can we meet on Monday at ten', 'en'],
  ['Hva koster det?', 'nb'],
  ['vi har i dag mange kunder', 'nb'],
  ['har dere erfaring med logistikk', 'nb'],
  ['Kan noen ringe meg?', 'nb'],
  ['Hvad koster det?', null],
  ['Vad kostar det?', null],
  ['Was kostet das?', null],
  ['Kan någon ringa mig?', null],
  ['Combien est-ce que cela coûte pour nous ?', null],
])('The language of %j is %s', (text, language) => {
  expect(languageOf(text, 'en')).toBe(language);
});

describe('Short texts', () => {
  test.each(['ok', 'HubSpot?', 'ada@example.com', '???', ''])(
    'The language of the conversation is kept if the language of %j is unclear',
    (text) => {
      expect(languageOf(text, 'nb')).toBe('nb');
    },
  );
});

test.each([
  ['nb, en', ['nb', 'en']],
  ['EN', ['en']],
  ['no', ['nb']],
  ['fi en', ['en']],
  ['', LANGUAGES],
  ['de', LANGUAGES],
])('The setting %j enables %j', (setting, languages) => {
  expect(parseLanguages(setting)).toEqual(languages);
});
