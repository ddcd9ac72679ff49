/** Checks the figures and promises of a sentence against the sources of a reply. */
import { type Figure, figuresIn } from './figures.ts';
import { isRefusal, type PromiseKind, type PromiseMention, promisesIn } from './promises.ts';
import { isWithinReference, referencesIn } from './references.ts';
import { readingOf, readings, stemOf, wordsOf } from './text.ts';
import {
  ABOUT_VISITOR,
  frequentWordsIn,
  isWordOfFigure,
  languageOf,
  PRICE_WORDS,
  subjectWords,
  TO_ALL,
  TO_VISITOR,
} from './words.ts';

/** A source for the guard. */
export interface EvidenceText {
  title: string;
  text: string;
}

interface SourceSentence {
  reading: string;
  source: number;
  stems: Set<string>;
  /** Stems of the whole source. */
  sourceStems: Set<string>;
  language: string | null;
  speaksToVisitor: boolean;
  figures: Figure[];
  promises: PromiseMention[];
}

export interface Evidence {
  sentences: SourceSentence[];
  titles: string[];
  words: Set<string>;
  /** Email addresses. */
  addresses: Set<string>;
  /** Number of non-Latin letters in the sources. */
  foreignLetters: number;
}

/** Kind of an unsupported claim. */
export type Claim = 'price' | 'figure' | 'promise' | 'unreadable';

export function collectEvidence(sources: readonly EvidenceText[]): Evidence {
  const titles = sources.map(({ title }) => readingOf(title));
  const sourceStems = sources.map(({ title, text }) => new Set(wordsOf(readingOf(`${title} ${text}`)).map(stemOf)));
  const sentences = sources.flatMap(({ text }, source) =>
    sentencesOf(text).map((sentence): SourceSentence => {
      const reading = readingOf(sentence);
      const words = wordsOf(reading);
      const isQuestion = /\?\W*$/.test(reading);
      return {
        reading,
        source,
        stems: new Set([...words, ...wordsOf(titles[source] ?? '')].map(stemOf)),
        sourceStems: sourceStems[source] ?? new Set(),
        language: languageOf(words),
        speaksToVisitor: TO_VISITOR.test(reading) || TO_ALL.test(reading),
        // A question contains no facts.
        figures: isQuestion ? [] : figuresIn(reading),
        promises:
          isQuestion || /\b(?:not|no|never|cannot|ikke|inte|nicht|kein\w*|ingen)\b|n't\b/.test(reading)
            ? []
            : promisesIn(reading),
      };
    }),
  );
  const all = sources.map(({ title, text }) => `${title} ${text}`).join(' ');
  return {
    sentences,
    titles,
    words: new Set(wordsOf(readingOf(all))),
    addresses: new Set(addressesIn(all)),
    foreignLetters: (all.match(/(?!\p{Script=Latin})\p{L}/gu) ?? []).length,
  };
}

