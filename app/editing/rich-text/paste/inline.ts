/**
 * Converts inline text. Word processors use styled spans instead of elements and split sentences into many spans, so each
 * text node gets all marks of its ancestors. The schema of the editor joins equal marks.
 */
import type { Element, ElementContent, RootContent } from 'hast';
import { attribute, type CleanNode, element, findElement, isElement, styleOf, textOf } from './element.ts';
import type { Paste } from './paste.ts';

const TAGS = { code: 'code', bold: 'strong', italic: 'em', struck: 'del' } as const;
type Mark = keyof typeof TAGS;
const MARKS: readonly Mark[] = ['code', 'bold', 'italic', 'struck'];

export interface Style extends Readonly<Record<Mark, boolean>> {
  /** URL of the link. */
  url?: string;
  /** Redundant mark that is removed: bold in headings, strikethrough in completed tasks. */
  ignored?: Mark;
}

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
    if (isBreak && isElement(nextVisibleNode(runs, index), 'br')) paragraphs.push([]);
    else paragraphs.at(-1)?.push(run);
  }
  return paragraphs.map(writeRuns).filter((children) => children.length > 0);
}

/** Joins nodes into one line, for headings and cells. */
export function inlineLine(nodes: readonly RootContent[], style: Style, paste: Paste): CleanNode[] {
  const runs = collectRuns(nodes, style, paste).map((run) =>
    isElement(run.node, 'br') ? { ...run, node: text(' ') } : run,
  );
  return writeRuns(runs);
}

function nextVisibleNode(runs: readonly Run[], index: number): CleanNode | undefined {
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
      return collectRuns(node.children, { ...style, url: paste.url(attribute(node, 'href')) }, paste);
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
  const fontStyle = styleOf(node, 'font-style');
  const line = `${styleOf(node, 'text-decoration')} ${styleOf(node, 'text-decoration-line')}`;
  const isBold = weight ? /^(bold|bolder|[6-9]\d\d)/.test(weight) : ['b', 'strong'].includes(tagName) || outer.bold;
  const isItalic = fontStyle
    ? /^(italic|oblique)/.test(fontStyle)
    : ['i', 'em', 'cite', 'dfn', 'var'].includes(tagName) || outer.italic;
  const hasStrikethrough = ['s', 'strike', 'del'].includes(tagName) || line.includes('line-through') || outer.struck;
  const isCode = ['code', 'kbd', 'samp', 'tt'].includes(tagName) || paste.isMonospaced(node) || outer.code;
  return { ...outer, bold: isBold, italic: isItalic, struck: hasStrikethrough, code: isCode };
}

function pictureRuns(node: Element, style: Style, paste: Paste): Run[] {
  const picture = paste.picture(node);
  if (typeof picture === 'string') return picture ? [{ node: text(picture), style }] : [];
  return picture ? [{ node: picture, style: { ...PLAIN, url: style.url } }] : [];
}

/** Trims runs and wraps them in their marks. */
function writeRuns(untrimmed: readonly Run[]): CleanNode[] {
  const isVisible = ({ node }: Run) => !isBlank(node) && !isElement(node, 'br');
  const runs = untrimmed.slice(Math.max(untrimmed.findIndex(isVisible), 0), untrimmed.findLastIndex(isVisible) + 1);
  return runs.map((run, index) => {
    // Whitespace gets only the marks that both neighbours have.
    const neighbours = isBlank(run.node) ? [runs[index - 1] ?? run, runs[index + 1] ?? run] : [run];
    const marks = MARKS.filter((mark) => neighbours.every(({ style }) => style[mark] && style.ignored !== mark));
    const { url } = (neighbours[0] ?? run).style;
    const node = marks.reduce((inner, mark) => element(TAGS[mark], [inner]), run.node);
    return url && neighbours.every(({ style }) => style.url === url) ? element('a', [node], { href: url }) : node;
  });
}

function isBlank(node: ElementContent): boolean {
  return node.type === 'text' && node.value.trim() === '';
}

/** Returns true if a node contains a picture, a footnote reference or text. */
export function hasContent(node: RootContent): boolean {
  return (
    findElement(node, ({ tagName }) => ['img', 'footnote-ref'].includes(tagName)) !== undefined ||
    textOf(node).trim() !== ''
  );
}

export function text(value: string): CleanNode {
  return { type: 'text', value };
}
