import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../languages.ts';
import { EXAMPLES, type Intent } from './intents.ts';
import { PHRASES } from './phrases/phrases.ts';
import { recognise } from './recognise.ts';

test('No sentence stands under two intents', () => {
  const sentences = EXAMPLES.flatMap((intent) => intent.sentences);
  expect(sentences.filter((sentence, position) => sentences.indexOf(sentence) !== position)).toEqual([]);
});

test('Every phrase has the same values in every language', () => {
  const valuesOf = (phrase: string) => [...new Set(phrase.match(/\{\w+\}/g))].sort();
  for (const language of LANGUAGES) {
    const different = Object.entries(PHRASES[language]).filter(
      ([name, phrase]) => valuesOf(phrase).join() !== valuesOf(PHRASES.en[name as keyof typeof PHRASES.en]).join(),
    );
    expect(different.map(([name]) => `${language} ${name}`)).toEqual([]);
  }
});

describe('An intent is recognised', () => {
  test.each([
    ['waht does it csot', 'price'],
    ['we were just wondering whether you are hiring at the moment', 'jobs'],
    ['cancelling the contract', 'cancel'],
  ])('in %j', (text, intent) => {
    expect(recognise(text, 'en')[0]?.intent).toBe(intent);
  });

  const asked: Partial<Record<Intent, [Language, string][]>> = {
    price: [
      ['nb', 'hva koster det'],
      ['da', 'hvad koster {service}'],
      ['sv', 'vad kostar det'],
      ['de', 'was kostet {service}'],
    ],
    timeline: [
      ['nb', 'hvor lang tid tar det'],
      ['da', 'hvor lang tid tager det'],
      ['sv', 'hur lång tid tar det'],
      ['de', 'wie lange dauert das'],
    ],
    cancel: [
      ['nb', 'hva er oppsigelsestiden'],
      ['da', 'hvad er opsigelsesfristen'],
      ['sv', 'vad är uppsägningstiden'],
      ['de', 'wie ist die kündigungsfrist'],
    ],
    team: [
      ['nb', 'hvor mange er dere'],
      ['da', 'hvor mange er I'],
      ['sv', 'hur många är ni'],
      ['de', 'wie viele seid ihr'],
    ],
    unsubscribe: [
      ['nb', 'ikke send meg flere e-poster'],
      ['da', 'send mig ikke flere mails'],
      ['sv', 'skicka inte fler mejl'],
      ['de', 'schicken Sie mir keine weiteren Mails'],
    ],
  };
  test.each(
    Object.entries(asked).flatMap(([intent, messages]) =>
      messages.map(([language, message]) => ({ intent, language, message })),
    ),
  )('by the words of a dictionary: $message', ({ intent, language, message }) => {
    expect(recognise(message, language)[0]?.intent).toBe(intent);
  });

  test('in nothing that has no word of the examples', () => {
    expect(recognise('qwrtz plmkn', 'en')).toEqual([]);
    expect(recognise('', 'en')).toEqual([]);
  });
});

test('A message of the greatest length is looked at in part only', () => {
  expect(recognise('what does it cost '.repeat(2000), 'en')[0]?.intent).toBe('price');
});
