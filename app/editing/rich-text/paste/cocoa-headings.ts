/**
 * Returns the heading levels of paragraph classes, by class. Apple's programs write headings as paragraphs in a large font,
 * whose size is in a style sheet.
 */
export function cocoaHeadings(html: string): ReadonlyMap<string, number> {
  if (!html.includes('Cocoa HTML Writer')) return new Map();
  const rules = html.matchAll(/^(?:p|li)\.(\w+) \{.*?font: (?:[a-z]+ )*([\d.]+)px/gm);
  const sizes = new Map([...rules].map(([, name = '', size]) => [name, Number(size)]));
  const usedSizes = [...html.matchAll(/<(?:p|li) class="(\w+)"/g)].flatMap(([, name = '']) => sizes.get(name) ?? []);
  const countOf = (size: number) => usedSizes.filter((other) => other === size).length;
  const bodySize = usedSizes.toSorted((first, second) => countOf(second) - countOf(first))[0] ?? 0;
  const headingSizes = [...new Set(usedSizes.filter((size) => size >= 1.2 * bodySize))].sort(
    (first, second) => second - first,
  );
  const topLevel = (headingSizes[0] ?? 0) >= 2 * bodySize ? 1 : 2;
  return new Map(
    [...sizes].flatMap(([name, size]) =>
      headingSizes.includes(size) ? [[name, Math.min(topLevel + headingSizes.indexOf(size), 6)] as const] : [],
    ),
  );
}
