/**
 * Checks whether a sentence attributes something to the wrong subject, such as another subject's role, number or story,
 * or mentions an unknown client, tool or service. Names are checked in every language, other words only if the sentence
 * and the source share a language.
 */

import { stemIn } from '../stems.ts';
import { figuresIn } from './figures.ts';
import { isRefusal } from './promises.ts';
import { readingOf, stemOf, wordsOf } from './text.ts';
import { isWordOfFigure, languageOf, PRICE_WORDS, subjectWords } from './words.ts';

interface Source {
  title: string;
  text: string;
}

interface Subject {
  kind: 'person' | 'company' | 'service';
  /** Normalised names: the whole name, and the first word of the name if it has at least five letters. */
  names: string[];
  /** All texts about the subject, normalised. */
  text: string;
  stems: Set<string>;
  /** Values of the figures about the subject. */
  figures: Set<string>;
}

export interface Subjects {
  all: Subject[];
  /** All words of the sources. */
  words: Set<string>;
  stems: Set<string>;
  /** One set per source sentence: the stems of the sentence, its neighbours and the title. */
  contextStems: Set<string>[];
  titles: string[];
  language: string | null;
}

export function collectSubjects(sources: readonly Source[]): Subjects {
  const allText = readingOf(sources.map(({ title, text }) => `${title} ${text}`).join('\n'));
  const words = wordsOf(allText);
  return {
    all: sources.flatMap(subjectsOf).reduce<Subject[]>(mergeSubject, []),
    words: new Set(words),
    stems: new Set(words.map(stemOf)),
    contextStems: sources.flatMap(contextStemsOf),
    titles: [...new Set(sources.map(({ title }) => readingOf(title)).filter(Boolean))],
    language: languageOf(words),
  };
}

function contextStemsOf({ title, text }: Source): Set<string>[] {
  const titleStems = snowballStems(title);
  const sentences = text.split(/\n+|(?<=[.!?])\s+/).map(snowballStems);
  return sentences.map(
    (_, index) => new Set([...titleStems, ...sentences.slice(Math.max(0, index - 1), index + 2).flat()]),
  );
}

/** Returns Snowball stems. `stemOf` only keeps the first letters, which is less precise. */
function snowballStems(text: string): string[] {
  return wordsOf(readingOf(text.replaceAll('_', ' '))).map((word) => stemIn('en', word));
}

const LABELS = { person: 'person', by: 'person', company: 'company', service: 'service' } as const;

/** Returns the subjects named by the labels of a source. For a review, these are the author and their company. */
function subjectsOf({ title, text }: Source): Subject[] {
  const reading = readingOf(`${title}\n${text.replace(/^(?:question|review): /gm, '')}`);
  return Object.entries(LABELS).flatMap(([label, kind]) => {
    const name = new RegExp(`^${label}: (.+)$`, 'm').exec(text)?.[1];
    if (!name) return [];
    const normalisedName = readingOf(name);
    const [firstWord = ''] = normalisedName.split(' ');
    const names = kind === 'company' && firstWord.length > 4 ? [normalisedName, firstWord] : [normalisedName];
    const figures = new Set(figuresIn(reading).map((figure) => `${figure.kind} ${figure.value}`));
    return [{ kind, names, text: reading, stems: new Set(wordsOf(reading).map(stemOf)), figures }];
  });
}

function mergeSubject(all: Subject[], next: Subject): Subject[] {
  const existing = all.find(({ names }) => names[0] === next.names[0]);
  if (!existing) return [...all, next];
  existing.text += ` ${next.text}`;
  for (const stem of next.stems) existing.stems.add(stem);
  for (const figure of next.figures) existing.figures.add(figure);
  return all;
}

/** Splits a sentence into clauses with their own subjects: "Isfront made 41 visits, and Brattli had 12". */
const CLAUSES = /[,;:]\s+|\s(?:and|while|whereas|og|och|und|mens|medan|wahrend)\s/;

/**
 * Checks whether a sentence contains a claim that no source makes about its subject.
 * @param sentence Markdown
 * @param visitorWords normalised words from the visitor's messages. A reply may repeat names from them, but not present
 *   them as our clients
 */
export function isUnsupported(subjects: Subjects, sentence: string, visitorWords: ReadonlySet<string>): boolean {
  const reading = readingOf(sentence);
  if (/\?\W*$/.test(reading) || isRefusal(reading) || NO_CLAIM.test(reading)) return false;
  return (
    hasUnknownName(subjects, sentence, reading, visitorWords) ||
    hasUnknownOffer(subjects, reading) ||
    isFarFromSources(subjects, reading) ||
    mixesSubjects(subjects, reading)
  );
}

/** Negations, conditions and wishes. A sentence with one of them makes no claim. */
const NO_CLAIM =
  /\b(?:not|cannot|never|nothing|no|whether|if|depends|example would|would (?:like|love) to|(?:happy|glad) to|ikke|ikkje|inte|nicht|kein\w*|om|ob|ingen|inget|intet|nichts)\b|n't\b/;

