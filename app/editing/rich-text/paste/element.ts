/** Helpers for hast elements. */
import type { Element, ElementContent, Nodes } from 'hast';

/** Node of the cleaned tree, which is then written as Markdown. */
export type CleanNode = ElementContent;

export function element(tagName: string, children: CleanNode[] = [], properties: Element['properties'] = {}): Element {
  return { type: 'element', tagName, properties, children };
}

export function isElement<Name extends string = string>(
  node: Nodes | undefined,
  ...names: Name[]
): node is Element & { tagName: Name } {
  return node?.type === 'element' && (names.length === 0 || names.some((name) => name === node.tagName));
}

/** Returns an attribute as text, or ''. */
export function attribute(node: Element, name: string): string {
  const value = node.properties[name];
  if (Array.isArray(value)) return value.join(' ');
  return value === undefined || value === null ? '' : String(value);
}

/** Returns a CSS property from the style attribute, or ''. */
export function styleOf(node: Element, property: string): string {
  const declaration = new RegExp(`(?:^|;)\\s*${property}\\s*:([^;]*)`, 'i').exec(attribute(node, 'style'));
  return declaration?.[1]?.trim().toLowerCase() ?? '';
}

export function hasClass(node: Element, pattern: RegExp): boolean {
  const { className } = node.properties;
  return Array.isArray(className) && className.some((name) => pattern.test(String(name)));
}

export function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value;
  if (isElement(node, 'br')) return '\n';
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

/** Finds the first matching element in a subtree. */
export function findElement(node: Nodes, test: (element: Element) => boolean): Element | undefined {
  if (isElement(node) && test(node)) return node;
  if (!('children' in node)) return undefined;
  for (const child of node.children) {
    const match = findElement(child, test);
    if (match) return match;
  }
  return undefined;
}
