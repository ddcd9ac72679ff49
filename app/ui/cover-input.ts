/** Derives the input of a cover drawing from an item's slug, title and key figure. */
import { seededRandom } from './lib/seeded-random.ts';

const MOTIFS = ['fjord', 'readings', 'soundings', 'lighthouse', 'tides', 'wake', 'beacons'] as const;

export type Motif = (typeof MOTIFS)[number];

/** Fields of an item that determine its cover. */
export interface CoverSubject {
  slug: string;
  title?: string | undefined;
  /** Key figure such as "+40% qualified meetings". Defaults to a figure in the title. */
  figure?: string | null | undefined;
}

interface CoverInput {
  motif: Motif;
  /** Key figure, scaled to the range from 0 to 1. Null if there is no figure. */
  magnitude: number | null;
  /** Heights of the title's characters, from 0 to 1. Ascenders and digits are 1, spaces and punctuation are 0. */
  letters: number[];
}

/** Motifs by words in the title. The first match is used. */
const MOTIFS_BY_WORD: readonly (readonly [RegExp, Motif])[] = [
  [/\b(chat|assistant|answer|question|refus|night|guard)/i, 'lighthouse'],
  [/\b(market|dmarc|dkim|domain|team|people|relay|partner)/i, 'beacons'],
  [/\b(pipeline|lead|signal|predict|find|search|map|research)/i, 'soundings'],
  [/\b(spam|inbox|rate|percent|measure|number|report|growth)/i, 'tides'],
  [/\b(line|list|write|writing|copy|word|clean|data)/i, 'readings'],
  [/\b(message|mail|outreach|send|campaign|sequence|launch)/i, 'wake'],
  [/\b(system|season|calm|quiet|brand|year|morning)/i, 'fjord'],
];

const NUMBER_WORDS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  hundred: 100,
  thousand: 1000,
};

/** Derives the drawing input of an item. */
export function coverInput({ slug, title = '', figure }: CoverSubject): CoverInput {
  const [, match] = MOTIFS_BY_WORD.find(([pattern]) => pattern.test(title)) ?? [];
  return {
    motif: match ?? chooseMotif(slug),
    magnitude: parseMagnitude(figure ?? '') ?? parseMagnitude(title),
    letters: letterHeights(title),
  };
}

/** Chooses a motif if no word matches. */
function chooseMotif(slug: string): Motif {
  return MOTIFS[Math.floor(seededRandom(`cover ${slug}`)() * MOTIFS.length)] ?? MOTIFS[0];
}

/**
 * Parses the first number in a text and scales it to the range from 0 to 1. A percentage is divided by 100. Other
 * numbers are scaled logarithmically up to ten million.
 */
function parseMagnitude(text: string): number | null {
  const [, digits, unit] = /(\d[\d,.\s]*)\s*([%kKmM]?)/.exec(text) ?? [];
  const [word = ''] = text.toLowerCase().match(new RegExp(`\\b(${Object.keys(NUMBER_WORDS).join('|')})\\b`)) ?? [];
  if (digits === undefined) return word ? toMagnitude(NUMBER_WORDS[word] ?? 0) : null;
  const withoutSeparators = digits.trim().replaceAll(/[,.\s](?=\d{3}\b)/g, '');
  const number = Number.parseFloat(withoutSeparators.replace(',', '.'));
  if (unit === '%') return Math.min(1, number / 100);
  return toMagnitude(number * ({ k: 1e3, m: 1e6 }[(unit ?? '').toLowerCase()] ?? 1));
}

function toMagnitude(number: number): number {
  return Math.min(1, Math.log10(1 + number) / 7);
}

function letterHeights(title: string): number[] {
  return [...title.toLowerCase()].map((letter) => {
    if (!/[\p{L}\p{N}]/u.test(letter)) return 0;
    if (/[bdfhklt\d]/.test(letter)) return 1;
    // Varies by letter, so that similar titles differ.
    return 0.3 + ((letter.codePointAt(0) ?? 0) % 26) / 60;
  });
}
