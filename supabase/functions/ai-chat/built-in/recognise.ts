/**
 * Recognises the intent of a message: compares it with the example sentences by shared words. A word has more weight if
 * fewer intents use it.
 */

import type { Language } from '../languages.ts';
import { translateToEnglish } from './dictionary.ts';
import { EXAMPLES, type Intent } from './intents.ts';
import { fold, stemOf, Vocabulary, type WordMatch, wordsOf } from './words.ts';

export interface IntentMatch {
  intent: Intent;
  /** Similarity to the closest example, from 0 to 1. */
  similarity: number;
}

/** Longer messages are compared in windows of this many words. */
const WINDOW = 8;
/** Maximum words of a message that are read. */
const MAX_WORDS = 80;
/** Weight of a pair of consecutive words, relative to single words. */
const PAIR = 0.5;
/** Weight of a word that no example contains. Such a word indicates another subject. */
const UNKNOWN_WORD = 2.2;

type Features = Map<string, number>;

interface Sentence {
  intent: Intent;
  features: Features;
  length: number;
}

class Recogniser {
  readonly #vocabulary: Vocabulary;
  readonly #stems: ReadonlySet<string>;
  readonly #weights = new Map<string, number>();
  readonly #intents = new Map<string, Set<Intent>>();
  readonly #sentences: Sentence[] = [];
  readonly #byFeature = new Map<string, number[]>();

