/**
 * Extracts the text of an email from HTML or plain text. The input is untrusted, so every step runs in linear time.
 */
import { decodeNamedCharacterReference } from 'decode-named-character-reference';

/** Elements whose content is not displayed. */
const HIDDEN_ELEMENTS = new Set(['style', 'script', 'head', 'title']);

/** Elements that cause a line break in the text. */
const LINE_BREAK_ELEMENTS = new Set([
  'br',
  'p',
  'div',
  'li',
  'tr',
  'table',
  'ul',
  'ol',
  'blockquote',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
]);

/** Matches the start of an HTML element, but not an email address in angle brackets. */
const MARKUP =
  /<(?:!doctype|html|body|p|div|br|span|a|b|i|u|em|strong|table|td|ul|ol|li|img|font|h[1-6]|style)(?=[\s/>])/i;

/** Classes of elements in which mail programs put the quoted thread and the signature. */
const QUOTE_OR_SIGNATURE =
  /\bclass\s*=\s*["']?[^"'>]{0,100}\b(?:gmail_quote|gmail_signature|signature|moz-cite-prefix|yahoo_quoted)\b/i;

/**
 * Converts HTML to text, with line breaks around blocks. Stops at a quoted thread or a signature. Returns plain text
 * unchanged.
 */
export function textOfMail(source: string): string {
  return MARKUP.test(source) ? decodeEntities(textOfMarkup(source)) : source;
}

function textOfMarkup(source: string): string {
  let text = '';
  let at = 0;
  for (;;) {
    const begin = source.indexOf('<', at);
    const end = begin < 0 ? -1 : source.indexOf('>', begin);
    text += source.slice(at, end < 0 ? source.length : begin).replaceAll(/\s+/g, ' ');
    if (end < 0) return text;
    at = end + 1;
    const tag = source.slice(begin + 1, end);
    const name = /^\/?([a-z][a-z0-9]{0,20})/i.exec(tag)?.[1]?.toLowerCase() ?? '';
    if (tag.startsWith('!--')) at = afterMark(source, '-->', begin);
    else if (name === 'blockquote' || QUOTE_OR_SIGNATURE.test(tag.slice(0, 300))) return text;
    else if (HIDDEN_ELEMENTS.has(name) && !tag.startsWith('/')) at = afterElement(source, name, at);
    if (LINE_BREAK_ELEMENTS.has(name)) text += '\n';
  }
}

/** Returns the index after a marker, or the end of the text if it is missing. */
function afterMark(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  return found < 0 ? source.length : found + mark.length;
}

/** Returns the index after the closing tag of an element, ignoring case. */
function afterElement(source: string, name: string, from: number): number {
  const close = new RegExp(`</${name}`, 'gi');
  close.lastIndex = from;
  const found = close.exec(source);
  return found ? afterMark(source, '>', found.index) : source.length;
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,31}));?/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return decodeNamedCharacterReference(String(name)) || whole;
    const code = decimal === undefined ? Number.parseInt(String(hexadecimal), 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}
