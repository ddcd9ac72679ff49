import type { Mark, Node } from '@tiptap/pm/model';
import type { AlignType, BlockContent, FootnoteDefinition, ListItem, PhrasingContent, TableRow } from 'mdast';
import { writeMarkdown } from './markdown-style.ts';

/**
 * Writes one top-level block. `before` is the Markdown above it. A list directly below another list gets a different
 * marker, because Markdown would join them.
 */
export function writeBlock(node: Node, before = ''): string {
  if (node.type.name === 'rawBlock') return String(node.attrs['value']);
  if (isEmptyParagraph(node)) return '';
  const lastBlock = before.slice(before.lastIndexOf('\n\n') + 1).trimStart();
  return writeMarkdown([node.type.name === 'footnote' ? footnote(node) : block(node)], {
    bullet: /^- /.test(lastBlock) ? '*' : '-',
    bulletOrdered: /^\d+\. /.test(lastBlock) ? ')' : '.',
  });
}

export function isEmptyParagraph(node: Node): boolean {
  return node.type.name === 'paragraph' && node.childCount === 0;
}

function block(node: Node): BlockContent {
  const { attrs } = node;
  switch (node.type.name) {
    case 'heading':
      return { type: 'heading', depth: attrs['level'], children: phrasing(node) };
    case 'blockquote':
      return { type: 'blockquote', children: blocks(node) };
    case 'callout': {
      const isEmpty = node.childCount === 1 && node.firstChild?.content.size === 0;
      const callout = String(attrs['kind']).toUpperCase();
      return { type: 'blockquote', data: { callout }, children: isEmpty ? [] : blocks(node) };
    }
    case 'bulletList':
    case 'orderedList':
    case 'taskList':
      return list(node);
    case 'codeBlock':
      return { type: 'code', lang: attrs['language'], meta: attrs['meta'], value: node.textContent };
    case 'horizontalRule':
      return { type: 'thematicBreak' };
    case 'table':
      return table(node);
    case 'rawBlock':
      return { type: 'html', value: attrs['value'] };
    default:
      return { type: 'paragraph', children: phrasing(node) };
  }
}

function blocks(node: Node): BlockContent[] {
  return node.children.map(block);
}

function footnote(node: Node): FootnoteDefinition {
  const { label } = node.attrs;
  return { type: 'footnoteDefinition', identifier: label, label, children: blocks(node) };
}

function list(node: Node): BlockContent {
  const children = node.children.map((item): ListItem => {
    const paragraphs = item.children.filter(({ type }) => type.name === 'paragraph').length;
    const spread = item.attrs['spread'] ?? paragraphs > 1;
    return {
      type: 'listItem',
      spread: spread || paragraphs > 1,
      checked: item.type.name === 'taskItem' ? item.attrs['checked'] : null,
      children: isEmptyParagraph(item.child(0)) && item.childCount === 1 ? [] : blocks(item),
    };
  });
  return {
    type: 'list',
    ordered: node.type.name === 'orderedList',
    start: node.attrs['start'],
    spread: node.attrs['spread'] ?? children.some(({ spread }) => spread),
    children,
  };
}

function table(node: Node): BlockContent {
  const rows = node.children.map(
    (row): TableRow => ({
      type: 'tableRow',
      children: row.children.map((cell) => ({
        type: 'tableCell',
        children: cell.firstChild ? phrasing(cell.firstChild) : [],
      })),
    }),
  );
  const firstRow = node.firstChild;
  // GitHub's tables always have a header.
  if (firstRow?.firstChild?.type.name !== 'tableHeader')
    rows.unshift({
      type: 'tableRow',
      children: firstRow?.children.map(() => ({ type: 'tableCell', children: [] })) ?? [],
    });
  const align = firstRow?.children.map((cell): AlignType => cell.attrs['align']) ?? [];
  return { type: 'table', align, children: rows };
}

/** Text or inline node, with the marks that still have to be written. */
interface Run {
  node: Node;
  text: string | null;
  marks: readonly Mark[];
}

function phrasing(node: Node): PhrasingContent[] {
  const runs = node.children.map((child): Run => ({ node: child, text: child.text ?? null, marks: child.marks }));
  return nest(trimLines(runs));
}

/**
 * Removes spaces at line ends, and line breaks at the end of the text. Markdown cannot express them without entities.
 */
