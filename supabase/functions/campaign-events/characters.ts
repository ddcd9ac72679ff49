/** Converts untrusted text to a form that Postgres can store: valid UTF-16 without NUL, cut between characters. */

/** Returns `text.slice(begin, end)` without the half of a surrogate pair at either edge. */
export function sliceCharacters(text: string, begin: number, end = text.length): string {
  return text.slice(begin + (splitsPair(text, begin) ? 1 : 0), end - (splitsPair(text, end) ? 1 : 0));
}

function splitsPair(text: string, index: number): boolean {
  return isIn(text.charCodeAt(index - 1), 0xd800, 0xdbff) && isIn(text.charCodeAt(index), 0xdc00, 0xdfff);
}

function isIn(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}

/** Replaces unpaired surrogates by U+FFFD and removes NUL: Postgres rejects both. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/**
 * Returns a JSON value with storable texts. Numbers in exponent notation become text, because jsonb writes all of their
 * digits: 1e300 would take 301 characters. The caller bounds the depth.
 */
export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return String(value).includes('e') ? String(value) : value;
  if (Array.isArray(value)) return value.map(storableValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [storableText(name), storableValue(inner)]));
}