  constructor() {
    const examples = EXAMPLES.flatMap(({ intent, sentences }) =>
      sentences.map((sentence) => ({ intent, typed: wordsOf(sentence), words: wordsOf(sentence).map(stemOf) })),
    );
    this.#vocabulary = new Vocabulary(examples.flatMap(({ typed: typedWords }) => typedWords));
    this.#stems = new Set(examples.flatMap(({ words }) => words));
    for (const { intent, words } of examples) {
      for (const name of featureNames(words)) {
        this.#intents.set(name, (this.#intents.get(name) ?? new Set()).add(intent));
      }
    }
    const intents = EXAMPLES.length;
    for (const [name, { size }] of this.#intents) {
      this.#weights.set(name, Math.log((intents + 1) / size) * (name.includes(' ') ? PAIR : 1));
    }
    for (const { intent, words } of examples) {
      const features = this.#featuresOf(words.map((word) => ({ word, similarity: 1 })));
      for (const name of features.keys()) {
        const positions = this.#byFeature.get(name);
        if (positions) positions.push(this.#sentences.length);
        else this.#byFeature.set(name, [this.#sentences.length]);
      }
      this.#sentences.push({ intent, features, length: lengthOf(features) });
    }
  }

  has(word: string): boolean {
    return !this.#find(fold(word)).word.startsWith('?');
  }

  explained(text: string, intent: Intent | null): number {
    let explainedWeight = 0;
    let totalWeight = 0;
    for (const typedWord of wordsOf(text).slice(0, MAX_WORDS)) {
      const { word } = this.#find(typedWord);
      const weight = typedWord.startsWith('{') ? UNKNOWN_WORD : (this.#weights.get(word) ?? UNKNOWN_WORD);
      totalWeight += weight;
      const intents = this.#intents.get(word);
      if (typedWord.startsWith('{') || (intents && (intent === null || intents.has(intent)))) explainedWeight += weight;
    }
    return totalWeight === 0 ? 0 : explainedWeight / totalWeight;
  }

  recognise(text: string): IntentMatch[] {
    const highestByIntent = new Map<Intent, number>();
    for (const words of windowsOf(text)) {
      for (const [intent, similarity] of this.#compare(words)) {
        if (similarity > (highestByIntent.get(intent) ?? 0)) highestByIntent.set(intent, similarity);
      }
    }
    return [...highestByIntent]
      .map(([intent, similarity]) => ({ intent, similarity }))
      .sort((a, b) => b.similarity - a.similarity);
  }

  #compare(words: string[]): Map<Intent, number> {
    const wordMatches = words.map((word) => this.#find(word));
    const features = this.#featuresOf(wordMatches);
    const length = lengthOf(features);
    const dotProducts = new Map<number, number>();
    for (const [name, weight] of features) {
      for (const position of this.#byFeature.get(name) ?? []) {
        const exampleWeight = this.#sentences[position]?.features.get(name) ?? 0;
        dotProducts.set(position, (dotProducts.get(position) ?? 0) + weight * exampleWeight);
      }
    }
    const highestByIntent = new Map<Intent, number>();
    for (const [position, dotProduct] of dotProducts) {
      const sentence = this.#sentences[position];
      if (!sentence) continue;
      const similarity = dotProduct / (length * sentence.length);
      if (similarity > (highestByIntent.get(sentence.intent) ?? 0)) highestByIntent.set(sentence.intent, similarity);
    }
    return highestByIntent;
  }

  /** Returns the stem used in the examples for a typed word. Unknown words are returned with the prefix "?". */
  #find(typedWord: string): WordMatch {
    const stem = stemOf(typedWord);
    if (this.#stems.has(stem)) return { word: stem, similarity: 1 };
    const knownWord = this.#vocabulary.find(typedWord);
    return knownWord
      ? { word: stemOf(knownWord.word), similarity: knownWord.similarity }
      : { word: `?${typedWord}`, similarity: 1 };
  }

  #featuresOf(words: WordMatch[]): Features {
    const similarity = new Map(words.map((match) => [match.word, match.similarity]));
    const features: Features = new Map();
    for (const name of featureNames(words.map(({ word }) => word))) {
      const weight = this.#weights.get(name);
      // Pairs that no example contains are ignored.
      if (weight === undefined && name.includes(' ')) continue;
      const certainty = Math.min(...name.split(' ').map((word) => similarity.get(word) ?? 1));
      features.set(name, (weight ?? UNKNOWN_WORD) * certainty);
    }
    return features;
  }
}

/** Returns each word and each pair of consecutive words. */
function featureNames(words: string[]): Set<string> {
  return new Set([...words, ...words.slice(1).map((word, position) => `${words[position]} ${word}`)]);
}

function lengthOf(features: Features): number {
  return Math.sqrt([...features.values()].reduce((sum, weight) => sum + weight * weight, 0)) || 1;
}

/** Returns the whole message, its sentences, and windows of long sentences. */
function windowsOf(text: string): string[][] {
  const sentences = text
    .split(/[.!?;:,\n]+/)
    .map((sentence) => wordsOf(sentence).slice(0, MAX_WORDS))
    .filter((words) => words.length > 0);
  const all = sentences.flat().slice(0, MAX_WORDS);
  const windows = all.length <= 2 * WINDOW ? [all] : [];
  let length = 0;
  for (const words of sentences) {
    if (length > MAX_WORDS) break;
    length += words.length;
    windows.push(...overlappingWindows(words, WINDOW));
  }
  return windows;
}

/** Returns overlapping windows of a length. */
function overlappingWindows(words: string[], length: number): string[][] {
  if (words.length <= length) return [words];
  const startIndexes = Array.from({ length: Math.ceil((words.length - length) / 2) + 1 }, (_, number) => 2 * number);
  return startIndexes.map((start) => words.slice(start, start + length));
}

const RECOGNISER = new Recogniser();

/** Removes contractions such as in "I'd" and "who's". */
function removeContractions(text: string): string {
  return text.replace(/(?<=\p{L})['’](?:s|m|d|re|ve|ll)(?!\p{L})/giu, '');
}

/** @returns all intents that share a word with the message, most likely first */
export function recognise(text: string, language: Language): IntentMatch[] {
  return RECOGNISER.recognise(translateToEnglish(removeContractions(text), language));
}

/** Checks whether the examples contain a word, possibly with a typo. Other words are subjects of their own. */
export function isExampleWord(word: string, language: Language): boolean {
  return RECOGNISER.has(translateToEnglish(word, language));
}

/**
 * Returns the share of a message, including {placeholders}, that the examples of an intent explain, from 0 to 1. The
 * rest is about something else.
 * @param intent null for the examples of all intents
 */
export function explainedBy(text: string, intent: Intent | null, language: Language): number {
  return RECOGNISER.explained(translateToEnglish(text, language), intent);
}
