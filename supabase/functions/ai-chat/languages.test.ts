import { describe, expect, test } from 'vitest';
import { LANGUAGES, languageOf, parseLanguages } from './languages.ts';

test.each([
  ['What does it cost?', 'en'],
  ['Hva koster det?', 'nb'],
  ['Hvad koster det?', 'da'],
  ['Vad kostar det?', 'sv'],
  ['Was kostet das?', 'de'],
  ['har I erfaring med logistik', 'da'],
  ['har i erfaring med hoteller', 'da'],
  ['hvor mange er i', 'da'],
  ['vi har i dag mange kunder', 'nb'],
  ['har dere erfaring med logistikk', 'nb'],
  ['Kan noen ringe meg?', 'nb'],
  ['Kan någon ringa mig?', 'sv'],
  ['Kan nogen ringe til mig?', 'da'],
])('%j is in the language %s', (text, language) => {
  expect(languageOf(text, LANGUAGES, 'en')).toBe(language);
});

describe('The language stays that of the conversation', () => {
  test.each(['ok', 'HubSpot?', 'ada@example.com', '???', ''])('where %j does not tell', (text) => {
    expect(languageOf(text, LANGUAGES, 'sv')).toBe('sv');
  });

  test('where the site has no other', () => {
    expect(languageOf('Was kostet das?', ['en'], 'en')).toBe('en');
  });
});

test.each([
  ['nb, en', ['nb', 'en']],
  ['DE', ['de']],
  ['no', ['nb']],
  ['fi en', ['en']],
  ['', LANGUAGES],
  ['fi', LANGUAGES],
])('The setting %j names %j', (setting, languages) => {
  expect(parseLanguages(setting)).toEqual(languages);
});