function sentencesOf(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?…])(?<!\b[Nn][or]\.)\s+(?=[\p{Lu}\p{N}"'(*])/u)
    .filter((sentence) => sentence.trim() !== '');
}

/**
 * Returns the unsupported claim of a sentence, or null if the sources support it.
 * @param sentence Markdown
 * @param before text shown right before it, for figures that span two sentences
 * @param isRepeatAllowed returns true if a figure may be repeated because the visitor mentioned it
 */
export function unsupportedClaim(
  evidence: Evidence,
  sentence: string,
  before = '',
  isRepeatAllowed?: (figure: Figure, text: string) => boolean,
): Claim | null {
  const texts = [sentence.replace(/<[^<>]*>/g, ' '), ...(sentence.match(/(?<==\s*)(?:"[^"]*"|'[^']*')/g) ?? [])];
  if (texts.some((text) => isUnreadable(evidence, readingOf(text)))) return 'unreadable';
  if (addressesIn(sentence).some((address) => !evidence.addresses.has(address))) return 'unreadable';
  if (hasRomanNumber(evidence, sentence)) return 'figure';
  const precedingText = readingOf(before).slice(-60);
  for (const reading of readings(sentence)) {
    const text = precedingText ? `${precedingText} ${reading}` : reading;
    const from = precedingText ? precedingText.length + 1 : 0;
    for (const figure of figuresIn(text)) {
      if (figure.end <= from || isRepeatAllowed?.(figure, text)) continue;
      if (figure.start < from && isSupported(evidence, figure, text)) continue;
      if (!isSupported(evidence, figure, text))
        return figure.kind === 'money' || PRICE_WORDS.test(text) ? 'price' : 'figure';
    }
    if (isRefusal(reading)) continue;
    for (const promise of promisesIn(text)) {
      if (promise.end <= from) continue;
      if (!isPromisedInSource(evidence, promise.kind, text.slice(promise.start, promise.end), reading))
        return PRICE_PROMISES.has(promise.kind) ? 'price' : 'promise';
    }
  }
  return null;
}

function addressesIn(text: string): string[] {
  return readingOf(text).match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? [];
}

/** Finds Roman numerals in capitals: MIX, but not mix. */
function hasRomanNumber({ words }: Evidence, sentence: string): boolean {
  const capitals = sentence.normalize('NFKC').match(/(?<!\p{L})[MDCLXVI]{3,}(?!\p{L})/gu) ?? [];
  return capitals.some((word) => ROMAN_NUMERAL.test(word) && !words.has(word.toLowerCase()));
}

const ROMAN_NUMERAL = /^M{0,4}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/;

const PRICE_PROMISES: ReadonlySet<PromiseKind> = new Set(['free', 'discount', 'cheapest'] as const);

function isSupported(evidence: Evidence, figure: Figure, text: string): boolean {
  if (figure.value === '?') return isNamedInSource(evidence, figure, text);
  const namedTitles = titlesIn(evidence, text);
  return evidence.sentences.some(
    (sourceSentence) =>
      (namedTitles.length === 0 ||
        !BOUND_TO_SUBJECT.has(figure.kind) ||
        namedTitles.some(
          (title) => sourceSentence.source === title || sourceSentence.reading.includes(evidence.titles[title] ?? ''),
        )) &&
      sourceSentence.figures.some((source) => isSupportedBy(figure, source, sourceSentence, text)),
  );
}

const BOUND_TO_SUBJECT: ReadonlySet<Figure['kind']> = new Set(['money', 'duration'] as const);

/** Returns the sources whose title has several words and occurs in the sentence, which is then about them. */
function titlesIn({ titles }: Evidence, text: string): number[] {
  return titles.flatMap((title, index) =>
    title.includes(' ') && text.includes(title) && !NO_SUBJECT.test(title) ? [index] : [],
  );
}

const NO_SUBJECT = /^(?:book a meeting|contact)$/;

/** Allows a currency without an amount ("in dollars") if a source has amounts in this currency. */
function isNamedInSource({ sentences }: Evidence, { kind, unit, start }: Figure, text: string): boolean {
  if (!/\b(?:in|i|auf|en|em) $/.test(text.slice(Math.max(0, start - 20), start))) return false;
  return (
    kind === 'money' &&
    sentences.some(({ figures }) => figures.some((source) => source.kind === 'money' && source.unit === unit))
  );
}

function isSupportedBy(figure: Figure, source: Figure, sourceSentence: SourceSentence, text: string): boolean {
  switch (figure.kind) {
    case 'money':
      return (
        isSameCurrency(figure.unit, source) &&
        isSameAmount(figure, source) &&
        figure.per === source.per &&
        (figure.isFloor || !source.isFloor)
      );
    case 'percent':
    case 'multiple':
      return (
        source.kind === figure.kind &&
        isSameAmount(figure, source) &&
        (haveSameSubject(figure, source, sourceSentence) || isTranslated(sourceSentence, text)) &&
        (sourceSentence.speaksToVisitor || !(TO_VISITOR.test(text) || TO_ALL.test(text)))
      );
    case 'duration':
      return source.kind === 'duration' && source.unit === figure.unit && isSameAmount(figure, source);
    case 'date':
      return isSameDate(figure.value, source) && sharesContext(figure, sourceSentence, text);
    case 'time':
    case 'code':
      return source.value === figure.value && (source.kind === figure.kind || source.kind === 'date');
    case 'count':
      return isSameCount(figure, source, sourceSentence, text);
  }
}

function isSameCurrency(unit: string, source: Figure): boolean {
  if (source.kind !== 'money') return false;
  return source.unit === unit || (unit === 'kr' && ['nok', 'sek', 'dkk'].includes(source.unit));
}

/** Compares the number, the ends of a range and the bounds. */
function isSameAmount(figure: Figure, source: Figure): boolean {
  if (figure.value !== source.value) return false;
  if (figure.rangeWith !== null) return figure.rangeWith === source.rangeWith;
  if (source.rangeWith !== null) return Number(source.value) < Number(source.rangeWith) ? figure.isFloor : figure.isCap;
  return (!figure.isFloor || source.isFloor) && (!figure.isCap || source.isCap);
}

/** Compares dates. A missing part matches any value. */
function isSameDate(value: string, source: Figure): boolean {
  if (source.kind !== 'date') return false;
  const [parts, sourceParts] = [value.split('-'), source.value.split('-')];
  if (parts.length !== 3 || sourceParts.length !== 3) return value === source.value;
  const isSame = (order: string[]) => order.every((part, index) => part === '*' || part === sourceParts[index]);
  const [year = '', month = '', day = ''] = parts;
  return isSame(parts) || (year !== '*' && isSame([year, day, month]));
}

function isSameCount(figure: Figure, source: Figure, sourceSentence: SourceSentence, text: string): boolean {
  const isYear = /^(?:19|20)\d\d$/.test(figure.value);
  if (isYear && source.kind === 'date')
    return source.value.startsWith(figure.value) && sharesContext(figure, sourceSentence, text);
  if (source.value !== figure.value) return false;
  const hasSameSubject = haveSameSubject(figure, source, sourceSentence);
  if (isYear) return source.kind === 'count' && haveSameSubject(figure, source, sourceSentence);
  if (source.kind === 'money') return PRICE_WORDS.test(text) && !source.isFloor;
  if (source.kind !== 'count' || (figure.rangeWith !== null && figure.rangeWith !== source.rangeWith)) return false;
  if (hasSameSubject) return true;
  return !PRICE_WORDS.test(text) && isTranslated(sourceSentence, text);
}

/** Checks whether both figures count the same thing or share a neighbouring word. */
function haveSameSubject(figure: Figure, source: Figure, sourceSentence: SourceSentence): boolean {
  return figure.counted.length > 0 && source.counted.length > 0
    ? figure.counted.some((stem) => source.counted.includes(stem))
    : figure.context.some((stem) => sourceSentence.stems.has(stem));
}

/** Checks whether a date appears with a word of its source. */
function sharesContext({ context }: Figure, sourceSentence: SourceSentence, text: string): boolean {
  return (
    context.length === 0 ||
    context.some((stem) => sourceSentence.sourceStems.has(stem)) ||
    isTranslated(sourceSentence, text)
  );
}

/** Checks for a translation, which shares no words with its source. */
function isTranslated(sourceSentence: SourceSentence, text: string): boolean {
  const language = languageOf(wordsOf(text));
  return language !== null && sourceSentence.language !== null && language !== sourceSentence.language;
}

/** Checks whether a source makes the same promise: its sentence must cover nearly all of this one. */
function isPromisedInSource({ sentences }: Evidence, kind: PromiseKind, words: string, reading: string): boolean {
  const subjects = subjectsOf(reading);
  return sentences.some(({ promises, reading: source }) => {
    const samePromises = promises
      .filter((promise) => promise.kind === kind)
      .map(({ start, end }) => source.slice(start, end));
    if (samePromises.length === 0) return false;
    // For "soon" and "twice", the source must contain the same words.
    if ((kind === 'soon' || kind === 'multiple') && !samePromises.includes(words)) return false;
    const sourceStems = subjectsOf(source);
    const shared = subjects.filter((stem) => sourceStems.includes(stem)).length;
    return shared >= 2 && shared * 5 >= subjects.length * 3 && shared * 4 >= sourceStems.length * 3;
  });
}

/** Returns the stems of a sentence without its promise. */
function subjectsOf(reading: string): string[] {
  let withoutPromises = '';
  let position = 0;
  for (const { start, end } of promisesIn(reading).sort((a, b) => a.start - b.start)) {
    withoutPromises += reading.slice(position, Math.max(position, start));
    position = Math.max(position, end);
  }
  return [...new Set(subjectWords(withoutPromises + reading.slice(position), 4).map(stemOf))];
}

/**
 * Detects words in a language or script that the guard does not support, because they could contain any claim. Words
 * that occur in the sources are allowed. Most of them are names.
 */
function isUnreadable({ words: sourceWords, foreignLetters }: Evidence, reading: string): boolean {
  const words = wordsOf(reading);
  const unknown = words.filter((word) => !sourceWords.has(word));
  if (unknown.some((word) => word.length > 60)) return true;
  if (unknown.some((word) => /\p{Script=Latin}/u.test(word) && /(?!\p{Script=Latin})\p{L}/u.test(word))) return true;
  if (foreignLetters < 200 && unknown.some((word) => /(?!\p{Script=Latin})\p{L}/u.test(word))) return true;
  if (/(?![0-9])[\p{Nl}\p{No}]/u.test(reading)) return true;
  const unknownWords = unknown.filter((word) => word.length > 1 && !isWordOfFigure(word));
  if (foreignLetters >= 200 || unknownWords.length < 4) return false;
  // Short words of the sources, such as "on", also exist in other languages.
  const uncommonWords = words.filter((word) => unknownWords.includes(word) || (word.length > 1 && word.length < 4));
  return frequentWordsIn(words) < Math.max(1, uncommonWords.length * 0.15);
}

/** Claims of the visitor. The reply may repeat some of them, but must not confirm any. */
export interface VisitorClaims {
  /** Figures in the visitor's messages. */
  figures: Figure[];
  /** Words of the visitor's messages, normalised. */
  words: Set<string>;
  /** Order numbers and similar references. */
  references: ReadonlySet<string>;
  /**
   * True if the last message, or a message it refers to, contains an unsupported claim that the reply must not confirm.
   */
  isContested: boolean;
  /** True if such a claim is about us. The reply must then begin by saying that it is not confirmed. */
  isAboutUs: boolean;
}

export function readVisitorClaims(
  evidence: Evidence,
  conversation: readonly { role: 'user' | 'assistant'; content: string }[],
): VisitorClaims {
  const visitorMessages = conversation.filter(({ role }) => role === 'user').map(({ content }) => content);
  const visitorText = visitorMessages.join('\n');
  const all = readingOf(visitorText);
  // The visitor's email addresses may be repeated.
  for (const address of addressesIn(visitorText)) evidence.addresses.add(address);
  const last = visitorMessages.at(-1) ?? '';
  const refersBack =
    /\b(?:that|this|it|so|same|confirm\w*|repeat|right|correct|agree\w*|deal|above|earlier|before|said|wrote|again|really|true|det|dette|stemmer|bekreft\w*|riktig|avtale\w*|das|dies\w*|stimmt|richtig|bestatig\w*|ok|okay|yes|ja)\b/.test(
      readingOf(last),
    );
  const messages =
    refersBack || last.trim().split(/\s+/).length <= 2 ? conversation.map(({ content }) => content) : [last];
  const claims = messages.flatMap((message) => claimsIn(evidence, message));
  return {
    figures: visitorMessages.flatMap((message) => figuresIn(readingOf(message))),
    words: new Set(wordsOf(all)),
    references: new Set(referencesIn(all, (letters) => evidence.words.has(letters))),
    isContested: claims.length > 0 || /(?!\p{Script=Latin})\p{L}/u.test(last),
    isAboutUs: claims.includes('about us'),
  };
}

/**
 * Lists the unsupported claims in a message. A visitor's statement about themselves ("we are 50 people") is not a claim,
 * unless it contains an amount, a date or a time ("our budget is 100 dollars").
 */
function claimsIn(evidence: Evidence, message: string): ('about us' | 'about visitor')[] {
  return sentencesOf(message)
    .flatMap((sentence) => sentence.split(/[,;:]\s| - /))
    .flatMap((clause) => {
      const reading = readingOf(clause);
      const references = new Set(referencesIn(reading, (letters) => evidence.words.has(letters)));
      const claim = unsupportedClaim(evidence, clause, '', (figure, text) =>
        isWithinReference(references, text, figure),
      );
      if (!claim) return [];
      // An unreadable clause may contain any claim, so the reply must not confirm it.
      if (claim === 'unreadable') return ['about visitor'];
      const isAboutVisitor =
        ABOUT_VISITOR.test(reading) && !TO_VISITOR.test(reading) && promisesIn(reading).length === 0;
      if (!isAboutVisitor) return ['about us'];
      const isTerm = figuresIn(reading).some(({ kind }) => ['money', 'date', 'duration', 'time'].includes(kind));
      return isTerm ? ['about visitor'] : [];
    });
}

/** Beginning of a sentence that attributes its content to the visitor: "You mentioned that". */
const ATTRIBUTION =
  /^(?:so |and |ok |okay |thanks,? |thank you,? )*(?:you|your (?:message|question)) (?:mention(?:ed|s)?|said|say|says|wrote|write|named?|told (?:me|us)|asked?|asks|are asking) (?:about |that |for |whether |if )?/;
const SPEECH_WORDS =
  /^(?:mentioned|mention|said|wrote|named|asked|told|thanks|thank|that|about|whether|your|have|with|team|them|their|there|people)$/;
const VISITOR_PEOPLE_OR_ITEMS =
  /\b(?:your|din|ditt|dine|deres|ihr|ihre|ihrem|ihren|dein|deinem|votre|su|jullie) (?:\w+ ){0,2}(?:team|company|staff|people|employees|salespeople|sales team|reps|list|inboxes|mailboxes|leads|contacts|users|customers|domains|colleagues|selskap|bedrift|ansatte|liste|firma|mitarbeiter|mitarbeitern|kollegen|liste|foretag)\b/;

/**
 * Returns a function that checks whether the reply may repeat a figure of the visitor. It may if the figure is part of
 * an order number, if the sentence only repeats the visitor's words ("You mentioned 50 people"), or if it counts the
 * visitor's people or items ("your team of 50"). A sentence that could be read as our statement does not qualify.
 */
export function createRepetitionCheck(
  visitor: VisitorClaims,
  sentence: string,
): (figure: Figure, text: string) => boolean {
  const reading = readingOf(sentence);
  const attribution = ATTRIBUTION.exec(reading);
  const isOnlyRepeated =
    attribution !== null &&
    !/[,;:()]| - |\b(?:and|but|which|so|yes|og|und|men|aber)\b/.test(reading.slice(attribution[0].length)) &&
    wordsOf(reading.slice(attribution[0].length)).every(
      (word) => word.length < 4 || visitor.words.has(word) || SPEECH_WORDS.test(word),
    );
  const isDeclined = isRefusal(reading);
  const countsVisitorItems = VISITOR_PEOPLE_OR_ITEMS.test(reading) && !PRICE_WORDS.test(reading);
  return (figure, text) => {
    if (isWithinReference(visitor.references, text, figure)) return true;
    const isMentionedByVisitor = visitor.figures.some(
      ({ kind, unit, value }) => kind === figure.kind && unit === figure.unit && value === figure.value,
    );
    if (!isMentionedByVisitor) return false;
    if (isOnlyRepeated || isDeclined) return true;
    return (
      countsVisitorItems &&
      figure.kind === 'count' &&
      figure.context.some((stem) => [...visitor.words].some((word) => stemOf(word) === stem))
    );
  };
}
