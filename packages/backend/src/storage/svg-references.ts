/**
 * Counts the elements that a renderer draws for an SVG. An element with references (use, patterns, masks, markers, clip
 * paths) also draws the referenced elements. Ten levels of ten references, in less than a kilobyte, are ten billion
 * elements.
 */
import { invalidRequest } from './storage-error.ts';

/** Maximum number of elements, including those repeated by references. */
const MAX_DRAWN = 200_000;
/** Depth of nested references. */
const MAX_CHAIN = 20;

interface Element {
  name: string;
  classes: readonly string[];
  id: string | undefined;
  references: string[];
  children: Element[];
}

interface Extent {
  drawn: number;
  chain: number;
}

export interface ReferenceCounter {
  /** Called at the start of an element, with its allowed attributes. */
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  close(): void;
  /** Called for each allowed style sheet. */
  addStyles(css: string): void;
  /** @throws ApiError InvalidRequest if the picture is cyclic or draws too much */
  requireBounded(): void;
}

export function createReferenceCounter(): ReferenceCounter {
  const root: Element = { name: '', classes: [], id: undefined, references: [], children: [] };
  const openTags = [root];
  const byId = new Map<string, Element>();
  /** Ids that style sheets refer to, by the name, .class or #id of the matching elements. */
  const styled = new Map<string, string[]>();
  const extents = new Map<Element, Extent | 'being measured'>();

  function listReferences({ name, classes, id, references }: Element): string[] {
    if (styled.size === 0) return references;
    const selectors = ['*', name, ...classes.map((word) => `.${word}`), ...(id === undefined ? [] : [`#${id}`])];
    return [...references, ...selectors.flatMap((selector) => styled.get(selector) ?? [])];
  }

  function measure(element: Element, chain: number): Extent {
    const cached = extents.get(element);
    if (cached === 'being measured') throw invalidRequest('The SVG has an element that refers to itself.');
    if (cached) return cached;
    if (chain > MAX_CHAIN) throw tooLongChain();
    extents.set(element, 'being measured');
    const extent = { drawn: 1, chain: 0 };
    for (const child of element.children) {
      const { drawn, chain: nestedChain } = measure(child, chain);
      extent.drawn += drawn;
      extent.chain = Math.max(extent.chain, nestedChain);
    }
    for (const id of listReferences(element)) {
      const target = byId.get(id);
      if (!target) continue;
      const { drawn, chain: nestedChain } = measure(target, chain + 1);
      extent.drawn += drawn;
      extent.chain = Math.max(extent.chain, nestedChain + 1);
    }
    if (extent.chain > MAX_CHAIN) throw tooLongChain();
    extents.set(element, extent);
    return extent;
  }

  return {
    open(name, attributes) {
      const id = attributes.get('id');
      const classes = attributes.get('class')?.split(/\s+/).filter(Boolean) ?? [];
      const references = [...attributes].flatMap(([attribute, value]) =>
        attribute === 'href' ? (/^\s*#(\S+)\s*$/.exec(value)?.slice(1).map(withoutEscapes) ?? []) : listUrlIds(value),
      );
      const element = { name, classes, id, references, children: [] };
      openTags.at(-1)?.children.push(element);
      openTags.push(element);
      if (id !== undefined && !byId.has(id)) byId.set(id, element);
    },
    close() {
      openTags.pop();
    },
    addStyles(css) {
      for (const [, selectors = '', declarations = ''] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
        const references = listUrlIds(declarations);
        if (references.length === 0) continue;
        for (const selector of selectors.split(',')) {
          const key = findSubject(selector);
          styled.set(key, [...(styled.get(key) ?? []), ...references]);
        }
      }
    },
    requireBounded() {
      if (measure(root, 0).drawn <= MAX_DRAWN) return;
      throw invalidRequest(`The SVG draws more than ${MAX_DRAWN.toLocaleString('en-US')} elements through references.`);
    },
  };
}

const tooLongChain = () => invalidRequest(`The SVG has a reference chain of more than ${MAX_CHAIN} elements.`);

/** Lists the ids in url(#…). */
function listUrlIds(text: string): string[] {
  return [...text.matchAll(/url\(\s*['"]?\s*#([^'")\s]+)/gi)].map(([, id = '']) => withoutEscapes(id));
}

/**
 * Returns the most specific condition in the last part of a selector. The whole selector may match fewer elements.
 */
function findSubject(selector: string): string {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? '';
  return /#[\w-]+/.exec(last)?.[0] ?? /\.[\w-]+/.exec(last)?.[0] ?? /^[a-z]\w*/i.exec(last)?.[0] ?? '*';
}

/** Browsers treat #%61 as #a. */
function withoutEscapes(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
