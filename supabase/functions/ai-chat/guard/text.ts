/**
 * Normalises text to the form that readers perceive: without markup, look-alikes and invisible characters, in lower
 * case and plain letters.
 */
import { decodeNamedCharacterReference } from 'decode-named-character-reference';

/** Words for symbols that readers perceive as words. */
const SYMBOL_WORDS = new Map(
  Object.entries({
    ' 100% ': '💯',
    ' free ': '🆓',
    ' 10 ': '🔟',
    ' $ ': '💵💲🤑',
    ' € ': '💶',
    ' £ ': '💷',
    ' ¥ ': '💴',
    ' unlimited ': '∞♾',
    ' yes ': '✅✔☑👍👌🤝🆗',
    x: '×',
    '/': '⁄',
    '-': '−–—‑',
    "'": '’',
  }).flatMap(([word, signs]) => Array.from(signs, (sign) => [sign, word] as const)),
);
const SYMBOL = new RegExp([...SYMBOL_WORDS.keys()].join('|'), 'gu');

const LETTERS: Record<string, string> = { ø: 'o', æ: 'ae', œ: 'oe', ß: 'ss', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };

/**
 * Returns the normalised variants of a text: unchanged, without HTML tags, with letter-spaced words joined, and without
 * separators within words.
 */
export function readings(markdown: string): string[] {
  const withTags = foldCharacters(stripMarkup(markdown));
  const withoutTags = foldCharacters(stripMarkup(markdown.replace(/<[^<>]*>/g, '')));
  const texts = new Set([withTags, withoutTags]);
  for (const text of [withTags, withoutTags]) {
    // Letter-spaced text such as "f r e e" and "1 0 0".
    const joined = text.replace(
      /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}][\s.\-_·*/]{1,3}){2,}[\p{L}\p{N}](?![\p{L}\p{N}])/gu,
      (run) => run.replace(/[^\p{L}\p{N}]/gu, ''),
    );
    texts.add(joined);
    texts.add(joined.replace(/(?<=\p{L})(?!'t\b)[-.'·@_/|](?=\p{L})/gu, (sign) => (sign === '@' ? 'a' : '')));
  }
  return [...texts];
}

/** Returns the first variant, for comparison with other texts. */
export function readingOf(markdown: string): string {
  return foldCharacters(stripMarkup(markdown));
}

function stripMarkup(markdown: string): string {
  return decodeEntities(markdown)
    .replace(/\p{Cf}|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu, '')
    .replace(/\]\((?:[^()\\]|\\.|\([^()]*\))*\)/g, '')
    .replace(/^[ \t]*(?:>[ \t]?)+/gm, '')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
    .replace(/[*_~`[\]]/g, '');
}

function foldCharacters(text: string): string {
  return text
    .replace(/[\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}]/gu, (sign) => {
      const code = (sign.codePointAt(0) ?? 0) - 0x1f150;
      return String.fromCodePoint(97 + (code % 32));
    })
    .normalize('NFKC')
    .replace(SYMBOL, (sign) => SYMBOL_WORDS.get(sign) ?? ' ')
    .replace(/(?![0-9])\p{Nd}/gu, (digit) => String(valueOfDigit(digit)))
    .toLowerCase()
    .replace(/[øæœßłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u3164\u2800\u115F\u1160\uFFA0]/g, ' ')
    .replace(/[ \t\n\r\f\v\u0085\u2028\u2029]+/g, ' ')
    .trim();
}

/** Returns the value of a digit in any script. Unicode has the ten digits of a script in a row, starting with zero. */
function valueOfDigit(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--;
  return (code - first) % 10;
}

/** Decodes repeatedly, because entities may be encoded twice: &amp;#49; */
function decodeEntities(text: string): string {
  let decoded = text;
  for (let turn = 0; turn < 3 && decoded.includes('&'); turn++) {
    decoded = decoded.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{1,31}));?/gi, (whole, decimal, hex, name) => {
      if (name) return decodeNamedCharacterReference(name) || whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
  }
  return decoded;
}

/** Returns the words of a normalised text. */
export function wordsOf(reading: string): string[] {
  return reading.match(/\p{L}+/gu) ?? [];
}

/** Returns the first letters of a word, which its forms share. */
export function stemOf(word: string): string {
  return word.replace(/(?:ies|y)$/, 'i').slice(0, 5);
}
