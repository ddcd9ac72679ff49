/** Finds the figures and promises of a sentence in the texts that a reply may take facts from. */
import { type Figure, figuresIn } from './figures.ts';
import { isRefusal, type MadePromise, type PromiseKind, promisesIn } from './promises.ts';
import { isWithinReference, referencesIn } from './references.ts';
import { readingOf, readings, stemOf, wordsOf } from './text.ts';
import {
  frequentWordsIn,
  isWordOfFigure,
  languageOf,
  OF_VISITOR,
  PRICE_WORDS,
  subjectWords,
  TO_ALL,
  TO_VISITOR,
} from './words.ts';

/** Text that the guard looks at as one source. */
export interface EvidenceText {
  title: string;
  text: string;
}

interface KnownSentence {
  reading: string;
  source: number;
  stems: Set<string>;
  /** Likewise of the whole source. */
  sourceStems: Set<string>;
  language: string | null;
  speaksToVisitor: boolean;
  figures: Figure[];
  promises: MadePromise[];
}

export interface Evidence {
  sentences: KnownSentence[];
  titles: string[];
  words: Set<string>;
  /** E-mail addresses. */
  addresses: Set<string>;
  /** Letters that are not Latin, as many as the sources have of them. */
  foreignLetters: number;
}

/** Kind of claim that a sentence makes without a source. */
export type Claim = 'price' | 'figure' | 'promise' | 'unreadable';

