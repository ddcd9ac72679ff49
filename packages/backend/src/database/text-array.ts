/** Parses a one-dimensional array literal such as {a,"b c",NULL}. */
export function parseTextArray(literal: string): (string | null)[] {
  const items: (string | null)[] = [];
  for (const match of literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g)) {
    const [, quoted, bare] = match;
    if (quoted !== undefined) items.push(quoted.replace(/\\(.)/g, '$1'));
    else items.push(bare === 'NULL' ? null : (bare ?? ''));
  }
  return items;
}
