/**
 * Compares a message that went out with the text that the client approved. Fields such as {{first_name}} stand for any text,
 * {yes|sure} for one of its parts; what a mail program adds is cut: HTML, the quoted thread, the signature below "-- ". Signs
 * are compared without white space, in which texts and HTML differ, and without the difference of kinds of quotes and dashes.
 */
import { textOfMail } from './mail-text.ts';

/** Characters that a field may stand for: a name or a company, or a line that was written for one person. */
const MOST_OF_FIELD = 600;
const MOST_OF_NAME = 120;

/** Fields of few words, by what is in their name. */
const NAME =
  /name|company|city|country|title|role|position|industry|domain|website|mail|phone|day|date|month|year|number|count/i;

/** Characters of a mail that are compared, twice as many as an approved text has. */
const MOST_OF_MAIL = 40_000;

/** Characters of a deviation that are shown. */
const SHOWN = 160;

const FIELD = /\{\{([^{}]*)\}\}|\{([^{}]*)\}|%([a-z][a-z0-9_]{1,40})%|\[\[([^[\]]*)\]\]/gi;

/** A text without what is not compared, and where each of its signs stands in it. */
interface Signs {
  signs: string;
  text: string;
  at: number[];
  /** Holds 1 for each sign that begins a line, and past the last. */
  begins: Uint8Array;
}

/** A piece of an approved text: as it stands, one of several, or a field. */
type Piece = { parts: Signs[] } | Field;

interface Field {
  most: number;
  /** True where it stands at the begin or the end of a line: what stands for it does so, too. */
  beginsLine: boolean;
  endsLine: boolean;
}

/** Holds 1 for each place in the signs of a message to which the approved text leads so far. */
type Places = Uint8Array;

/** The sentence that went out and nobody approved, and the one that was approved; '' where one of them ends before. */
export interface Deviation {
  sent: string;
  approved: string;
  /** Signs of the message that are as they were approved. */
  same: number;
}

/** Returns null when the sent text is the approved one. @param sent text or HTML */
export function deviationFrom(approved: string, sent: string): Deviation | null {
  const message = signsOf(cut(textOfMail(sent.slice(0, MOST_OF_MAIL))));
  let places: Places = new Uint8Array(message.signs.length + 1);
  places[0] = 1;
  for (const piece of piecesOf(cut(approved))) {
    const next = 'parts' in piece ? afterParts(piece.parts, places, message) : afterField(piece, places, message);
    if (!next.includes(1)) return deviation(piece, places, message);
    places = next;
  }
  return places.at(-1) === 1 ? null : deviation(undefined, places, message);
}

/** Returns the places to which one of the parts leads. */
function afterParts(parts: readonly Signs[], places: Places, { signs }: Signs): Places {
  const next = new Uint8Array(places.length);
  for (const { signs: part } of parts) {
    for (let place = signs.indexOf(part); place >= 0; place = signs.indexOf(part, place + 1)) {
      if (places[place] === 1) next[place + part.length] = 1;
      // The empty part is found at the end again and again.
      if (place === signs.length) break;
    }
  }
  return next;
}

/** Returns the places to which a field leads: all that are near enough, at the end of a line if it ends one. */
function afterField({ most, beginsLine, endsLine }: Field, places: Places, { begins }: Signs): Places {
  const next = new Uint8Array(places.length);
  let end = -1;
  for (let place = 0; place < places.length; place += 1) {
    if (places[place] === 1 && (!beginsLine || begins[place] === 1)) end = place + most;
    if (place <= end && (!endsLine || begins[place] === 1)) next[place] = 1;
  }
  return next;
}

/** Describes where no place leads on: of those places, the one from which most of the approved text follows. */
function deviation(piece: Piece | undefined, places: Places, message: Signs): Deviation {
  const expected = piece && 'parts' in piece ? piece.parts[0] : undefined;
  let place = 0;
  let same = -1;
  for (let candidate = places.indexOf(1); candidate >= 0; candidate = places.indexOf(1, candidate + 1)) {
    let length = 0;
    while (expected && length < expected.signs.length && expected.signs[length] === message.signs[candidate + length]) {
      length += 1;
    }
    if (length > same || (length === same && candidate > place)) [place, same] = [candidate, length];
  }
  return {
    sent: sentenceAt(message, place + same),
    approved: expected ? sentenceAt(expected, same) : '',
    same: place + same,
  };
}

