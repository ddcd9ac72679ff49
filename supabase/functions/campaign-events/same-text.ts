/**
 * Compares a sent message with the text that the client approved. Placeholders such as {{first_name}} match any text,
 * and {yes|sure} matches one of its parts. HTML, the quoted thread and the signature below "-- " are removed. The
 * comparison ignores white space, which differs between text and HTML. It also ignores differences between kinds of
 * quotes and dashes.
 */
import { sliceCharacters } from './characters.ts';
import { textOfMail } from './mail-text.ts';
import { removeQuotedThread } from './quoted-thread.ts';

/** Maximum characters that a placeholder matches: a name, a company, or a line written for one person. */
const MAX_FIELD = 600;
const MAX_NAME = 120;

/** Names of placeholders for short values. */
const NAME =
  /name|company|city|country|title|role|position|industry|domain|website|mail|phone|day|date|month|year|number|count/i;

/** Maximum characters of a mail with HTML, and of its text. A longer mail is a deviation. */
const MAX_MAIL = 200_000;
const MAX_TEXT = 40_000;

/** Maximum character comparisons per message, about 0.1 seconds. A text that needs more counts as different. */
const MAX_STEPS = 10_000_000;

/** Maximum characters of a deviation that are shown. */
const MAX_EXCERPT = 160;

const FIELD = /\{\{([^{}]*)\}\}|\{([^{}]*)\}|%([a-z][a-z0-9_]{1,40})%|\[\[([^[\]]*)\]\]/gi;

/** The compared characters of a text, with their positions in the original. */
interface Signs {
  signs: string;
  text: string;
  offsets: number[];
  /** 1 for each character that begins a line, and for the end of the text. */
  begins: Uint8Array;
}

/** A part of an approved text: literal, alternatives or a placeholder. */
type Piece = { parts: Signs[] } | Field;

interface Field {
  maxLength: number;
  /** True if the placeholder is at the start or end of a line. The matched text must then be there as well. */
  beginsLine: boolean;
  endsLine: boolean;
}

/** 1 for each position in the message that the approved text can reach so far. */
type Positions = Uint8Array;

/** The sent sentence that was not approved, and the approved one. '' if the text ended earlier. */
export interface Deviation {
  sent: string;
  approved: string;
  /** Number of matching characters. */
  matchedLength: number;
}

/** A message prepared for comparison. */
interface Message {
  /** Without HTML, quoted thread and signature. */
  text: string;
  signs: Signs;
  /** False if the message is too long to be compared as a whole. */
  isWhole: boolean;
}

/**
 * Returns the index of the approved text that the message matches. If it matches none, returns the most similar text and
 * the deviation from it.
 * @param sent text or HTML
 */
export function findNearest(approved: readonly string[], sent: string): { index: number; deviation: Deviation | null } {
  const message = messageOf(sent);
  let nearest: { index: number; deviation: Deviation } | null = null;
  for (const [index, text] of approved.entries()) {
    const deviation = compare(text, message, MAX_STEPS / approved.length);
    if (deviation === null) return { index, deviation };
    if (!nearest || deviation.matchedLength > nearest.deviation.matchedLength) nearest = { index, deviation };
  }
  return nearest ?? { index: -1, deviation: null };
}

function messageOf(sent: string): Message {
  const text = bodyOf(textOfMail(sliceCharacters(sent, 0, MAX_MAIL)));
  return {
    text,
    signs: signsOf(sliceCharacters(text, 0, MAX_TEXT)),
    isWhole: sent.length <= MAX_MAIL && text.length <= MAX_TEXT,
  };
}

