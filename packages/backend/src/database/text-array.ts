/** Parses a one-dimensional array literal such as {a,"b c",NULL}. */
export function parseTextArray(literal: string): (string | null)[] {
  const items: (string | null)[] = [];
  for (const match of literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g)) {
    const [, quotedValue, bareValue] = match;
    if (quotedValue !== undefined) items.push(quotedValue.replace(/\\(.)/g, '$1'));
    else items.push(bareValue === 'NULL' ? null : (bareValue ?? ''));
  }
  return items;
}
