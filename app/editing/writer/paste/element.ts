/** Small questions to elements of a hast tree. */
import type { Element, ElementContent, Nodes } from 'hast';

export type Clean = ElementContent;

export function element(tagName: string, children: Clean[] = [], properties: Element['properties'] = {}): Element {
  return { type: 'element', tagName, properties, children };
}

export function isElement<Name extends string = string>(
  node: Nodes | undefined,
  ...names: Name[]
): node is Element & { tagName: Name } {
  return node?.type === 'element' && (names.length === 0 || names.some((name) => name === node.tagName));
}

/** Returns an attribute as text; '' when it is not there. */
export function attribute(node: Element, name: string): string {
  const value = node.properties[name];
  if (Array.isArray(value)) return value.join(' ');
  return value === undefined || value === null ? '' : String(value);
}

/** Returns the value of a CSS property that stands in the style attribute; '' when it does not. */
export function styleOf(node: Element, property: string): string {
  for (const declaration of attribute(node, 'style').split(';')) {
    const colon = declaration.indexOf(':');
    if (declaration.slice(0, colon).trim().toLowerCase() === property) {
      return declaration
        .slice(colon + 1)
        .trim()
        .toLowerCase();
    }
  }
  return '';
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

/** Returns the first element below a node, or the node itself, that a test holds for. */
export function findElement(node: Nodes, test: (element: Element) => boolean): Element | undefined {
  if (isElement(node) && test(node)) return node;
  if (!('children' in node)) return undefined;
  for (const child of node.children) {
    const found = findElement(child, test);
    if (found) return found;
  }
  return undefined;
}
