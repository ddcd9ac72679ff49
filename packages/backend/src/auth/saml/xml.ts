/**
 * Parses untrusted XML to a tree. Documents with type or entity declarations or processing instructions are rejected,
 * so nothing is expanded or fetched. Comments are removed without splitting the text around them.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';

export interface XmlElement {
  /** Local name, without the prefix. */
  name: string;
  namespace: string;
  /** Attributes by name, including the prefix if present. */
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  /** The text directly in the element, joined. */
  text: string;
}

/** Error in a document, with a message for the log. */
export class XmlError extends Error {}

/** Depth limit: enough for any metadata or response, and safe for recursive functions. */
const MAX_DEPTH = 50;

/** @throws XmlError */
export function parseXml(source: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true });
  const stack: XmlElement[] = [];
  let root: XmlElement | undefined;
  parser.on('error', (error) => {
    throw new XmlError(error.message);
  });
  parser.on('doctype', () => {
    throw new XmlError('a document type declaration is not allowed');
  });
  parser.on('processinginstruction', () => {
    throw new XmlError('a processing instruction is not allowed');
  });
  const addText = (text: string) => {
    const element = stack.at(-1);
    if (element) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', (tag) => {
    if (stack.length >= MAX_DEPTH) throw new XmlError('the document is nested too deeply');
    const element = asElement(tag);
    stack.at(-1)?.children.push(element);
    stack.push(element);
    root ??= element;
  });
  parser.on('closetag', () => {
    stack.pop();
  });
  parser.write(source).close();
  if (!root) throw new XmlError('the document is empty');
  return root;
}

function asElement(tag: SaxesTagNS): XmlElement {
  const attributes = new Map(Object.values(tag.attributes).map(({ name, value }) => [name, value]));
  return { name: tag.local, namespace: tag.uri, attributes, children: [], text: '' };
}

/** Returns the children with that name and namespace. */
export function childrenNamed(element: XmlElement, name: string, namespace: string): XmlElement[] {
  return element.children.filter((child) => child.name === name && child.namespace === namespace);
}

/** Returns the element and all its descendants. */
export function withDescendants(element: XmlElement): XmlElement[] {
  return [element, ...element.children.flatMap(withDescendants)];
}
