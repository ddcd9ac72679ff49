import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../languages.ts';
import { EXAMPLES } from './intents.ts';
import { PHRASES } from './phrases/phrases.ts';
import { recognise } from './recognise.ts';

test('No example sentence belongs to two intents', () => {
  const sentences = EXAMPLES.flatMap((intent) => intent.sentences);
  expect(sentences.filter((sentence, position) => sentences.indexOf(sentence) !== position)).toEqual([]);
});

test('Every phrase has the same placeholders in every language', () => {
  const valuesOf = (phrase: string) => [...new Set(phrase.match(/\{\w+\}/g))].sort();
  for (const language of LANGUAGES) {
    const different = Object.entries(PHRASES[language]).filter(
      ([name, phrase]) => valuesOf(phrase).join() !== valuesOf(PHRASES.en[name as keyof typeof PHRASES.en]).join(),
    );
    expect(different.map(([name]) => `${language} ${name}`)).toEqual([]);
  }
});

describe('recognise()', () => {
  test.each([
    ['waht does it csot', 'price'],
    ['we were just wondering whether you are hiring at the moment', 'jobs'],
    ['cancelling the contract', 'cancel'],
  ])('recognises the intent of %j', (text, intent) => {
    expect(recognise(text, 'en')[0]?.intent).toBe(intent);
  });

  test.each([
    ['hva koster det', 'price'],
    ['hvor lang tid tar det', 'timeline'],
    ['hva er oppsigelsestiden', 'cancel'],
    ['hvor mange er dere', 'team'],
    ['ikke send meg flere e-poster', 'unsubscribe'],
  ])('translates Norwegian with the dictionary: %s', (message, intent) => {
    expect(recognise(message, 'nb')[0]?.intent).toBe(intent);
  });

  test('returns nothing for a message without words of the examples', () => {
    expect(recognise('qwrtz plmkn', 'en')).toEqual([]);
    expect(recognise('', 'en')).toEqual([]);
  });
});

test('Only the beginning of a very long message is read', () => {
  expect(recognise('what does it cost '.repeat(2000), 'en')[0]?.intent).toBe('price');
});
