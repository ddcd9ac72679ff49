/** Finds the line of a syntax error in JSON. Browsers report the position only for some errors. */

const TOKEN = /\s*(?:("[^"\\]*(?:\\.[^"\\]*)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([{}[\],:]))/y;

/** Returns the line of the first unexpected token, from 1, or the last line if the text ends too early. */
export function jsonErrorLine(json: string): number {
  const parents: string[] = [];
  let last = '';
  TOKEN.lastIndex = 0;
  let position = 0;
  for (;;) {
    const [all, text, value, sign] = TOKEN.exec(json) ?? [];
    const kind = text ? 'text' : value ? 'value' : sign;
    if (all === undefined || kind === undefined || !isExpected(kind, last, parents.at(-1))) break;
    position = TOKEN.lastIndex;
    if (kind === '{' || kind === '[') parents.push(kind);
    if (kind === '}' || kind === ']') parents.pop();
    last = kind;
  }
  const whitespace = /\s*/y;
  whitespace.lastIndex = position;
  const start = position + (whitespace.exec(json)?.[0].length ?? 0);
  return json.slice(0, start).split('\n').length;
}

function isExpected(kind: string, last: string, parent: string | undefined): boolean {
  const isAfterValue = ['text', 'value', '}', ']'].includes(last);
  if (kind === ',') return isAfterValue && parent !== undefined;
  if (kind === ':') return last === 'text' && parent === '{';
  if (kind === '}') return parent === '{' && (isAfterValue || last === '{');
  if (kind === ']') return parent === '[' && (isAfterValue || last === '[');
  if (parent === '{' && last !== ':') return kind === 'text' && (last === '{' || last === ',');
  return ['', '[', ',', ':'].includes(last);
}
