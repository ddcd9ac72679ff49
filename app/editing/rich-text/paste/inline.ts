/**
 * Converts inline text. Word processors use styled spans instead of elements and split sentences into many spans. The
 * marks of each text node are collected first and then written around whole runs.
 */
import type { Element, ElementContent, RootContent } from 'hast';
import { attribute, type CleanNode, element, findElement, isElement, styleOf, textOf } from './element.ts';
import type { Paste } from './paste.ts';

const MARKS = ['bold', 'italic', 'struck', 'code'] as const;
type Mark = (typeof MARKS)[number];
export type Style = Readonly<Record<Mark, boolean>>;

export const PLAIN: Style = { bold: false, italic: false, struck: false, code: false };

interface Run {
  node: CleanNode;
  style: Style;
}

/** Elements without readable content. */
const DROPPED = new Set(
  'script style meta link title head template noscript button select textarea object embed svg math canvas col colgroup map audio'.split(
    ' ',
  ),
);

export function isDropped(node: Element): boolean {
  const isHidden = styleOf(node, 'display') === 'none' || styleOf(node, 'mso-hide') === 'all';
  return (
    DROPPED.has(node.tagName) || isHidden || 'hidden' in node.properties || attribute(node, 'ariaHidden') === 'true'
  );
}

/** Splits inline nodes into paragraphs at double line breaks. Empty paragraphs are omitted. */
export function inlineParagraphs(nodes: readonly RootContent[], style: Style, paste: Paste): CleanNode[][] {
  const paragraphs: Run[][] = [[]];
  const runs = collectRuns(nodes, style, paste);
  for (const [index, run] of runs.entries()) {
    const isBreak = isElement(run.node, 'br');
    if (isBreak && isElement(nextInk(runs, index), 'br')) paragraphs.push([]);
    else paragraphs.at(-1)?.push(run);
  }
  return paragraphs.map((paragraph) => writeRuns(trimmed(paragraph))).filter((children) => children.length > 0);
}

/** Joins nodes into one line, for headings and cells. */
export function inlineLine(nodes: readonly RootContent[], style: Style, paste: Paste): CleanNode[] {
  const runs = collectRuns(nodes, style, paste).map((run) =>
    isElement(run.node, 'br') ? { ...run, node: text(' ') } : run,
  );
  return writeRuns(trimmed(runs));
}

function nextInk(runs: readonly Run[], index: number): CleanNode | undefined {
  return runs.slice(index + 1).find(({ node }) => !isBlank(node))?.node;
}

function collectRuns(nodes: readonly RootContent[], style: Style, paste: Paste): Run[] {
  return nodes.flatMap((node): Run[] => {
    if (node.type === 'text') {
      const value = paste.text(node.value);
      return value ? [{ node: text(value), style }] : [];
    }
    return isElement(node) && !isDropped(node) ? runsOfElement(node, style, paste) : [];
  });
}

function runsOfElement(node: Element, outer: Style, paste: Paste): Run[] {
  const style = paste.ignoresStyle(node) ? outer : innerStyle(node, outer, paste);
  if (attribute(node, 'dataStringifyType') === 'paragraph-break')
    return [
      { node: element('br'), style: outer },
      { node: element('br'), style: outer },
    ];
  switch (node.tagName) {
    case 'br':
      return [{ node: element('br'), style: outer }];
    case 'img':
      return pictureRuns(node, outer, paste);
    case 'footnote-ref':
      return [{ node, style: PLAIN }];
    case 'a':
      return linkRuns(node, style, paste);
    case 'input':
      return [];
    default:
      return collectRuns(node.children, style, paste);
  }
}

/** Computes the marks inside an element from the marks around it. */
export function innerStyle(node: Element, outer: Style, paste: Paste): Style {
  const { tagName } = node;
  const weight = styleOf(node, 'font-weight');
  const slant = styleOf(node, 'font-style');
  const line = `${styleOf(node, 'text-decoration')} ${styleOf(node, 'text-decoration-line')}`;
  const isBold = weight ? /^(bold|bolder|[6-9]\d\d)/.test(weight) : ['b', 'strong'].includes(tagName) || outer.bold;
  const isItalic = slant
    ? /^(italic|oblique)/.test(slant)
    : ['i', 'em', 'cite', 'dfn', 'var'].includes(tagName) || outer.italic;
  const hasStrikethrough = ['s', 'strike', 'del'].includes(tagName) || line.includes('line-through') || outer.struck;
  const isCode = ['code', 'kbd', 'samp', 'tt'].includes(tagName) || paste.isMonospaced(node) || outer.code;
  return { bold: isBold, italic: isItalic, struck: hasStrikethrough, code: isCode };
}

function pictureRuns(node: Element, style: Style, paste: Paste): Run[] {
  const picture = paste.picture(node);
  if (typeof picture === 'string') return picture ? [{ node: text(picture), style }] : [];
  return picture ? [{ node: picture, style: PLAIN }] : [];
}

/**
 * Converts a link to one run. Marks that cover all of its text are moved outside, so that they merge with neighbours.
 */