function trimLines(runs: readonly Run[]): Run[] {
  const isBreak = (run: Run | undefined) => run?.node.type.name === 'hardBreak';
  const lines = runs.map((run, index) => {
    if (run.text === null || isCode(run)) return run;
    let { text } = run;
    if (index === 0 || isBreak(runs[index - 1])) text = text.replace(/^[ \t]+/, '');
    if (index === runs.length - 1 || isBreak(runs[index + 1])) text = text.replace(/[ \t]+$/, '');
    return { ...run, text };
  });
  const nonEmptyLines = lines.filter(({ text }) => text !== '');
  return nonEmptyLines.slice(0, nonEmptyLines.findLastIndex((run) => !isBreak(run)) + 1);
}

function isCode({ marks }: Run): boolean {
  return marks.some(({ type }) => type.name === 'code');
}

/** Nests marks. The mark with the longest range is outermost, so that ranges are split as little as possible. */
function nest(runs: readonly Run[]): PhrasingContent[] {
  const [firstRun] = runs;
  if (!firstRun) return [];
  const ranges = firstRun.marks
    .filter(({ type }) => type.name !== 'code')
    .map((mark) => ({ mark, end: endOf(runs, mark) }));
  const [outermost] = ranges.sort((left, right) => right.end - left.end);
  if (!outermost) return [inlineNode(firstRun), ...nest(runs.slice(1))];
  const { mark, end } = outermost;
  const inside = runs.slice(0, end).map((run) => ({ ...run, marks: mark.removeFromSet(run.marks) }));
  const [before, inner, after] = withoutOuterSpace(inside);
  return [
    ...nest(before),
    ...(inner.length > 0 ? [wrap(mark, nest(inner))] : []),
    ...nest([...after, ...runs.slice(end)]),
  ];
}

function endOf(runs: readonly Run[], mark: Mark): number {
  const end = runs.findIndex(({ marks }) => !mark.isInSet(marks));
  return end === -1 ? runs.length : end;
}

/** Moves whitespace at the ends of a mark out of the mark. Otherwise Markdown would show the asterisks. */
function withoutOuterSpace(runs: readonly Run[]): [before: Run[], core: Run[], after: Run[]] {
  const isVisible = (run: Run) =>
    run.text === null ? run.node.type.name !== 'hardBreak' : isCode(run) || run.text.trim() !== '';
  const [from, to] = [runs.findIndex(isVisible), runs.findLastIndex(isVisible) + 1];
  if (to === 0) return [runs.map((run) => ({ ...run, marks: [] })), [], []];
  const core = runs.slice(from, to);
  const takeSpace = (index: number, pattern: RegExp): Run[] => {
    const run = core[index];
    const space = run && !isCode(run) && pattern.exec(run.text ?? '')?.[0];
    if (!run || !space) return [];
    core[index] = { ...run, text: (run.text ?? '').replace(pattern, '') };
    return [{ ...run, text: space, marks: [] }];
  };
  const lead = takeSpace(0, /^\s+/);
  const tail = takeSpace(core.length - 1, /\s+$/);
  return [[...runs.slice(0, from), ...lead], core, [...tail, ...runs.slice(to)]];
}

function wrap({ type, attrs }: Mark, children: PhrasingContent[]): PhrasingContent {
  switch (type.name) {
    case 'bold':
      return { type: 'strong', children };
    case 'italic':
      return { type: 'emphasis', children };
    case 'strike':
      return { type: 'delete', children };
    default:
      return { type: 'link', url: encodeBlanks(attrs['href']), title: attrs['title'], children };
  }
}

function inlineNode({ node, text, marks }: Run): PhrasingContent {
  const { attrs } = node;
  if (text !== null) return { type: marks.length > 0 ? 'inlineCode' : 'text', value: text };
  switch (node.type.name) {
    case 'image':
      return { type: 'image', url: encodeBlanks(attrs['src']), alt: attrs['alt'], title: attrs['title'] };
    case 'hardBreak':
      return { type: 'break' };
    case 'footnoteReference':
      return { type: 'footnoteReference', identifier: attrs['label'], label: attrs['label'] };
    default:
      return { type: 'html', value: attrs['value'] };
  }
}

function encodeBlanks(url: string): string {
  return url.trim().replace(/\s/g, encodeURIComponent);
}