/** Words for us and our products. A name next to them is presented as our client or tool. */
const SELF_REFERENCE =
  /\b(?:we|our|ours|us|clients?|customers?|partners?|assistant|chatbots?|bot|outreach|leads|cases?|vi|oss|vare?|vart|vores|vara|kunder|wir|unser\w*|uns|kunden)\b/;

/**
 * Finds unknown names: capitalised words within a sentence. German capitalises all nouns, so only words directly after a
 * preposition are checked.
 */
function hasUnknownName(
  { words }: Subjects,
  sentence: string,
  reading: string,
  visitorWords: ReadonlySet<string>,
): boolean {
  const isGerman = ['de', null].includes(languageOf(wordsOf(reading)));
  // Removes link URLs, and our own name as in "We are Signalfjord".
  const text = sentence.replace(/\]\([^)]*\)|\b(?:We're|We are|I'm|I am) \p{Lu}\p{L}+(?=[,.!])/gu, ']');
  const pattern = isGerman
    ? /(?<=\b(?:mit|bei|für|von) )\p{Lu}\p{L}*(?<!e[nr]?|ung|it|is)(?!\p{L})/gu
    : /(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}]+/gu;
  const newNames = [...text.matchAll(pattern)]
    .map(({ 0: name, index }) => ({ name: readingOf(name), before: readingOf(text.slice(0, index)) }))
    .filter(({ name }) => !words.has(name) && !NOT_NAMES.test(name));
  const unknown = newNames.filter(({ name }) => !visitorWords.has(name));
  if (!SELF_REFERENCE.test(reading)) return unknown.length > 0 && MENTIONS_CLIENT.test(reading);
  return unknown.length > 0 || newNames.some(({ before }) => RELATION_BEFORE_NAME.test(before));
}

/** Words before a visitor's name that present it as our client or tool. */
const RELATION_BEFORE_NAME =
  /\b(?:with|to|into|in|on|of|from|support|use|include|including|mit|von|in|med|i|til|till|pa|av|af|stotter|stoder|unterstutzen)$/;

/** Capitalised words that are not names. */
const NOT_NAMES =
  /^(?:ai|crm|b2b|ok|dns|spf|dkim|dmarc|sie|ihr\w*|english|norwegian|danish|swedish|german|europe|norway|sweden|denmark|germany|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|vp|cto|ceo|i|hi|hello|happy|glad|sales|linkedin)$/;

/** Words that present a name as a client, also without a reference to us. */
const MENTIONS_CLIENT = /\b(?:trust|case|example|kunde|client|customer)\b/;

const OFFERS =
  /\bwe (?:also |even |can |do |will )*(?:offer|provide|sell|build|make|design|develop|do|manage|organise|organize|support|run|deliver|speciali[sz]e in|have)(?: (?:a|an|the|our|your|also|some|any))* ([a-z -]+)/;

/** Adjectives and general nouns that an offer may contain without a source. */
const GENERIC_OFFER_WORDS =
  /^(?:good|great|small|simple|right|real|honest|more|better|custom|tailored|friendly|short|clear|whole|companies|company|business\w*|clients?|customers?|people|teams?|systems?|things?|cases?|examples?|work|help\w*|services?|solutions?|projects?|main|following|different|several|kinds?|also|that|best|happy|times?)$/;

/** Checks whether the first noun phrase of an offer contains words that the sources do not have. */
function hasUnknownOffer({ stems, language }: Subjects, reading: string): boolean {
  const offer = OFFERS.exec(reading)?.[1];
  if (!offer || (language !== null && language !== 'en')) return false;
  const [nounPhrase = ''] = offer.split(
    / (?:that|which|who|so|for|with|to|in|from|of|on|at|and|or|by|as|because|when|then) /,
  );
  const offeredWords = subjectWords(wordsOf(nounPhrase).slice(0, 4).join(' ')).filter(
    (word) => !GENERIC_OFFER_WORDS.test(word),
  );
  return offeredWords.some((word) => !stems.has(stemOf(word)));
}

const ALWAYS_ALLOWED =
  /^(?:like|love|want(?:ed|s)?|need(?:s|ed)?|takes?|look(?:s|ing)?|sure|tell|shown?|gives?|makes?|finds?|keeps?|comes?|came|went|goes|says?|said|same|very|every|each|first|part|number|right|fill(?:s|ed)?|starts?|builds?|built)$/;

/**
 * Minimum share of a claim's words that one passage of a source must contain. Chosen just above the overlap of the false
 * claims in claim-pairs.ts.
 */
const MIN_OVERLAP = 0.45;

/**
 * Checks whether a sentence about us or a named subject is not supported by any source. Numbers and prices are checked
 * separately. Titles in a list are ignored, because no source sentence contains all of them.
 */