function linkRuns(node: Element, style: Style, paste: Paste): Run[] {
  const runs = collectRuns(node.children, style, paste);
  const url = paste.url(attribute(node, 'href'));
  if (!url || runs.every((run) => isBlank(run.node))) return runs;
  const common = commonStyle(runs.filter((run) => !isBlank(run.node)).map((run) => run.style));
  const isCode = common.code;
  const shared = { ...common, code: false };
  const inner = runs.map((run) => ({ ...run, style: without(run.style, shared) }));
  const children = writeRuns(withoutEndSpaces(inner));
  // In a link on code, the code stays inside the link.
  const link = element('a', isCode ? [element('code', [text(children.map(textOf).join(''))])] : children, {
    href: url,
  });
  return spaced(runs, { node: link, style: shared });
}

/** Moves whitespace at the ends of a link outside of it. */
function spaced(runs: readonly Run[], run: Run): Run[] {
  const words = runs.map(({ node }) => textOf(node)).join('');
  return [
    ...(/^\s/.test(words) ? [{ node: text(' '), style: PLAIN }] : []),
    run,
    ...(/\s$/.test(words) ? [{ node: text(' '), style: PLAIN }] : []),
  ];
}

function commonStyle(styles: readonly Style[]): Style {
  return forMarks((mark) => styles.length > 0 && styles.every((style) => style[mark]));
}

function without(style: Style, removed: Style): Style {
  return forMarks((mark) => style[mark] && !removed[mark]);
}

function forMarks(test: (mark: Mark) => boolean): Style {
  return { bold: test('bold'), italic: test('italic'), struck: test('struck'), code: test('code') };
}

/** Trims breaks and whitespace. */
function trimmed(runs: readonly Run[]): Run[] {
  const isInk = ({ node }: Run) => !isBlank(node) && !isElement(node, 'br');
  const from = runs.findIndex(isInk);
  return from === -1 ? [] : runs.slice(from, runs.findLastIndex(isInk) + 1);
}

function writeRuns(runs: readonly Run[]): CleanNode[] {
  // Whitespace gets only the marks that both neighbours have.
  const runsWithSharedMarks = runs.map((run, index) => {
    if (!isBlank(run.node)) return run;
    const neighbours = [runs[index - 1], runs[index + 1]].flatMap((other) => (other ? [other.style] : []));
    return { ...run, style: commonStyle(neighbours) };
  });
  return nest(runsWithSharedMarks, ['bold', 'italic', 'struck']);
}

const TAGS: Record<Mark, string> = { bold: 'strong', italic: 'em', struck: 'del', code: 'code' };

function nest(runs: readonly Run[], marks: readonly Mark[]): CleanNode[] {
  const [mark, ...inner] = marks;
  if (!mark)
    return groups(runs, 'code').flatMap(({ has, members }) => (has ? code(members) : members.map(({ node }) => node)));
  return groups(runs, mark).flatMap(({ has, members }) =>
    has ? outsideSpaces(members, (core) => element(TAGS[mark], nest(core, inner))) : nest(members, inner),
  );
}

function groups(runs: readonly Run[], mark: Mark): { has: boolean; members: Run[] }[] {
  const result: { has: boolean; members: Run[] }[] = [];
  for (const run of runs) {
    const last = result.at(-1);
    if (last?.has === run.style[mark]) last.members.push(run);
    else result.push({ has: run.style[mark], members: [run] });
  }
  return result;
}

function code(runs: readonly Run[]): CleanNode[] {
  if (runs.some(({ node }) => isElement(node, 'a', 'img', 'footnote-ref'))) return runs.map(({ node }) => node);
  return outsideSpaces(runs, (core) =>
    element('code', [
      text(
        core
          .map(({ node }) => textOf(node))
          .join('')
          .replace(/\s/g, ' '),
      ),
    ]),
  );
}

/** Moves whitespace out of marks, as Markdown requires. */
function outsideSpaces(runs: readonly Run[], wrap: (runs: Run[]) => CleanNode): CleanNode[] {
  const core = withoutEndSpaces(runs);
  if (core.length === 0) return runs.map(({ node }) => node);
  const words = runs.map(({ node }) => textOf(node)).join('');
  return [...(/^\s/.test(words) ? [text(' ')] : []), wrap(core), ...(/\s$/.test(words) ? [text(' ')] : [])];
}

function withoutEndSpaces(runs: readonly Run[]): Run[] {
  const core = trimmed(runs).map((run) => ({ ...run }));
  const first = core[0];
  if (first?.node.type === 'text') first.node = text(first.node.value.trimStart());
  const last = core.at(-1);
  if (last?.node.type === 'text') last.node = text(last.node.value.trimEnd());
  return core;
}

function isBlank(node: ElementContent): boolean {
  return node.type === 'text' && node.value.trim() === '';
}

/** True if a node contains a picture, a link or text. */
export function hasContent(node: RootContent): boolean {
  return (
    findElement(node, ({ tagName }) => ['img', 'footnote-ref'].includes(tagName)) !== undefined ||
    textOf(node).trim() !== ''
  );
}

export function text(value: string): CleanNode {
  return { type: 'text', value };
}