export function gatherEvidence(sources: readonly EvidenceText[]): Evidence {
  const titles = sources.map(({ title }) => readingOf(title));
  const sourceStems = sources.map(({ title, text }) => new Set(wordsOf(readingOf(`${title} ${text}`)).map(stemOf)));
  const sentences = sources.flatMap(({ text }, source) =>
    sentencesOf(text).map((sentence): KnownSentence => {
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
        // A question states nothing.
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
 * Returns the claim of a reply's sentence that no source has; null when one source has everything.
 * @param sentence Markdown
 * @param before text that was shown right before it, for figures that are written across two sentences
 * @param known tells of figures that may be named too, because the visitor said them
 */
export function unfoundedClaim(
  evidence: Evidence,
  sentence: string,
  before = '',
  known?: (figure: Figure, text: string) => boolean,
): Claim | null {
  const texts = [sentence.replace(/<[^<>]*>/g, ' '), ...(sentence.match(/(?<==\s*)(?:"[^"]*"|'[^']*')/g) ?? [])];
  if (texts.some((text) => isUnreadable(evidence, readingOf(text)))) return 'unreadable';
  if (addressesIn(sentence).some((address) => !evidence.addresses.has(address))) return 'unreadable';
  if (hasRomanNumber(evidence, sentence)) return 'figure';
  const tail = readingOf(before).slice(-60);
  for (const reading of readings(sentence)) {
    const text = tail ? `${tail} ${reading}` : reading;
    const from = tail ? tail.length + 1 : 0;
    for (const figure of figuresIn(text)) {
      if (figure.end <= from || known?.(figure, text)) continue;
      if (figure.start < from && isFounded(evidence, figure, text)) continue;
      if (!isFounded(evidence, figure, text))
        return figure.kind === 'money' || PRICE_WORDS.test(text) ? 'price' : 'figure';
    }
    if (isRefusal(reading)) continue;
    for (const promise of promisesIn(text)) {
      if (promise.end <= from) continue;
      if (!isPromisedInSource(evidence, promise.kind, text.slice(promise.start, promise.end), reading))
        return PRICED.has(promise.kind) ? 'price' : 'promise';
    }
  }
  return null;
}

function addressesIn(text: string): string[] {
  return readingOf(text).match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? [];
}

/** In capitals only: MIX, but not mix. */
function hasRomanNumber({ words }: Evidence, sentence: string): boolean {
  const capitals = sentence.normalize('NFKC').match(/(?<!\p{L})[MDCLXVI]{3,}(?!\p{L})/gu) ?? [];
  return capitals.some((word) => ROMAN.test(word) && !words.has(word.toLowerCase()));
}

const ROMAN = /^M{0,4}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/;

const PRICED: ReadonlySet<PromiseKind> = new Set(['free', 'discount', 'cheapest'] as const);

function isFounded(evidence: Evidence, figure: Figure, text: string): boolean {
  if (figure.value === '?') return isNamedInSource(evidence, figure, text);
  const named = titlesIn(evidence, text);
  return evidence.sentences.some(
    (known) =>
      (named.length === 0 ||
        !BOUND_TO_SUBJECT.has(figure.kind) ||
        named.some((title) => known.source === title || known.reading.includes(evidence.titles[title] ?? ''))) &&
      known.figures.some((source) => isSaidBy(figure, source, known, text)),
  );
}

const BOUND_TO_SUBJECT: ReadonlySet<Figure['kind']> = new Set(['money', 'duration'] as const);

/** Sources whose title of several words stands in the sentence: what it says is then about them. */
function titlesIn({ titles }: Evidence, text: string): number[] {
  return titles.flatMap((title, at) =>
    title.includes(' ') && text.includes(title) && !NO_SUBJECT.test(title) ? [at] : [],
  );
}

const NO_SUBJECT = /^(?:book a meeting|contact)$/;

/** A currency alone ("in dollars") may stand where a source has amounts in it. */
function isNamedInSource({ sentences }: Evidence, { kind, unit, start }: Figure, text: string): boolean {
  if (!/\b(?:in|i|auf|en|em) $/.test(text.slice(Math.max(0, start - 20), start))) return false;
  return (
    kind === 'money' &&
    sentences.some(({ figures }) => figures.some((source) => source.kind === 'money' && source.unit === unit))
  );
}

function isSaidBy(figure: Figure, source: Figure, known: KnownSentence, text: string): boolean {
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
        (isAboutTheSame(figure, source, known) || isTranslated(known, text)) &&
        (known.speaksToVisitor || !(TO_VISITOR.test(text) || TO_ALL.test(text)))
      );
    case 'duration':
      return source.kind === 'duration' && source.unit === figure.unit && isSameAmount(figure, source);
    case 'date':
      return isSameDate(figure.value, source) && isNear(figure, known, text);
    case 'time':
    case 'code':
      return source.value === figure.value && (source.kind === figure.kind || source.kind === 'date');
    case 'count':
      return isSameCount(figure, source, known, text);
  }
}

function isSameCurrency(unit: string, source: Figure): boolean {
  if (source.kind !== 'money') return false;
  return source.unit === unit || (unit === 'kr' && ['nok', 'sek', 'dkk'].includes(source.unit));
}

/** The number, with the ends of a range and the bounds that the source has. */
function isSameAmount(figure: Figure, source: Figure): boolean {
  if (figure.value !== source.value) return false;
  if (figure.rangeWith !== null) return figure.rangeWith === source.rangeWith;
  if (source.rangeWith !== null) return Number(source.value) < Number(source.rangeWith) ? figure.isFloor : figure.isCap;
  return (!figure.isFloor || source.isFloor) && (!figure.isCap || source.isCap);
}

/** A part that one of them leaves out may be anything; a year may stand alone. */
function isSameDate(value: string, source: Figure): boolean {
  if (source.kind !== 'date') return false;
  const [parts, others] = [value.split('-'), source.value.split('-')];
  if (parts.length !== 3 || others.length !== 3) return value === source.value;
  const isSame = (order: string[]) => order.every((part, at) => part === '*' || part === others[at]);
  const [year = '', month = '', day = ''] = parts;
  return isSame(parts) || (year !== '*' && isSame([year, day, month]));
}

function isSameCount(figure: Figure, source: Figure, known: KnownSentence, text: string): boolean {
  const isYear = /^(?:19|20)\d\d$/.test(figure.value);
  if (isYear && source.kind === 'date') return source.value.startsWith(figure.value) && isNear(figure, known, text);
  if (source.value !== figure.value) return false;
  const isDeepEqual = isAboutTheSame(figure, source, known);
  if (isYear) return source.kind === 'count' && isAboutTheSame(figure, source, known);
  if (source.kind === 'money') return PRICE_WORDS.test(text) && !source.isFloor;
  if (source.kind !== 'count' || (figure.rangeWith !== null && figure.rangeWith !== source.rangeWith)) return false;
  if (isDeepEqual) return true;
  return !PRICE_WORDS.test(text) && isTranslated(known, text);
}

/** They count the same thing, or have a word beside them in common. */
function isAboutTheSame(figure: Figure, source: Figure, known: KnownSentence): boolean {
  return figure.counted.length > 0 && source.counted.length > 0
    ? figure.counted.some((stem) => source.counted.includes(stem))
    : figure.context.some((stem) => known.stems.has(stem));
}

/** A date stands with a word of the text that has it. */
function isNear({ context }: Figure, known: KnownSentence, text: string): boolean {
  return context.length === 0 || context.some((stem) => known.sourceStems.has(stem)) || isTranslated(known, text);
}

/** A translation shares no words with its source. */
function isTranslated(known: KnownSentence, text: string): boolean {
  const language = languageOf(wordsOf(text));
  return language !== null && known.language !== null && language !== known.language;
}

/** A promise is repeated, not made: the sentence says what the one that makes it says, and little else. */
function isPromisedInSource({ sentences }: Evidence, kind: PromiseKind, words: string, reading: string): boolean {
  const said = subjectsOf(reading);
  return sentences.some(({ promises, reading: source }) => {
    const own = promises.filter((promise) => promise.kind === kind).map(({ start, end }) => source.slice(start, end));
    if (own.length === 0) return false;
    // "Soon" must be as soon in the source.
    if ((kind === 'soon' || kind === 'multiple') && !own.includes(words)) return false;
    const known = subjectsOf(source);
    const shared = said.filter((stem) => known.includes(stem)).length;
    return shared >= 2 && shared * 5 >= said.length * 3 && shared * 4 >= known.length * 3;
  });
}

/** Stems of what a sentence is about, without the promise that it makes. */
function subjectsOf(reading: string): string[] {
  let rest = '';
  let at = 0;
  for (const { start, end } of promisesIn(reading).sort((one, other) => one.start - other.start)) {
    rest += reading.slice(at, Math.max(at, start));
    at = Math.max(at, end);
  }
  return [...new Set(subjectWords(rest + reading.slice(at), 4).map(stemOf))];
}

/**
 * Words of a language or a script that the guard does not know could say anything. Words that the sources have are no
 * others' (names, mostly).
 */
function isUnreadable({ words: known, foreignLetters }: Evidence, reading: string): boolean {
  const words = wordsOf(reading);
  const unknown = words.filter((word) => !known.has(word));
  if (unknown.some((word) => word.length > 60)) return true;
  if (unknown.some((word) => /\p{Script=Latin}/u.test(word) && /(?!\p{Script=Latin})\p{L}/u.test(word))) return true;
  if (foreignLetters < 200 && unknown.some((word) => /(?!\p{Script=Latin})\p{L}/u.test(word))) return true;
  if (/(?![0-9])[\p{Nl}\p{No}]/u.test(reading)) return true;
  const rest = unknown.filter((word) => word.length > 1 && !isWordOfFigure(word));
  if (foreignLetters >= 200 || rest.length < 4) return false;
  // Short words that the sources have, such as "on", are others' too.
  const strange = words.filter((word) => rest.includes(word) || (word.length > 1 && word.length < 4));
  return frequentWordsIn(words) < Math.max(1, strange.length * 0.15);
}

/** Claims of a visitor: some may be repeated to them, others must not be agreed to because they said them. */
export interface VisitorClaims {
  /** Figures of theirs. */
  figures: Figure[];
  /** Words beside them and of the message, in plain letters. */
  words: Set<string>;
  /** Order numbers and the like. */
  references: ReadonlySet<string>;
  /** True when the last message, or what it points at, has a claim that no source has: nothing may agree to it. */
  isContested: boolean;
  /** True when that claim is about us, so that the reply has to say that it is not confirmed. */
  isAboutUs: boolean;
}

export function readVisitor(
  evidence: Evidence,
  conversation: readonly { role: 'user' | 'assistant'; content: string }[],
): VisitorClaims {
  const own = conversation.filter(({ role }) => role === 'user').map(({ content }) => content);
  // Theirs may be repeated.
  for (const address of addressesIn(own.join('\n'))) evidence.addresses.add(address);
  const last = own.at(-1) ?? '';
  const pointsBack =
    /\b(?:that|this|it|so|same|confirm\w*|repeat|right|correct|agree\w*|deal|above|earlier|before|said|wrote|again|really|true|det|dette|stemmer|bekreft\w*|riktig|avtale\w*|das|dies\w*|stimmt|richtig|bestatig\w*|ok|okay|yes|ja)\b/.test(
      readingOf(last),
    );
  const asked =
    pointsBack || last.trim().split(/\s+/).length <= 2 ? conversation.map(({ content }) => content) : [last];
  const all = readingOf(own.join('\n'));
  const claims = asked.flatMap((message) => claimsIn(evidence, message));
  return {
    figures: own.flatMap((message) => figuresIn(readingOf(message))),
    words: new Set(wordsOf(all)),
    references: new Set(referencesIn(all, (letters) => evidence.words.has(letters))),
    isContested: claims.length > 0 || /(?!\p{Script=Latin})\p{L}/u.test(last),
    isAboutUs: claims.includes('about us'),
  };
}

/**
 * Lists the claims in a message that no source has. A statement of somebody about themselves ("we are 50 people") is no
 * claim, but with a sum or a date ("our budget is 100 dollars") it is one that nobody may agree to.
 */
function claimsIn(evidence: Evidence, message: string): ('about us' | 'own')[] {
  return sentencesOf(message)
    .flatMap((sentence) => sentence.split(/[,;:]\s| - /))
    .flatMap((clause) => {
      const reading = readingOf(clause);
      const references = new Set(referencesIn(reading, (letters) => evidence.words.has(letters)));
      const claim = unfoundedClaim(evidence, clause, '', (figure, text) => isWithinReference(references, text, figure));
      if (!claim) return [];
      // An unreadable clause may claim anything, so nothing may agree to it.
      if (claim === 'unreadable') return ['own'];
      const isOwn = OF_VISITOR.test(reading) && !TO_VISITOR.test(reading) && promisesIn(reading).length === 0;
      if (!isOwn) return ['about us'];
      const isTerm = figuresIn(reading).some(({ kind }) => ['money', 'date', 'duration', 'time'].includes(kind));
      return isTerm ? ['own'] : [];
    });
}

const ATTRIBUTES =
  /^(?:so |and |ok |okay |thanks,? |thank you,? )*(?:you|your (?:message|question)) (?:mention(?:ed|s)?|said|say|says|wrote|write|named?|told (?:me|us)|asked?|asks|are asking) (?:about |that |for |whether |if )?/;
const SPEECH_WORDS =
  /^(?:mentioned|mention|said|wrote|named|asked|told|thanks|thank|that|about|whether|your|have|with|team|them|their|there|people)$/;
const OF_THEIRS =
  /\b(?:your|din|ditt|dine|deres|ihr|ihre|ihrem|ihren|dein|deinem|votre|su|jullie) (?:\w+ ){0,2}(?:team|company|staff|people|employees|salespeople|sales team|reps|list|inboxes|mailboxes|leads|contacts|users|customers|domains|colleagues|selskap|bedrift|ansatte|liste|firma|mitarbeiter|mitarbeitern|kollegen|liste|foretag)\b/;

/**
 * Returns a test of whether a figure is the visitor's own, repeated as theirs: in an order number, in a sentence that only says what they
 * said ("You mentioned 50 people"), or as a count of what is theirs ("your team of 50"). Never in a sentence that could
 * be read as ours.
 */
export function isVisitorsOwn(visitor: VisitorClaims, sentence: string): (figure: Figure, text: string) => boolean {
  const reading = readingOf(sentence);
  const attribution = ATTRIBUTES.exec(reading);
  const isOnlyRepeated =
    attribution !== null &&
    !/[,;:()]| - |\b(?:and|but|which|so|yes|og|und|men|aber)\b/.test(reading.slice(attribution[0].length)) &&
    wordsOf(reading.slice(attribution[0].length)).every(
      (word) => word.length < 4 || visitor.words.has(word) || SPEECH_WORDS.test(word),
    );
  const isDeclined = isRefusal(reading);
  const isCountOfTheirs = OF_THEIRS.test(reading) && !PRICE_WORDS.test(reading);
  return (figure, text) => {
    if (isWithinReference(visitor.references, text, figure)) return true;
    const isTheirs = visitor.figures.some(
      ({ kind, unit, value }) => kind === figure.kind && unit === figure.unit && value === figure.value,
    );
    if (!isTheirs) return false;
    if (isOnlyRepeated || isDeclined) return true;
    return (
      isCountOfTheirs &&
      figure.kind === 'count' &&
      figure.context.some((stem) => [...visitor.words].some((word) => stemOf(word) === stem))
    );
  };
}