function isFarFromSources({ contextStems, titles, language, all }: Subjects, reading: string): boolean {
  if (language !== 'en' || languageOf(wordsOf(reading)) !== 'en') return false;
  if (!SELF_REFERENCE.test(reading) && subjectsNamedIn({ all }, reading).length === 0) return false;
  const listedTitles = titles.filter((title) => reading.includes(title));
  const remainingText =
    listedTitles.length > 1 ? listedTitles.reduce((text, title) => text.replaceAll(title, ' '), reading) : reading;
  const words = subjectWords(remainingText.replace(/\bwe(?:'re| are) \p{L}+(?=[,.!])/u, ' '), 4).filter(
    (word) =>
      ![GENERIC_OFFER_WORDS, ALWAYS_ALLOWED, PRICE_WORDS].some((pattern) => pattern.test(word)) &&
      !isWordOfFigure(word),
  );
  const claimedStems = new Set(words.map((word) => stemIn('en', word)));
  const shared = contextStems.map((stems) => [...claimedStems].filter((stem) => stems.has(stem)).length);
  return claimedStems.size > 1 && Math.max(0, ...shared) / claimedStems.size < MIN_OVERLAP;
}

/** Checks whether a clause attributes another subject's figure, role or story to its subject. */
function mixesSubjects(subjects: Subjects, reading: string): boolean {
  const sentenceSubjects = subjectsNamedIn(subjects, reading);
  const [person] = sentenceSubjects.filter(({ kind }) => kind === 'person');
  const companies = sentenceSubjects.filter(({ kind }) => kind === 'company');
  if (
    person &&
    companies.length > 0 &&
    !companies.some(({ names }) => names.some((name) => person.text.includes(name)))
  )
    return true;
  let currentSubjects: Subject[] = [];
  return reading.split(CLAUSES).some((clause) => {
    const namedSubjects = subjectsNamedIn(subjects, clause);
    currentSubjects = namedSubjects.length > 0 ? namedSubjects : currentSubjects;
    return currentSubjects.length > 0 && describesOtherSubject(subjects, currentSubjects, clause);
  });
}

function subjectsNamedIn({ all }: Pick<Subjects, 'all'>, text: string): Subject[] {
  return all.filter(({ names }) =>
    names.some((name) => ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${name} `)),
  );
}

function describesOtherSubject(subjects: Subjects, clauseSubjects: readonly Subject[], clause: string): boolean {
  const otherSubjects = subjects.all.filter((subject) => !clauseSubjects.includes(subject));
  const isFigureOfOther = figuresIn(clause).some(({ kind, value }) => {
    const figure = `${kind} ${value}`;
    return (
      !clauseSubjects.some(({ figures }) => figures.has(figure)) &&
      otherSubjects.some(({ figures }) => figures.has(figure))
    );
  });
  if (isFigureOfOther) return true;
  const names = new Set(clauseSubjects.flatMap((subject) => subject.names.flatMap((name) => wordsOf(name))));
  const claimedWords = subjectWords(clause, 4).filter((word) => !names.has(word));
  const isKnown = (word: string) => clauseSubjects.some(({ stems }) => stems.has(stemOf(word)));
  const otherWords = claimedWords.filter(
    (word) => !isKnown(word) && otherSubjects.some(({ stems }) => stems.has(stemOf(word))),
  );
  const supportedWords = claimedWords.filter(isKnown);
  if (otherWords.length >= 2 && otherWords.length > supportedWords.length) return true;
  const isComparable = languageOf(wordsOf(clause)) === subjects.language;
  if (
    isComparable &&
    supportedWords.length === 0 &&
    claimedWords.filter((word) => !GENERIC_OFFER_WORDS.test(word)).length >= 3
  )
    return true;
  return clauseSubjects.some((subject) => subject.names.some((name) => isDescribedWrongly(name, clause, isKnown)));
}

/** Returns true if the subject's texts do not support a description such as "Isfront is a hotel group". */
function isDescribedWrongly(name: string, clause: string, isKnown: (word: string) => boolean): boolean {
  const nameStart = clause.indexOf(name);
  const description =
    /^[\p{L} ]{0,20}? (?:is|was|are|works as|runs|sells|makes|handles|is in charge of|is responsible for) (?:the |a |an |our |one of our )*([a-z -]+)/u.exec(
      clause.slice(nameStart + name.length),
    );
  const words = subjectWords(description?.[1] ?? '').filter(
    (word) => !GENERIC_OFFER_WORDS.test(word) && !GENERIC_DESCRIPTIONS.test(word),
  );
  return words.length > 0 && !words.slice(0, 4).some(isKnown);
}

const GENERIC_DESCRIPTIONS =
  /^(?:person|colleague|member|contact|expert|specialist|responsible|charge|fit|similar|close|proof|closest|interesting|useful|known)$/;