/** Returns the sentence around a sign, as a person reads it; '' past the end. */
function sentenceAt({ text, at: places }: Signs, sign: number): string {
  const at = places[sign];
  if (at === undefined) return '';
  const before = Math.max(
    text.lastIndexOf('\n', at - 1),
    text.lastIndexOf('. ', at - 1),
    text.lastIndexOf('? ', at - 1),
  );
  const begin = Math.max(before + 1, at - SHOWN / 2);
  const end = text.slice(at).search(/[.!?](?:\s|$)|\n/);
  return text
    .slice(begin, end === -1 ? at + SHOWN : Math.min(at + end + 1, at + SHOWN))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(FIELD)) {
    pieces.push({ parts: [signsIn(text, end, match.index)] });
    const before = text.slice(0, match.index);
    end = match.index + match[0].length;
    const beginsLine = /(?:^|\n)[ \t]*$/.test(before.slice(-200));
    const endsLine = /^[ \t\r]*(?:\n|$)/.test(text.slice(end));
    pieces.push(fieldOf(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '', { beginsLine, endsLine }));
  }
  pieces.push({ parts: [signsIn(text, end, text.length)] });
  return pieces;
}

/** Returns the signs of a part of a text, with their places in the whole. */
function signsIn(text: string, begin: number, end: number): Signs {
  const signs = signsOf(text.slice(begin, end));
  return { ...signs, text, at: signs.at.map((place) => place + begin) };
}

/** {yes|sure} and {{RANDOM|yes|sure}} are one of their parts, all others may be anything. */
function fieldOf(inside: string, place: Pick<Field, 'beginsLine' | 'endsLine'>): Piece {
  const isSpun = /^\s*(?:random|spin)\s*\|/i.test(inside);
  const parts = inside.replace(/^\s*(?:random|spin)\s*\|/i, '').split('|');
  // {{first_name|there}} is a field with what stands for it when it is empty.
  const isNamed = /^[\w.\s]*(?:name|company|_)[\w.\s]*$/i.test(parts[0] ?? '');
  if (parts.length > 1 && (isSpun || !isNamed)) return { parts: parts.map(signsOf) };
  return { most: NAME.test(parts[0] ?? '') ? MOST_OF_NAME : MOST_OF_FIELD, ...place };
}

/** Leaves out white space and signs that nobody sees, and makes one of what mail programs exchange for each other. */
function signsOf(text: string): Signs {
  let signs = '';
  const at: number[] = [];
  const begins: number[] = [];
  // A text of one line says nothing of where lines begin.
  let isBegin = true;
  const isOneLine = !text.trim().includes('\n');
  let place = 0;
  for (const character of text) {
    const sign = ALIKE.get(character) ?? (/[\s\p{Cf}\u00ad]/u.test(character) ? '' : character);
    if (character === '\n') isBegin = true;
    for (let index = 0; index < sign.length; index += 1) {
      at.push(place);
      begins.push(isBegin || isOneLine ? 1 : 0);
      isBegin = false;
    }
    signs += sign;
    place += character.length;
  }
  return { signs, text, at, begins: Uint8Array.from([...begins, 1]) };
}

const ALIKE = new Map<string, string>([
  ...[...'‘’‚‛`´′'].map((sign) => [sign, "'"] as const),
  ...[...'“”„‟«»″'].map((sign) => [sign, '"'] as const),
  ...[...'‐‑‒–—―−'].map((sign) => [sign, '-'] as const),
  ['…', '...'],
]);

const QUOTED = [
  /^[ \t]*>/m,
  /^[ \t]*-{2,20}[ \t]*(?:original message|ursprüngliche nachricht|opprinnelig melding|videresendt melding|forwarded message)/im,
  /^[ \t]*(?:on|am|den|på|le|op) [^\n]{6,120}(?:wrote|schrieb|skrev|a écrit|schreef)[^\n]{0,80}:?[ \t]*$/im,
  /^[ \t]*(?:from|von|fra|från): [^\n]{1,300}\n[ \t]*(?:sent|date|gesendet|sendt|skickat|dato|to|an|til): /im,
];

/** A line of nothing but "--", below which mail programs put the signature (RFC 3676, section 4.3). */
const SIGNATURE = /^[ \t]*--[ \t]*$/m;

/** Cuts the subject that stands above an approved text, the quoted thread and the signature. */
function cut(text: string): string {
  let rest = text.trimStart().replace(/^(?:subject|betreff|emne|ämne|objet)[ \t]*:[^\n]*\n/i, '');
  for (const sign of [...QUOTED, SIGNATURE]) {
    const found = rest.search(sign);
    if (found >= 0) rest = rest.slice(0, found);
  }
  return rest.normalize('NFC');
}