function compare(approved: string, { text, signs: message, isWhole }: Message, maxSteps: number): Deviation | null {
  let positions: Positions = new Uint8Array(message.signs.length + 1);
  positions[0] = 1;
  let steps = 0;
  for (const piece of piecesOf(bodyOf(approved))) {
    steps += 'parts' in piece ? sum(piece.parts, ({ signs }) => positions.length + signs.length) : positions.length;
    const next = 'parts' in piece ? afterParts(piece.parts, positions, message) : afterField(piece, positions, message);
    if (steps > maxSteps || !next.includes(1)) return deviation(piece, positions, message);
    positions = next;
  }
  if (!isWhole) return { sent: excerpt(text, MAX_TEXT), approved: '', matchedLength: message.signs.length };
  return positions.at(-1) === 1 ? null : deviation(undefined, positions, message);
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/** Returns the positions after any of the alternatives. */
function afterParts(parts: readonly Signs[], positions: Positions, { signs }: Signs): Positions {
  const next = new Uint8Array(positions.length);
  const first = positions.indexOf(1);
  const last = positions.lastIndexOf(1);
  for (const { signs: part } of parts) {
    const lengths = commonLengths(part, signs.slice(first, last + part.length));
    for (let place = first; place <= last; place += 1) {
      const length = lengths[place - first] ?? 0;
      if (positions[place] === 1 && length >= part.length) next[place + part.length] = 1;
    }
  }
  return next;
}

/**
 * Returns for each position how many characters from there match the start of `part`. Uses the Z-algorithm in linear
 * time, because `indexOf` from every position is quadratic for repetitive texts.
 */
function commonLengths(part: string, text: string): Uint32Array {
  const combined = part + text;
  const lengths = new Uint32Array(combined.length);
  let begin = 0;
  let end = 0;
  for (let place = 1; place < combined.length; place += 1) {
    let length = place < end ? Math.min(end - place, lengths[place - begin] ?? 0) : 0;
    while (place + length < combined.length && combined.charCodeAt(length) === combined.charCodeAt(place + length))
      length += 1;
    if (place + length > end) [begin, end] = [place, place + length];
    lengths[place] = length;
  }
  return lengths.subarray(part.length).map((length) => Math.min(length, part.length));
}

/** Returns the positions after a placeholder: all within its maximum length, or only ends of lines if it ends a line. */
function afterField({ maxLength, beginsLine, endsLine }: Field, positions: Positions, { begins }: Signs): Positions {
  const next = new Uint8Array(positions.length);
  let end = -1;
  for (let place = 0; place < positions.length; place += 1) {
    if (positions[place] === 1 && (!beginsLine || begins[place] === 1)) end = place + maxLength;
    if (place <= end && (!endsLine || begins[place] === 1)) next[place] = 1;
  }
  return next;
}

/**
 * Describes the deviation at the position where most of the next approved part matches. Used if no position matches all
 * of it.
 */
function deviation(piece: Piece | undefined, positions: Positions, message: Signs): Deviation {
  const expected = piece && 'parts' in piece ? piece.parts[0] : undefined;
  const lengths = commonLengths(expected?.signs ?? '', message.signs);
  let place = 0;
  let matchedLength = -1;
  for (let candidate = positions.indexOf(1); candidate >= 0; candidate = positions.indexOf(1, candidate + 1)) {
    const length = lengths[candidate] ?? 0;
    if (length > matchedLength || (length === matchedLength && candidate > place))
      [place, matchedLength] = [candidate, length];
  }
  return {
    sent: sentenceAt(message, place + matchedLength),
    approved: expected ? sentenceAt(expected, matchedLength) : '',
    matchedLength: place + matchedLength,
  };
}

/** Returns the original sentence around a character. '' past the end. */
function sentenceAt({ text, offsets }: Signs, sign: number): string {
  const offset = offsets[sign];
  return offset === undefined ? '' : excerpt(text, offset);
}

/** Returns the sentence at a position, with at most MAX_EXCERPT characters after it and half as many before. */
function excerpt(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - MAX_EXCERPT), at);
  const before = Math.max(near.lastIndexOf('\n'), near.lastIndexOf('. '), near.lastIndexOf('? '));
  const begin = Math.max(at - near.length + before + 1, at - MAX_EXCERPT / 2);
  const end = text.slice(at, at + MAX_EXCERPT).search(/[.!?](?:\s|$)|\n/);
  return sliceCharacters(text, begin, end === -1 ? at + MAX_EXCERPT : at + end + 1)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(FIELD)) {
    pieces.push({ parts: [signsIn(text, end, match.index)] });
    const lineBegin = text.lastIndexOf('\n', match.index) + 1;
    end = match.index + match[0].length;
    const lineEnd = text.indexOf('\n', end);
    const beginsLine = text.slice(lineBegin, match.index).trim() === '';
    const endsLine = text.slice(end, lineEnd === -1 ? text.length : lineEnd).trim() === '';
    pieces.push(fieldOf(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '', { beginsLine, endsLine }));
  }
  pieces.push({ parts: [signsIn(text, end, text.length)] });
  return pieces;
}

/** Returns the compared characters of a part of a text, with their positions in the whole. */
function signsIn(text: string, begin: number, end: number): Signs {
  const signs = signsOf(text.slice(begin, end));
  return { ...signs, text, offsets: signs.offsets.map((place) => place + begin) };
}

/** {yes|sure} and {{RANDOM|yes|sure}} are alternatives. All other placeholders match any text. */
function fieldOf(inside: string, place: Pick<Field, 'beginsLine' | 'endsLine'>): Piece {
  const isSpintax = /^\s*(?:random|spin)\s*\|/i.test(inside);
  const parts = inside.replace(/^\s*(?:random|spin)\s*\|/i, '').split('|');
  // {{first_name|there}} is a placeholder with a default.
  const isNamed = /^[\w.\s]*$/.test(parts[0] ?? '') && /name|company|_/i.test(parts[0] ?? '');
  if (parts.length > 1 && (isSpintax || !isNamed)) return { parts: parts.map(signsOf) };
  return { maxLength: NAME.test(parts[0] ?? '') ? MAX_NAME : MAX_FIELD, ...place };
}

/** Removes white space and invisible characters, and unifies characters that mail programs replace, such as quotes. */
function signsOf(text: string): Signs {
  let signs = '';
  const offsets: number[] = [];
  const begins: number[] = [];
  // A text of one line has no information about line starts.
  let isBegin = true;
  const isOneLine = !text.trim().includes('\n');
  let place = 0;
  for (const character of text) {
    const sign = EQUIVALENT_CHARACTERS.get(character) ?? (/[\s\p{Cf}\u00ad]/u.test(character) ? '' : character);
    if (character === '\n') isBegin = true;
    for (let index = 0; index < sign.length; index += 1) {
      offsets.push(place);
      begins.push(isBegin || isOneLine ? 1 : 0);
      isBegin = false;
    }
    signs += sign;
    place += character.length;
  }
  return { signs, text, offsets, begins: Uint8Array.from([...begins, 1]) };
}

const EQUIVALENT_CHARACTERS = new Map<string, string>([
  ...[...'‘’‚‛`´′'].map((sign) => [sign, "'"] as const),
  ...[...'“”„‟«»″'].map((sign) => [sign, '"'] as const),
  ...[...'‐‑‒–—―−'].map((sign) => [sign, '-'] as const),
  ['…', '...'],
]);

/** Removes the subject line of an approved text, the quoted thread and the signature. */
function bodyOf(text: string): string {
  const rest = text.trimStart().replace(/^(?:subject|betreff|emne|ämne|objet)[ \t]*:[^\n]*\n/i, '');
  return removeQuotedThread(rest).normalize('NFC');
}
